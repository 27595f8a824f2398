#pragma once
#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

#include "CPictures.h"

/// libjpeg's error handler, with the place to go on at: libjpeg itself would end the process.
struct failure {
  struct jpeg_error_mgr base;
  jmp_buf recovery;
  char *message;
};

struct jpeg_error_mgr *ms_jpeg_prepare(struct failure *failure, char *message);

/// A few kilobytes of progressive JPEG can hold thousands of scans, each of which touches all pixels.
void ms_jpeg_limit_scans(j_common_ptr codec);

/// Reads the header and settles size and colours. May leave by longjmp.
int ms_jpeg_read_header(j_decompress_ptr decoder, const uint8_t *bytes, size_t count, uint32_t denominator,
                        char *message);
