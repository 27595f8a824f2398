#include "jpeg.h"

#include <stdlib.h>
#include <string.h>

#include <jerror.h>

static void fail(j_common_ptr codec) {
  struct failure *failure = (struct failure *)codec->err;
  char text[JMSG_LENGTH_MAX];
  failure->base.format_message(codec, text);
  snprintf(failure->message, MS_MESSAGE_SIZE, "%s", text);
  longjmp(failure->recovery, 1);
}

static void stay_silent(j_common_ptr codec) { (void)codec; }

/// libjpeg paints over what is missing and warns. A picture with grey where its lower half should be is
/// no picture: the warnings that mean lost data are errors here, the others are not.
static void heed_warning(j_common_ptr codec, int level) {
  if (level >= 0) return;
  switch (codec->err->msg_code) {
  case JWRN_JPEG_EOF:
  case JWRN_HIT_MARKER:
  case JWRN_HUFF_BAD_CODE:
  case JWRN_MUST_RESYNC:
  case JWRN_ARITH_BAD_CODE:
  case JWRN_BOGUS_PROGRESSION:
    fail(codec);
  default:
    break;
  }
}

void ms_jpeg_limit_scans(j_common_ptr codec) {
  enum { SCANS_MAX = 100 };
  if (codec->is_decompressor && ((j_decompress_ptr)codec)->input_scan_number > SCANS_MAX) {
    struct failure *failure = (struct failure *)codec->err;
    snprintf(failure->message, MS_MESSAGE_SIZE, "more than %d scans", SCANS_MAX);
    longjmp(failure->recovery, 1);
  }
}

struct jpeg_error_mgr *ms_jpeg_prepare(struct failure *failure, char *message) {
  jpeg_std_error(&failure->base);
  failure->base.error_exit = fail;
  failure->base.output_message = stay_silent;
  failure->base.emit_message = heed_warning;
  failure->message = message;
  return &failure->base;
}

int ms_jpeg_read_header(j_decompress_ptr decoder, const uint8_t *bytes, size_t count, uint32_t denominator,
                        char *message) {
  jpeg_mem_src(decoder, bytes, count);
  jpeg_read_header(decoder, TRUE);
  if ((uint64_t)decoder->image_width * decoder->image_height > MS_PIXELS_MAX) {
    snprintf(message, MS_MESSAGE_SIZE, "%u x %u pixels are too many", decoder->image_width,
             decoder->image_height);
    return -1;
  }
  decoder->scale_num = 1;
  decoder->scale_denom = denominator;
  decoder->out_color_space = JCS_RGB;
  jpeg_calc_output_dimensions(decoder);
  return 0;
}

int ms_jpeg_size(const uint8_t *bytes, size_t count, uint32_t denominator, uint32_t *width,
                 uint32_t *height, char message[MS_MESSAGE_SIZE]) {
  struct jpeg_decompress_struct decoder;
  struct failure failure;
  memset(&decoder, 0, sizeof decoder);
  decoder.err = ms_jpeg_prepare(&failure, message);
  if (setjmp(failure.recovery) != 0) {
    jpeg_destroy_decompress(&decoder);
    return -1;
  }
  jpeg_create_decompress(&decoder);
  int result = ms_jpeg_read_header(&decoder, bytes, count, denominator, message);
  *width = decoder.output_width;
  *height = decoder.output_height;
  jpeg_destroy_decompress(&decoder);
  return result;
}

/// Decodes all rows. May leave by longjmp.
static int read_rows(j_decompress_ptr decoder, uint8_t *pixels, size_t capacity, char *message) {
  jpeg_start_decompress(decoder);
  size_t stride = (size_t)decoder->output_width * 3;
  if (decoder->output_components != 3 || stride * decoder->output_height != capacity) {
    snprintf(message, MS_MESSAGE_SIZE, "the size differs from the header's");
    return -1;
  }
  while (decoder->output_scanline < decoder->output_height) {
    JSAMPROW row = pixels + stride * decoder->output_scanline;
    jpeg_read_scanlines(decoder, &row, 1);
  }
  jpeg_finish_decompress(decoder);
  return 0;
}

int ms_jpeg_decode(const uint8_t *bytes, size_t count, uint32_t denominator, uint8_t *pixels,
                   size_t capacity, char message[MS_MESSAGE_SIZE]) {
  struct jpeg_decompress_struct decoder;
  struct jpeg_progress_mgr progress;
  struct failure failure;
  memset(&decoder, 0, sizeof decoder);
  memset(&progress, 0, sizeof progress);
  decoder.err = ms_jpeg_prepare(&failure, message);
  if (setjmp(failure.recovery) != 0) {
    jpeg_destroy_decompress(&decoder);
    return -1;
  }
  jpeg_create_decompress(&decoder);
  progress.progress_monitor = ms_jpeg_limit_scans;
  decoder.progress = &progress;
  int result = ms_jpeg_read_header(&decoder, bytes, count, denominator, message);
  if (result == 0) result = read_rows(&decoder, pixels, capacity, message);
  jpeg_destroy_decompress(&decoder);
  return result;
}

/// What an encoder in the making owns; reached by pointer, so that its values survive a longjmp.
struct encoding {
  struct jpeg_compress_struct encoder;
  struct failure failure;
  unsigned char *bytes;
  unsigned long count;
};

/// Encodes all rows. May leave by longjmp.
static void write_rows(struct encoding *encoding, const uint8_t *pixels, uint32_t width, uint32_t height,
                       int quality) {
  j_compress_ptr encoder = &encoding->encoder;
  jpeg_mem_dest(encoder, &encoding->bytes, &encoding->count);
  encoder->image_width = width;
  encoder->image_height = height;
  encoder->input_components = 3;
  encoder->in_color_space = JCS_RGB;
  jpeg_set_defaults(encoder);
  jpeg_set_quality(encoder, quality, TRUE);
  jpeg_start_compress(encoder, TRUE);
  while (encoder->next_scanline < height) {
    // libjpeg's parameter lacks a const; it only reads.
    JSAMPROW row = (JSAMPROW)(pixels + (size_t)width * 3 * encoder->next_scanline);
    jpeg_write_scanlines(encoder, &row, 1);
  }
  jpeg_finish_compress(encoder);
}

int ms_jpeg_encode(const uint8_t *pixels, uint32_t width, uint32_t height, int quality, uint8_t **bytes,
                   size_t *count, char message[MS_MESSAGE_SIZE]) {
  struct encoding *encoding = calloc(1, sizeof *encoding);
  if (encoding == NULL) {
    snprintf(message, MS_MESSAGE_SIZE, "no memory");
    return -1;
  }
  int result = -1;
  encoding->encoder.err = ms_jpeg_prepare(&encoding->failure, message);
  if (setjmp(encoding->failure.recovery) == 0) {
    jpeg_create_compress(&encoding->encoder);
    write_rows(encoding, pixels, width, height, quality);
    *bytes = encoding->bytes;
    *count = encoding->count;
    encoding->bytes = NULL;
    result = 0;
    jpeg_destroy_compress(&encoding->encoder);
  } else {
    // `bytes` may be a buffer that has been outgrown and freed; the destination knows the present one.
    struct jpeg_destination_mgr *destination = encoding->encoder.dest;
    if (destination != NULL) destination->term_destination(&encoding->encoder);
    jpeg_destroy_compress(&encoding->encoder);
    free(encoding->bytes);
  }
  free(encoding);
  return result;
}
