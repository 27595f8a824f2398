#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <xcb/shm.h>
#include <xcb/xcb.h>

#include "canvas.h"

/// The server reads from one while the other is drawn on.
enum { BUFFERS = 2 };

struct buffer {
  struct ms_canvas canvas;
  uint8_t *pixels;
  /// The server's name for the shared memory; 0 if it is not shared.
  xcb_shm_seg_t segment;
  bool is_read;
};

struct ms_window {
  xcb_connection_t *connection;
  xcb_window_t number;
  xcb_gcontext_t context;
  xcb_atom_t protocols, closing;
  xcb_get_keyboard_mapping_reply_t *keys;
  uint8_t first_key, depth;
  /// The event that says that the server has read a buffer; 0 without shared memory.
  uint8_t completion;
  int width, height;
  int buffers_made, last;
  struct buffer buffers[BUFFERS];
};

static xcb_atom_t atom(xcb_connection_t *connection, const char *name) {
  xcb_intern_atom_reply_t *reply =
      xcb_intern_atom_reply(connection, xcb_intern_atom(connection, 0, (uint16_t)strlen(name), name), NULL);
  xcb_atom_t atom = reply ? reply->atom : XCB_ATOM_NONE;
  free(reply);
  return atom;
}

static bool is_refused(xcb_connection_t *connection, xcb_void_cookie_t cookie) {
  xcb_generic_error_t *error = xcb_request_check(connection, cookie);
  bool is_refused = error != NULL || xcb_connection_has_error(connection);
  free(error);
  return is_refused;
}

/// Memory that server and program share; NULL where that cannot be, with a server elsewhere for instance.
static uint8_t *share(struct ms_window *window, struct buffer *buffer, size_t size) {
  if (!window->completion) return NULL;
  int memory = shmget(IPC_PRIVATE, size, IPC_CREAT | 0600);
  if (memory < 0) return NULL;
  void *pixels = shmat(memory, NULL, 0);
  if (pixels != (void *)-1) {
    buffer->segment = xcb_generate_id(window->connection);
    if (is_refused(window->connection,
                   xcb_shm_attach_checked(window->connection, buffer->segment, (uint32_t)memory, 1))) {
      shmdt(pixels);
      pixels = (void *)-1;
      buffer->segment = 0;
    }
  }
  // It goes with the last who has it.
  shmctl(memory, IPC_RMID, NULL);
  return pixels == (void *)-1 ? NULL : pixels;
}

static void release(struct buffer *buffer) {
  if (buffer->segment) shmdt(buffer->pixels);
  else free(buffer->pixels);
}

static bool make_buffer(struct ms_window *window) {
  struct buffer *buffer = &window->buffers[window->buffers_made];
  size_t size = (size_t)window->width * window->height * 4;
  buffer->pixels = share(window, buffer, size);
  if (!buffer->pixels) buffer->pixels = calloc(1, size);
  if (!buffer->pixels) return false;
  if (!ms_canvas_init(&buffer->canvas, buffer->pixels, window->width, window->height)) {
    release(buffer);
    return false;
  }
  window->buffers_made++;
  return true;
}

static uint8_t completion(xcb_connection_t *connection) {
  const xcb_query_extension_reply_t *extension = xcb_get_extension_data(connection, &xcb_shm_id);
  return extension && extension->present ? extension->first_event + XCB_SHM_COMPLETION : 0;
}

static void make(struct ms_window *window, xcb_screen_t *screen, const char *title) {
  xcb_connection_t *connection = window->connection;
  const uint32_t mask = XCB_EVENT_MASK_EXPOSURE | XCB_EVENT_MASK_BUTTON_PRESS | XCB_EVENT_MASK_BUTTON_RELEASE |
                        XCB_EVENT_MASK_BUTTON_MOTION | XCB_EVENT_MASK_KEY_PRESS |
                        XCB_EVENT_MASK_STRUCTURE_NOTIFY;
  const uint32_t values[] = {screen->black_pixel, mask};
  window->number = xcb_generate_id(connection);
  xcb_create_window(connection, window->depth, window->number, screen->root, 0, 0, (uint16_t)window->width,
                    (uint16_t)window->height, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT, screen->root_visual,
                    XCB_CW_BACK_PIXEL | XCB_CW_EVENT_MASK, values);
  xcb_change_property(connection, XCB_PROP_MODE_REPLACE, window->number, XCB_ATOM_WM_NAME, XCB_ATOM_STRING, 8,
                      (uint32_t)strlen(title), title);
  // WM_NORMAL_HINTS: the smallest and the largest size are the same.
  uint32_t hints[18] = {1 << 4 | 1 << 5};
  hints[5] = hints[7] = (uint32_t)window->width;
  hints[6] = hints[8] = (uint32_t)window->height;
  xcb_change_property(connection, XCB_PROP_MODE_REPLACE, window->number, XCB_ATOM_WM_NORMAL_HINTS,
                      XCB_ATOM_WM_SIZE_HINTS, 32, 18, hints);
  window->protocols = atom(connection, "WM_PROTOCOLS");
  window->closing = atom(connection, "WM_DELETE_WINDOW");
  xcb_change_property(connection, XCB_PROP_MODE_REPLACE, window->number, window->protocols, XCB_ATOM_ATOM, 32, 1,
                      &window->closing);
  window->context = xcb_generate_id(connection);
  xcb_create_gc(connection, window->context, window->number, 0, NULL);
  const xcb_setup_t *setup = xcb_get_setup(connection);
  window->first_key = setup->min_keycode;
  window->keys = xcb_get_keyboard_mapping_reply(
      connection,
      xcb_get_keyboard_mapping(connection, setup->min_keycode, setup->max_keycode - setup->min_keycode + 1), NULL);
  xcb_map_window(connection, window->number);
  xcb_flush(connection);
}

