#include "CPictures.h"

#include <stdio.h>
#include <string.h>

#include <png.h>

/// Reads the header by libpng's simplified interface, which catches libpng's own jumps.
/// After -1 there is nothing to free.
static int begin(png_image *image, const uint8_t *bytes, size_t count, char *message) {
  memset(image, 0, sizeof *image);
  image->version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_memory(image, bytes, count)) {
    snprintf(message, MS_MESSAGE_SIZE, "%s", image->message);
    return -1;
  }
  if ((uint64_t)image->width * image->height > MS_PIXELS_MAX) {
    snprintf(message, MS_MESSAGE_SIZE, "%u x %u pixels are too many", image->width, image->height);
    png_image_free(image);
    return -1;
  }
  return 0;
}

int ms_png_size(const uint8_t *bytes, size_t count, uint32_t *width, uint32_t *height,
                char message[MS_MESSAGE_SIZE]) {
  png_image image;
  if (begin(&image, bytes, count, message) != 0) return -1;
  *width = image.width;
  *height = image.height;
  png_image_free(&image);
  return 0;
}

int ms_png_decode(const uint8_t *bytes, size_t count, uint8_t *pixels, size_t capacity,
                  char message[MS_MESSAGE_SIZE]) {
  png_image image;
  if (begin(&image, bytes, count, message) != 0) return -1;
  image.format = PNG_FORMAT_RGB;
  // Without it, pictures of 16 bits that do not tell their gamma are taken for linear and come out too bright.
  image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
  if (PNG_IMAGE_SIZE(image) != capacity) {
    snprintf(message, MS_MESSAGE_SIZE, "the size differs from the header's");
    png_image_free(&image);
    return -1;
  }
  const png_color white = {255, 255, 255};
  if (!png_image_finish_read(&image, &white, pixels, 0, NULL)) {
    snprintf(message, MS_MESSAGE_SIZE, "%s", image.message);
    png_image_free(&image);
    return -1;
  }
  png_image_free(&image);
  return 0;
}
