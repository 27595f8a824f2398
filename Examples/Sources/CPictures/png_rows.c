#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "rows.h"

struct png_rows {
  struct ms_rows base;
  png_structp decoder;
  png_infop info;
  const uint8_t *next_byte;
  size_t left;
  char *message;
  /// Interlaced pictures come in several passes over all rows, and are kept meanwhile.
  uint8_t *kept;
  int passes;
  uint32_t row;
};

static void fail(png_structp decoder, png_const_charp text) {
  struct png_rows *rows = png_get_error_ptr(decoder);
  snprintf(rows->message, MS_MESSAGE_SIZE, "%s", text);
  png_longjmp(decoder, 1);
}

static void stay_silent(png_structp decoder, png_const_charp text) {
  (void)decoder;
  (void)text;
}

static void take(png_structp decoder, png_bytep bytes, size_t count) {
  struct png_rows *rows = png_get_io_ptr(decoder);
  if (count > rows->left) png_error(decoder, "it ends too early");
  memcpy(bytes, rows->next_byte, count);
  rows->next_byte += count;
  rows->left -= count;
}

/// What is transparent lies on white. May leave by longjmp.
static void settle_colors(struct png_rows *rows) {
  const png_color_16 white = {.red = 255, .green = 255, .blue = 255, .gray = 255};
  png_set_expand(rows->decoder);
  png_set_scale_16(rows->decoder);
  png_set_gray_to_rgb(rows->decoder);
  if (png_get_color_type(rows->decoder, rows->info) & PNG_COLOR_MASK_ALPHA ||
      png_get_valid(rows->decoder, rows->info, PNG_INFO_tRNS)) {
    png_set_background(rows->decoder, &white, PNG_BACKGROUND_GAMMA_SCREEN, 0, 1);
  }
}

/// May leave by longjmp.
static void begin(struct png_rows *rows) {
  png_set_read_fn(rows->decoder, rows, take);
  png_set_user_limits(rows->decoder, 1000000, 1000000);
  png_read_info(rows->decoder, rows->info);
  uint32_t width = png_get_image_width(rows->decoder, rows->info);
  uint32_t height = png_get_image_height(rows->decoder, rows->info);
  if ((uint64_t)width * height > MS_PIXELS_MAX) png_error(rows->decoder, "too many pixels");
  settle_colors(rows);
  rows->passes = png_set_interlace_handling(rows->decoder);
  png_read_update_info(rows->decoder, rows->info);
  if (png_get_rowbytes(rows->decoder, rows->info) != (size_t)width * 3) {
    png_error(rows->decoder, "its colours cannot be told");
  }
  if (rows->passes > 1) rows->kept = calloc(height, (size_t)width * 3);
  if (rows->passes > 1 && rows->kept == NULL) png_error(rows->decoder, "no memory");
  rows->base.width = width;
  rows->base.height = height;
}

/// May leave by longjmp.
static int step(struct png_rows *rows, uint8_t *row) {
  if (rows->row == rows->base.height) png_error(rows->decoder, "there are no more rows");
  size_t stride = (size_t)rows->base.width * 3;
  uint8_t *target = rows->kept ? rows->kept + stride * rows->row : row;
  png_read_row(rows->decoder, target, NULL);
  rows->row++;
  if (rows->passes == 1) {
    if (rows->kept) memcpy(row, target, stride);
    return 1;
  }
  if (rows->row == rows->base.height) {
    rows->passes--;
    rows->row = 0;
  }
  return 0;
}

static int next(struct ms_rows *base, uint8_t *row, char message[MS_MESSAGE_SIZE]) {
  struct png_rows *rows = (struct png_rows *)base;
  rows->message = message;
  if (setjmp(png_jmpbuf(rows->decoder)) != 0) return -1;
  return step(rows, row);
}

static void close_rows(struct ms_rows *base) {
  struct png_rows *rows = (struct png_rows *)base;
  png_destroy_read_struct(&rows->decoder, &rows->info, NULL);
  free(rows->kept);
  free(rows);
}

struct ms_rows *ms_png_rows_open(const uint8_t *bytes, size_t count, char message[MS_MESSAGE_SIZE]) {
  struct png_rows *rows = calloc(1, sizeof *rows);
  snprintf(message, MS_MESSAGE_SIZE, "no memory");
  if (rows == NULL) return NULL;
  rows->base.next = next;
  rows->base.close = close_rows;
  rows->next_byte = bytes;
  rows->left = count;
  rows->message = message;
  rows->decoder = png_create_read_struct(PNG_LIBPNG_VER_STRING, rows, fail, stay_silent);
  rows->info = rows->decoder ? png_create_info_struct(rows->decoder) : NULL;
  if (rows->info && setjmp(png_jmpbuf(rows->decoder)) == 0) {
    begin(rows);
    return &rows->base;
  }
  close_rows(&rows->base);
  return NULL;
}
