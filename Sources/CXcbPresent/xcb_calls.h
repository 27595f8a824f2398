#pragma once
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <xcb/xcb.h>
#include <xcb/present.h>
#include "xcb_outputs.h"

// What is read here comes from the server, and is looked at before it is believed: the structures are C's.

enum xcb_present_news {
  xcb_present_no_news,
  /// What a request for a frame asked for.
  xcb_present_frame,
  /// A request was refused.
  xcb_present_refused,
  /// Outputs came, went or changed.
  xcb_present_outputs,
  /// Something that nobody asked for.
  xcb_present_other,
};

struct xcb_present_answer {
  uint32_t serial;
  uint64_t ust;
  uint64_t msc;
};

/// Takes the next event of those that have come.
static inline enum xcb_present_news xcb_present_take(
    xcb_connection_t *connection, uint8_t opcode, uint8_t outputs, struct xcb_present_answer *answer) {
  xcb_generic_event_t *event = xcb_poll_for_event(connection);
  if (!event) return xcb_present_no_news;
  enum xcb_present_news news = xcb_present_other;
  if (event->response_type == 0) {
    news = xcb_present_refused;
  } else if (xcb_outputs_changed(outputs, event->response_type)) {
    news = xcb_present_outputs;
  } else if ((event->response_type & 0x7f) == XCB_GE_GENERIC) {
    const xcb_present_complete_notify_event_t *complete = (const xcb_present_complete_notify_event_t *)event;
    // The last eight bytes lie behind the 32 that every event has.
    if (complete->extension == opcode && complete->length >= 2 &&
        complete->event_type == XCB_PRESENT_COMPLETE_NOTIFY &&
        complete->kind == XCB_PRESENT_COMPLETE_KIND_NOTIFY_MSC) {
      answer->serial = complete->serial;
      answer->ust = complete->ust;
      answer->msc = complete->msc;
      news = xcb_present_frame;
    }
  }
  free(event);
  return news;
}

/// The opcode of the extension; 0 if the server has none.
static inline uint8_t xcb_present_opcode(xcb_connection_t *connection) {
  const xcb_query_extension_reply_t *extension = xcb_get_extension_data(connection, &xcb_present_id);
  if (!extension || !extension->present) return 0;
  xcb_present_query_version_reply_t *version =
      xcb_present_query_version_reply(connection, xcb_present_query_version(connection, 1, 0), NULL);
  bool is_spoken = version != NULL;
  free(version);
  return is_spoken ? extension->major_opcode : 0;
}

/// The root window of a screen; 0 if there is none.
static inline xcb_window_t xcb_present_root(xcb_connection_t *connection, int screen) {
  xcb_screen_iterator_t screens = xcb_setup_roots_iterator(xcb_get_setup(connection));
  for (; screens.rem > 0; xcb_screen_next(&screens)) {
    if (screen-- == 0) return screens.data->root;
  }
  return 0;
}

/// Has the window tell of frames that were asked for; false if there is no such window.
static inline bool xcb_present_listen(xcb_connection_t *connection, xcb_window_t window) {
  xcb_generic_error_t *error = xcb_request_check(
      connection, xcb_present_select_input_checked(connection, xcb_generate_id(connection), window,
                                                   XCB_PRESENT_EVENT_MASK_COMPLETE_NOTIFY));
  bool is_there = error == NULL && !xcb_connection_has_error(connection);
  free(error);
  return is_there;
}

/// Asks for a frame. A server that has gone would end the program by SIGPIPE: xcb writes as if to a file.
static inline void xcb_present_ask(
    xcb_connection_t *connection, xcb_window_t window, uint32_t serial, uint64_t target, uint64_t divisor) {
  sigset_t pipe_alone, before;
  sigemptyset(&pipe_alone);
  sigaddset(&pipe_alone, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe_alone, &before);
  xcb_present_notify_msc(connection, window, serial, target, divisor, 0);
  xcb_flush(connection);
  if (!sigismember(&before, SIGPIPE)) {
    // The signal went to this thread, and is taken before it is let through again.
    const struct timespec at_once = {0, 0};
    if (xcb_connection_has_error(connection)) {
      while (sigtimedwait(&pipe_alone, NULL, &at_once) == -1 && errno == EINTR) {}
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
  }
}
