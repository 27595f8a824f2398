#pragma once
#include "CPictures.h"

/// What reads one format row by row.
struct ms_rows {
  /// As `ms_rows_next`.
  int (*next)(struct ms_rows *rows, uint8_t *row, char message[MS_MESSAGE_SIZE]);
  /// Frees the reader.
  void (*close)(struct ms_rows *rows);
  uint32_t width, height;
};

/// As `ms_rows_open`.
struct ms_rows *ms_jpeg_rows_open(const uint8_t *bytes, size_t count, uint32_t side, char message[MS_MESSAGE_SIZE]);
struct ms_rows *ms_png_rows_open(const uint8_t *bytes, size_t count, char message[MS_MESSAGE_SIZE]);
