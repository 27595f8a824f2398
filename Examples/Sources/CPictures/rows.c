#include "rows.h"

#include <stdio.h>

struct ms_rows *ms_rows_open(const uint8_t *bytes, size_t count, bool is_jpeg, uint32_t side, uint32_t *width,
                             uint32_t *height, char message[MS_MESSAGE_SIZE]) {
  struct ms_rows *rows =
      is_jpeg ? ms_jpeg_rows_open(bytes, count, side, message) : ms_png_rows_open(bytes, count, message);
  if (rows == NULL) return NULL;
  *width = rows->width;
  *height = rows->height;
  return rows;
}

int ms_rows_next(struct ms_rows *rows, uint8_t *row, size_t capacity, char message[MS_MESSAGE_SIZE]) {
  if (capacity != (size_t)rows->width * 3) {
    snprintf(message, MS_MESSAGE_SIZE, "a row is %u pixels wide", rows->width);
    return -1;
  }
  return rows->next(rows, row, message);
}

void ms_rows_close(struct ms_rows *rows) { rows->close(rows); }

void ms_rows_add(const uint8_t *row, uint32_t width, uint32_t factor, uint32_t *sums) {
  for (uint32_t pixel = 0; pixel < width / factor; pixel++, sums += 3) {
    for (uint32_t each = 0; each < factor; each++, row += 3) {
      sums[0] += row[0];
      sums[1] += row[1];
      sums[2] += row[2];
    }
  }
}
