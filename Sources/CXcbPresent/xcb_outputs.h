#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <xcb/randr.h>
#include <xcb/xcb.h>

// Which output shows a window, and how many frames that shows, as the server's extension RANDR has it.

struct xcb_output_area {
  int left, top, right, bottom;
};

/// The number of the extension's first event; 0 if the server does not have it, or an old one. Has the root window tell of
/// changes.
static inline uint8_t xcb_outputs_listen(xcb_connection_t *connection, xcb_window_t root) {
  const xcb_query_extension_reply_t *extension = xcb_get_extension_data(connection, &xcb_randr_id);
  if (!extension || !extension->present) return 0;
  xcb_randr_query_version_reply_t *version =
      xcb_randr_query_version_reply(connection, xcb_randr_query_version(connection, 1, 3), NULL);
  bool is_spoken = version && (version->major_version > 1 || version->minor_version >= 3);
  free(version);
  if (!is_spoken) return 0;
  xcb_randr_select_input(connection, root,
                         XCB_RANDR_NOTIFY_MASK_SCREEN_CHANGE | XCB_RANDR_NOTIFY_MASK_CRTC_CHANGE);
  return extension->first_event;
}

/// Whether it tells of a change of the outputs.
static inline bool xcb_outputs_changed(uint8_t first_event, uint8_t response_type) {
  int event = (response_type & 0x7f) - first_event;
  return first_event != 0 && (event == XCB_RANDR_SCREEN_CHANGE_NOTIFY || event == XCB_RANDR_NOTIFY);
}

/// Where a window is on the screen of its root window.
static inline bool xcb_window_area(
    xcb_connection_t *connection, xcb_window_t window, xcb_window_t root, struct xcb_output_area *area) {
  xcb_get_geometry_reply_t *size =
      xcb_get_geometry_reply(connection, xcb_get_geometry(connection, window), NULL);
  xcb_translate_coordinates_reply_t *place = xcb_translate_coordinates_reply(
      connection, xcb_translate_coordinates(connection, window, root, 0, 0), NULL);
  bool is_known = size && place;
  if (is_known) {
    *area = (struct xcb_output_area){place->dst_x, place->dst_y, place->dst_x + size->width,
                                     place->dst_y + size->height};
  }
  free(size);
  free(place);
  return is_known;
}

static inline long xcb_area_shared(struct xcb_output_area a, struct xcb_output_area b) {
  int left = a.left > b.left ? a.left : b.left, right = a.right < b.right ? a.right : b.right;
  int top = a.top > b.top ? a.top : b.top, bottom = a.bottom < b.bottom ? a.bottom : b.bottom;
  return left < right && top < bottom ? (long)(right - left) * (bottom - top) : 0;
}

/// Frames in a thousand seconds of a mode; 0 if the server does not say.
static inline uint64_t xcb_mode_millihertz(
    const xcb_randr_get_screen_resources_current_reply_t *resources, xcb_randr_mode_t mode) {
  xcb_randr_mode_info_iterator_t modes = xcb_randr_get_screen_resources_current_modes_iterator(resources);
  for (; modes.rem > 0; xcb_randr_mode_info_next(&modes)) {
    const xcb_randr_mode_info_t *info = modes.data;
    if (info->id != mode) continue;
    uint64_t pixels = (uint64_t)info->htotal * info->vtotal;
    if (info->mode_flags & XCB_RANDR_MODE_FLAG_DOUBLE_SCAN) pixels *= 2;
    uint64_t clock = (uint64_t)info->dot_clock * (info->mode_flags & XCB_RANDR_MODE_FLAG_INTERLACE ? 2 : 1);
    return pixels ? (clock * 1000 + pixels / 2) / pixels : 0;
  }
  return 0;
}

/// Frames in a thousand seconds of the output that shows most of the window; 0 if that is not known.
static inline uint64_t xcb_outputs_millihertz(
    xcb_connection_t *connection, xcb_window_t window, xcb_window_t root) {
  struct xcb_output_area area;
  if (!xcb_window_area(connection, window, root, &area)) return 0;
  xcb_randr_get_screen_resources_current_reply_t *resources = xcb_randr_get_screen_resources_current_reply(
      connection, xcb_randr_get_screen_resources_current(connection, root), NULL);
  if (!resources) return 0;
  const xcb_randr_crtc_t *crtcs = xcb_randr_get_screen_resources_current_crtcs(resources);
  long most = 0;
  uint64_t millihertz = 0;
  for (int index = 0; index < resources->num_crtcs; index++) {
    xcb_randr_get_crtc_info_reply_t *crtc = xcb_randr_get_crtc_info_reply(
        connection, xcb_randr_get_crtc_info(connection, crtcs[index], resources->config_timestamp), NULL);
    if (crtc && crtc->mode != 0) {
      struct xcb_output_area shown = {crtc->x, crtc->y, crtc->x + crtc->width, crtc->y + crtc->height};
      long shared = xcb_area_shared(area, shown);
      if (shared > most) {
        most = shared;
        millihertz = xcb_mode_millihertz(resources, crtc->mode);
      }
    }
    free(crtc);
  }
  free(resources);
  return millihertz;
}
