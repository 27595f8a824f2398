#include <stdlib.h>
#include <string.h>
#include <xcb/xcb.h>

#include "canvas.h"

static struct ms_canvas *copy(xcb_connection_t *connection, const xcb_screen_t *screen) {
  int width = screen->width_in_pixels, height = screen->height_in_pixels;
  xcb_get_image_reply_t *image = xcb_get_image_reply(
      connection,
      xcb_get_image(connection, XCB_IMAGE_FORMAT_Z_PIXMAP, screen->root, 0, 0, (uint16_t)width, (uint16_t)height,
                    UINT32_MAX),
      NULL);
  if (!image) return NULL;
  struct ms_canvas *canvas = NULL;
  size_t row = (size_t)width * 4;
  // Depth 24 has four bytes a pixel nearly everywhere; the length tells.
  if (image->depth == 24 && (size_t)xcb_get_image_data_length(image) == row * height) {
    canvas = ms_canvas_make(width, height);
  }
  if (canvas) {
    cairo_surface_flush(canvas->surface);
    uint8_t *target = cairo_image_surface_get_data(canvas->surface);
    int stride = cairo_image_surface_get_stride(canvas->surface);
    for (int y = 0; y < height; y++) memcpy(target + (size_t)y * stride, xcb_get_image_data(image) + y * row, row);
    cairo_surface_mark_dirty(canvas->surface);
  }
  free(image);
  return canvas;
}

struct ms_canvas *ms_screen_copy(const char *display) {
  xcb_connection_t *connection = xcb_connect(display, NULL);
  struct ms_canvas *canvas = NULL;
  if (!xcb_connection_has_error(connection)) {
    canvas = copy(connection, xcb_setup_roots_iterator(xcb_get_setup(connection)).data);
  }
  xcb_disconnect(connection);
  return canvas;
}
