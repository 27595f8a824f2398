#include <stdlib.h>
#include <string.h>

#include "jpeg.h"
#include "rows.h"

/// What a decoder in the making owns; reached by pointer, so that its values survive a longjmp.
struct jpeg_rows {
  struct ms_rows base;
  struct jpeg_decompress_struct decoder;
  struct jpeg_progress_mgr progress;
  struct failure failure;
  /// A progressive picture: all of it is taken in before the first row comes out.
  bool is_taken_in, is_begun;
};

/// One row, or one step on the way to it. May leave by longjmp.
static int step(struct jpeg_rows *rows, uint8_t *row) {
  j_decompress_ptr decoder = &rows->decoder;
  if (!rows->is_taken_in) {
    ms_jpeg_limit_scans((j_common_ptr)decoder);
    rows->is_taken_in = jpeg_consume_input(decoder) == JPEG_REACHED_EOI;
    return 0;
  }
  if (decoder->buffered_image && !rows->is_begun) {
    jpeg_start_output(decoder, decoder->input_scan_number);
    rows->is_begun = true;
    return 0;
  }
  if (decoder->output_scanline >= decoder->output_height) {
    snprintf(rows->failure.message, MS_MESSAGE_SIZE, "there are no more rows");
    return -1;
  }
  return (int)jpeg_read_scanlines(decoder, &row, 1);
}

static int next(struct ms_rows *base, uint8_t *row, char message[MS_MESSAGE_SIZE]) {
  struct jpeg_rows *rows = (struct jpeg_rows *)base;
  rows->failure.message = message;
  if (setjmp(rows->failure.recovery) != 0) return -1;
  return step(rows, row);
}

static void close_rows(struct ms_rows *base) {
  struct jpeg_rows *rows = (struct jpeg_rows *)base;
  jpeg_destroy_decompress(&rows->decoder);
  free(rows);
}

/// May leave by longjmp.
static int begin(struct jpeg_rows *rows, const uint8_t *bytes, size_t count, uint32_t side, char *message) {
  j_decompress_ptr decoder = &rows->decoder;
  jpeg_create_decompress(decoder);
  rows->progress.progress_monitor = ms_jpeg_limit_scans;
  decoder->progress = &rows->progress;
  if (ms_jpeg_read_header(decoder, bytes, count, 1, message) != 0) return -1;
  uint32_t longer = decoder->image_width > decoder->image_height ? decoder->image_width : decoder->image_height;
  decoder->scale_denom = 8;
  while (decoder->scale_denom > 1 && longer / decoder->scale_denom < side) decoder->scale_denom /= 2;
  decoder->buffered_image = jpeg_has_multiple_scans(decoder);
  rows->is_taken_in = !decoder->buffered_image;
  jpeg_start_decompress(decoder);
  rows->base.width = decoder->output_width;
  rows->base.height = decoder->output_height;
  if (decoder->output_components == 3) return 0;
  snprintf(message, MS_MESSAGE_SIZE, "its colours cannot be told");
  return -1;
}

struct ms_rows *ms_jpeg_rows_open(const uint8_t *bytes, size_t count, uint32_t side,
                                  char message[MS_MESSAGE_SIZE]) {
  struct jpeg_rows *rows = calloc(1, sizeof *rows);
  if (rows == NULL) {
    snprintf(message, MS_MESSAGE_SIZE, "no memory");
    return NULL;
  }
  rows->base.next = next;
  rows->base.close = close_rows;
  rows->decoder.err = ms_jpeg_prepare(&rows->failure, message);
  if (setjmp(rows->failure.recovery) == 0 && begin(rows, bytes, count, side, message) == 0) return &rows->base;
  close_rows(&rows->base);
  return NULL;
}
