#include "canvas.h"

#include <math.h>
#include <stdlib.h>

static bool begin(struct ms_canvas *canvas) {
  canvas->cairo = cairo_create(canvas->surface);
  bool is_made = cairo_surface_status(canvas->surface) == CAIRO_STATUS_SUCCESS &&
                 cairo_status(canvas->cairo) == CAIRO_STATUS_SUCCESS;
  if (!is_made) ms_canvas_destroy(canvas);
  return is_made;
}

bool ms_canvas_init(struct ms_canvas *canvas, uint8_t *pixels, int width, int height) {
  canvas->surface = cairo_image_surface_create_for_data(pixels, CAIRO_FORMAT_RGB24, width, height, width * 4);
  return begin(canvas);
}

void ms_canvas_destroy(struct ms_canvas *canvas) {
  cairo_destroy(canvas->cairo);
  cairo_surface_destroy(canvas->surface);
}

struct ms_canvas *ms_canvas_make(int width, int height) {
  struct ms_canvas *canvas = malloc(sizeof *canvas);
  if (canvas == NULL) return NULL;
  canvas->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
  if (begin(canvas)) return canvas;
  free(canvas);
  return NULL;
}

void ms_canvas_free(struct ms_canvas *canvas) {
  if (canvas == NULL) return;
  ms_canvas_destroy(canvas);
  free(canvas);
}

static void set_color(cairo_t *cairo, uint32_t color) {
  cairo_set_source_rgba(cairo, (color >> 16 & 0xFF) / 255.0, (color >> 8 & 0xFF) / 255.0, (color & 0xFF) / 255.0,
                        (color >> 24) / 255.0);
}

static void outline(cairo_t *cairo, double x, double y, double width, double height, double radius) {
  if (radius <= 0) {
    cairo_rectangle(cairo, x, y, width, height);
    return;
  }
  double right = x + width, lower = y + height;
  cairo_new_sub_path(cairo);
  cairo_arc(cairo, right - radius, y + radius, radius, -M_PI / 2, 0);
  cairo_arc(cairo, right - radius, lower - radius, radius, 0, M_PI / 2);
  cairo_arc(cairo, x + radius, lower - radius, radius, M_PI / 2, M_PI);
  cairo_arc(cairo, x + radius, y + radius, radius, M_PI, 3 * M_PI / 2);
  cairo_close_path(cairo);
}

void ms_canvas_fill(struct ms_canvas *canvas, double x, double y, double width, double height, double radius,
                    uint32_t color) {
  set_color(canvas->cairo, color);
  outline(canvas->cairo, x, y, width, height, radius);
  cairo_fill(canvas->cairo);
}

void ms_canvas_clip(struct ms_canvas *canvas, double x, double y, double width, double height, double radius) {
  outline(canvas->cairo, x, y, width, height, radius);
  cairo_clip(canvas->cairo);
}

void ms_canvas_unclip(struct ms_canvas *canvas) { cairo_reset_clip(canvas->cairo); }

void ms_canvas_copy(struct ms_canvas *canvas, struct ms_canvas *other, double x, double y) {
  cairo_set_source_surface(canvas->cairo, other->surface, x, y);
  cairo_paint(canvas->cairo);
  // Not to hold on to it: it may be freed before the next call.
  cairo_set_source_rgb(canvas->cairo, 0, 0, 0);
}

static struct ms_canvas *canvas_of(const uint8_t *pixels, int width, int height) {
  struct ms_canvas *picture = ms_canvas_make(width, height);
  if (picture == NULL) return NULL;
  cairo_surface_flush(picture->surface);
  uint8_t *bytes = cairo_image_surface_get_data(picture->surface);
  int stride = cairo_image_surface_get_stride(picture->surface);
  for (int row = 0; row < height; row++) {
    uint32_t *target = (uint32_t *)(void *)(bytes + (size_t)row * stride);
    for (int column = 0; column < width; column++, pixels += 3) {
      target[column] = (uint32_t)pixels[0] << 16 | (uint32_t)pixels[1] << 8 | pixels[2];
    }
  }
  cairo_surface_mark_dirty(picture->surface);
  return picture;
}

bool ms_canvas_picture(struct ms_canvas *canvas, const uint8_t *pixels, int width, int height, double x, double y,
                       double side) {
  struct ms_canvas *picture = canvas_of(pixels, width, height);
  if (picture == NULL) return false;
  double scale = fmin(1, side / (width > height ? width : height));
  cairo_save(canvas->cairo);
  cairo_translate(canvas->cairo, round(x + (side - width * scale) / 2), round(y + (side - height * scale) / 2));
  cairo_scale(canvas->cairo, scale, scale);
  cairo_set_source_surface(canvas->cairo, picture->surface, 0, 0);
  cairo_rectangle(canvas->cairo, 0, 0, width, height);
  cairo_fill(canvas->cairo);
  cairo_restore(canvas->cairo);
  cairo_set_source_rgb(canvas->cairo, 0, 0, 0);
  ms_canvas_free(picture);
  return true;
}

uint32_t ms_canvas_color(struct ms_canvas *canvas, int x, int y) {
  cairo_surface_flush(canvas->surface);
  const uint8_t *bytes = cairo_image_surface_get_data(canvas->surface);
  int stride = cairo_image_surface_get_stride(canvas->surface);
  if (x < 0 || y < 0 || x >= cairo_image_surface_get_width(canvas->surface) ||
      y >= cairo_image_surface_get_height(canvas->surface)) {
    return 0;
  }
  return *(const uint32_t *)(const void *)(bytes + (size_t)y * stride + (size_t)x * 4) & 0xFFFFFF;
}

bool ms_canvas_write(struct ms_canvas *canvas, const char *path) {
  return cairo_surface_write_to_png(canvas->surface, path) == CAIRO_STATUS_SUCCESS;
}

static void set_font(cairo_t *cairo, double size, enum ms_weight weight) {
  cairo_select_font_face(cairo, weight == ms_weight_mono ? "DejaVu Sans Mono" : "DejaVu Sans",
                         CAIRO_FONT_SLANT_NORMAL,
                         weight == ms_weight_bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(cairo, size);
}

void ms_canvas_text(struct ms_canvas *canvas, double x, double y, double size, enum ms_weight weight,
                    uint32_t color, const char *text) {
  set_font(canvas->cairo, size, weight);
  set_color(canvas->cairo, color);
  cairo_move_to(canvas->cairo, x, y);
  cairo_show_text(canvas->cairo, text);
}

double ms_canvas_text_width(struct ms_canvas *canvas, double size, enum ms_weight weight, const char *text) {
  set_font(canvas->cairo, size, weight);
  cairo_text_extents_t extents;
  cairo_text_extents(canvas->cairo, text, &extents);
  return extents.x_advance;
}