struct ms_window *ms_window_open(int width, int height, const char *title, enum ms_window_failure *failure) {
  struct ms_window *window = calloc(1, sizeof *window);
  *failure = ms_window_no_memory;
  if (!window) return NULL;
  window->width = width;
  window->height = height;
  int chosen = 0;
  window->connection = xcb_connect(NULL, &chosen);
  *failure = ms_window_no_display;
  if (xcb_connection_has_error(window->connection)) goto failed;
  xcb_screen_iterator_t screens = xcb_setup_roots_iterator(xcb_get_setup(window->connection));
  for (; chosen > 0 && screens.rem > 1; chosen--) xcb_screen_next(&screens);
  window->depth = screens.data->root_depth;
  *failure = ms_window_wrong_pixels;
  if (window->depth != 24) goto failed;
  window->completion = completion(window->connection);
  *failure = ms_window_no_memory;
  while (window->buffers_made < BUFFERS) {
    if (!make_buffer(window)) goto failed;
  }
  make(window, screens.data, title);
  *failure = ms_window_no_display;
  if (!window->keys || xcb_connection_has_error(window->connection)) goto failed;
  *failure = ms_window_made;
  return window;
failed:
  ms_window_close(window);
  return NULL;
}

void ms_window_close(struct ms_window *window) {
  if (!window) return;
  xcb_disconnect(window->connection);
  while (window->buffers_made > 0) {
    struct buffer *buffer = &window->buffers[--window->buffers_made];
    ms_canvas_destroy(&buffer->canvas);
    release(buffer);
  }
  free(window->keys);
  free(window);
}

uint32_t ms_window_number(const struct ms_window *window) { return window->number; }
int ms_window_descriptor(const struct ms_window *window) { return xcb_get_file_descriptor(window->connection); }
bool ms_window_is_shared(const struct ms_window *window) { return window->buffers[0].segment != 0; }

struct ms_canvas *ms_window_canvas(struct ms_window *window) {
  for (int index = 0; index < BUFFERS; index++) {
    if (window->buffers[index].is_read) continue;
    window->last = index;
    return &window->buffers[index].canvas;
  }
  return NULL;
}

void ms_window_show(struct ms_window *window) {
  struct buffer *buffer = &window->buffers[window->last];
  uint16_t width = (uint16_t)window->width, height = (uint16_t)window->height;
  cairo_surface_flush(buffer->canvas.surface);
  if (buffer->segment) {
    buffer->is_read = true;
    xcb_shm_put_image(window->connection, window->number, window->context, width, height, 0, 0, width, height, 0, 0,
                      window->depth, XCB_IMAGE_FORMAT_Z_PIXMAP, 1, buffer->segment, 0);
  } else {
    xcb_put_image(window->connection, XCB_IMAGE_FORMAT_Z_PIXMAP, window->number, window->context, width, height, 0, 0,
                  0, window->depth, (uint32_t)width * height * 4, buffer->pixels);
  }
  xcb_flush(window->connection);
}

void ms_window_wait(struct ms_window *window) {
  // Any question will do: answers come in order.
  free(xcb_get_input_focus_reply(window->connection, xcb_get_input_focus(window->connection), NULL));
}

/// The keysym that a key has without Shift.
static uint32_t keysym(const struct ms_window *window, uint8_t code) {
  int each = window->keys->keysyms_per_keycode, index = (code - window->first_key) * each;
  if (code < window->first_key || index >= xcb_get_keyboard_mapping_keysyms_length(window->keys)) return 0;
  return xcb_get_keyboard_mapping_keysyms(window->keys)[index];
}

static struct ms_event read_event(struct ms_window *window, const xcb_generic_event_t *event) {
  struct ms_event result = {.kind = ms_event_other};
  uint8_t type = event->response_type & 0x7F;
  if (type == XCB_BUTTON_PRESS || type == XCB_BUTTON_RELEASE || type == XCB_MOTION_NOTIFY || type == XCB_KEY_PRESS) {
    // The four have one layout as far as this goes.
    const xcb_button_press_event_t *input = (const xcb_button_press_event_t *)event;
    result = (struct ms_event){.code = input->detail, .x = input->event_x, .y = input->event_y, .time = input->time};
    result.kind = type == XCB_BUTTON_PRESS     ? ms_event_press
                  : type == XCB_BUTTON_RELEASE ? ms_event_release
                  : type == XCB_MOTION_NOTIFY  ? ms_event_motion
                                               : ms_event_key;
    if (type == XCB_KEY_PRESS) result.code = keysym(window, input->detail);
  } else if (type == XCB_EXPOSE) {
    result.kind = ms_event_exposed;
  } else if (type == XCB_UNMAP_NOTIFY) {
    result.kind = ms_event_hidden;
  } else if (type == XCB_CLIENT_MESSAGE) {
    const xcb_client_message_event_t *message = (const xcb_client_message_event_t *)event;
    if (message->type == window->protocols && message->data.data32[0] == window->closing) result.kind = ms_event_closed;
  } else if (window->completion && type == window->completion) {
    const xcb_shm_completion_event_t *read = (const xcb_shm_completion_event_t *)event;
    for (int index = 0; index < BUFFERS; index++) {
      if (window->buffers[index].segment == read->shmseg) window->buffers[index].is_read = false;
    }
  }
  return result;
}

struct ms_event ms_window_next(struct ms_window *window) {
  xcb_generic_event_t *event = xcb_poll_for_event(window->connection);
  if (!event) return (struct ms_event){.kind = ms_event_none};
  struct ms_event result = read_event(window, event);
  free(event);
  return result;
}
