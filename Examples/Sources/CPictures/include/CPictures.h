#ifndef CPICTURES_H
#define CPICTURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Pictures in memory, by libjpeg-turbo and libpng, which may get hostile bytes: every error comes back as
/// a text in the caller's buffer and never ends the process. Any thread; nothing is kept between calls.
///
/// Pixels are three bytes, red, green and blue, row after row without padding.

/// The room for an error's text, its end included.
enum { MS_MESSAGE_SIZE = 200 };

/// The most pixels a picture may have: 64 Mi, so 192 MiB of memory.
enum { MS_PIXELS_MAX = 64 * 1024 * 1024 };

/// The size in pixels of a JPEG picture decoded at 1/denominator (1, 2, 4 or 8), from its header alone.
/// Returns 0, or -1 with a text in `message`.
int ms_jpeg_size(const uint8_t *bytes, size_t count, uint32_t denominator, uint32_t *width,
                 uint32_t *height, char message[MS_MESSAGE_SIZE]);

/// Decodes a JPEG picture at 1/denominator into `pixels`, whose `capacity` must be what the size says.
/// A truncated or damaged picture is an error. Returns 0, or -1 with a text in `message`.
int ms_jpeg_decode(const uint8_t *bytes, size_t count, uint32_t denominator, uint8_t *pixels,
                   size_t capacity, char message[MS_MESSAGE_SIZE]);

/// Encodes pixels as JPEG of a quality from 1 to 100. The caller frees `*bytes`.
/// Returns 0, or -1 with a text in `message`; then there is nothing to free.
int ms_jpeg_encode(const uint8_t *pixels, uint32_t width, uint32_t height, int quality, uint8_t **bytes,
                   size_t *count, char message[MS_MESSAGE_SIZE]);

/// The size in pixels of a PNG picture, from its header alone.
/// Returns 0, or -1 with a text in `message`.
int ms_png_size(const uint8_t *bytes, size_t count, uint32_t *width, uint32_t *height,
                char message[MS_MESSAGE_SIZE]);

/// Decodes a PNG picture of any kind into `pixels`, whose `capacity` must be what the size says;
/// what is transparent lies on white. Returns 0, or -1 with a text in `message`.
int ms_png_decode(const uint8_t *bytes, size_t count, uint8_t *pixels, size_t capacity,
                  char message[MS_MESSAGE_SIZE]);

/// A picture that is read row by row, for who has other things to do in between. One thread at a time.
struct ms_rows;

/// Begins to read a picture: PNG as it is, JPEG at 1/2, 1/4 or 1/8 if the longer side has at least `side` pixels
/// then. The bytes have to stay until it is closed.
/// Returns NULL with a text in `message` on an error.
struct ms_rows *ms_rows_open(const uint8_t *bytes, size_t count, bool is_jpeg, uint32_t side,
                             uint32_t *width, uint32_t *height, char message[MS_MESSAGE_SIZE]);

/// Goes one step on. Returns 1 if a row was written to `row`, from the top down, 0 if there is none yet, and
/// -1 with a text in `message` on an error; then the reader is of no more use.
int ms_rows_next(struct ms_rows *rows, uint8_t *row, size_t capacity, char message[MS_MESSAGE_SIZE]);

/// Adds a row of `width` pixels to sums of `factor` pixels each, three a pixel; what is left over at the right is left out.
void ms_rows_add(const uint8_t *row, uint32_t width, uint32_t factor, uint32_t *sums);

/// Ends it.
void ms_rows_close(struct ms_rows *rows);

#endif
