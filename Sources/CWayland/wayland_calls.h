#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wayland-client.h>

// A link's own queue of events of somebody's connection, and the one question that it asks there: when the next frame of a
// surface begins. What the library calls back is C's, and only stores: whoever has dispatched looks at what was stored.

struct wayland_link {
  struct wl_display *display;
  struct wl_event_queue *queue;
  /// The program's surface, for requests whose answers go to the queue above.
  struct wl_surface *surface;
  /// What was asked and not answered.
  struct wl_callback *asked;
  bool has_come;
  /// ms on the compositor's clock, without the upper bits.
  uint32_t time;
};

static inline void wayland_frame_done(void *data, struct wl_callback *callback, uint32_t time) {
  struct wayland_link *link = data;
  wl_callback_destroy(callback);
  link->asked = NULL;
  link->has_come = true;
  link->time = time;
}

static const struct wl_callback_listener wayland_frame_listener = {.done = wayland_frame_done};

static inline void wayland_link_free(struct wayland_link *link) {
  if (link->asked) wl_callback_destroy(link->asked);
  if (link->surface) wl_proxy_wrapper_destroy(link->surface);
  if (link->queue) wl_event_queue_destroy(link->queue);
  free(link);
}

/// NULL if there is no memory.
static inline struct wayland_link *wayland_link_make(struct wl_display *display, struct wl_surface *surface) {
  struct wayland_link *link = calloc(1, sizeof *link);
  if (!link) return NULL;
  link->display = display;
  link->queue = wl_display_create_queue(display);
  link->surface = wl_proxy_create_wrapper(surface);
  if (!link->queue || !link->surface) {
    wayland_link_free(link);
    return NULL;
  }
  wl_proxy_set_queue((struct wl_proxy *)link->surface, link->queue);
  return link;
}

/// Asks for the next frame, if that was not asked. The question is part of the surface's next state: the commit makes it so.
static inline bool wayland_link_ask(struct wayland_link *link) {
  if (link->asked) return true;
  link->asked = wl_surface_frame(link->surface);
  if (!link->asked) return false;
  wl_callback_add_listener(link->asked, &wayland_frame_listener, link);
  wl_surface_commit(link->surface);
  wl_display_flush(link->display);
  return true;
}

/// Dispatches what has come for a queue; NULL is the display's own. False if the connection is lost.
static inline bool wayland_dispatch(struct wl_display *display, struct wl_event_queue *queue) {
  int count = queue ? wl_display_dispatch_queue_pending(display, queue) : wl_display_dispatch_pending(display);
  // What did not fit into the socket is sent on with the next flush.
  wl_display_flush(display);
  return count >= 0 && wl_display_get_error(display) == 0;
}

/// Reads what waits, for all queues, and dispatches what is for this one. The descriptor has to be readable: otherwise another
/// thread that reads may be waited for.
static inline bool wayland_read(struct wl_display *display, struct wl_event_queue *queue) {
  while ((queue ? wl_display_prepare_read_queue(display, queue) : wl_display_prepare_read(display)) != 0) {
    if (!wayland_dispatch(display, queue)) return false;
  }
  return wl_display_read_events(display) == 0 && wayland_dispatch(display, queue);
}

// How many frames the outputs show.

struct wayland_outputs {
  struct wl_output *outputs[16];
  int count;
  uint64_t millihertz;
};

static inline void wayland_output_geometry(void *data, struct wl_output *output, int32_t x, int32_t y,
                                           int32_t width, int32_t height, int32_t subpixel, const char *make,
                                           const char *model, int32_t transform) {}

static inline void wayland_output_mode(void *data, struct wl_output *output, uint32_t flags, int32_t width,
                                       int32_t height, int32_t refresh) {
  struct wayland_outputs *outputs = data;
  bool is_faster = refresh > 0 && (uint64_t)refresh > outputs->millihertz;
  if ((flags & WL_OUTPUT_MODE_CURRENT) && is_faster) outputs->millihertz = (uint64_t)refresh;
}

/// All that there is in the first version, which is asked for.
static const struct wl_output_listener wayland_output_listener = {
    .geometry = wayland_output_geometry, .mode = wayland_output_mode};

static inline void wayland_global_came(
    void *data, struct wl_registry *registry, uint32_t name, const char *interface, uint32_t version) {
  struct wayland_outputs *outputs = data;
  if (strcmp(interface, wl_output_interface.name) != 0 || outputs->count == 16) return;
  struct wl_output *output = wl_registry_bind(registry, name, &wl_output_interface, 1);
  if (!output) return;
  outputs->outputs[outputs->count++] = output;
  wl_output_add_listener(output, &wayland_output_listener, outputs);
}

static inline void wayland_global_went(void *data, struct wl_registry *registry, uint32_t name) {}

static const struct wl_registry_listener wayland_registry_listener = {
    .global = wayland_global_came, .global_remove = wayland_global_went};

/// Frames in a thousand seconds of the fastest output; 0 if that is not known. Waits for the compositor's answers.
static inline uint64_t wayland_outputs_millihertz(struct wayland_link *link) {
  struct wl_display *display = wl_proxy_create_wrapper(link->display);
  if (!display) return 0;
  wl_proxy_set_queue((struct wl_proxy *)display, link->queue);
  struct wl_registry *registry = wl_display_get_registry(display);
  wl_proxy_wrapper_destroy(display);
  if (!registry) return 0;
  struct wayland_outputs outputs = {.count = 0};
  wl_registry_add_listener(registry, &wayland_registry_listener, &outputs);
  // Once for what there is, and once for what that says of itself.
  if (wl_display_roundtrip_queue(link->display, link->queue) >= 0) {
    wl_display_roundtrip_queue(link->display, link->queue);
  }
  for (int index = 0; index < outputs.count; index++) wl_output_destroy(outputs.outputs[index]);
  wl_registry_destroy(registry);
  return outputs.millihertz;
}
