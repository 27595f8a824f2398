#pragma once
#include <cairo/cairo.h>

#include "CWindow.h"

struct ms_canvas {
  cairo_surface_t *surface;
  cairo_t *cairo;
};

/// A canvas over pixels that outlive it; false without memory.
bool ms_canvas_init(struct ms_canvas *canvas, uint8_t *pixels, int width, int height);
void ms_canvas_destroy(struct ms_canvas *canvas);
