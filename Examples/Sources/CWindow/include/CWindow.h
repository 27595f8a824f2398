#ifndef CWINDOW_H
#define CWINDOW_H

#include <stdbool.h>
#include <stdint.h>

/// A window of an X server and what is drawn in it, by xcb and cairo. One thread; nobody else uses the connection.

// MARK: a picture to draw on

/// Pixels with cairo's means to draw on them: 32 bits each, blue in the lowest byte.
struct ms_canvas;

/// A canvas with pixels of its own; NULL without memory.
struct ms_canvas *ms_canvas_make(int width, int height);
void ms_canvas_free(struct ms_canvas *canvas);

/// A rectangle in one colour, 0xAARRGGBB, with round corners of that radius.
void ms_canvas_fill(struct ms_canvas *canvas, double x, double y, double width, double height, double radius,
                    uint32_t color);
/// What is drawn from here on is seen within the rectangle alone, until `ms_canvas_unclip`.
void ms_canvas_clip(struct ms_canvas *canvas, double x, double y, double width, double height, double radius);
void ms_canvas_unclip(struct ms_canvas *canvas);
/// Another canvas, its upper left corner at that place.
void ms_canvas_copy(struct ms_canvas *canvas, struct ms_canvas *other, double x, double y);
enum ms_weight { ms_weight_normal, ms_weight_bold, ms_weight_mono };

/// A line of text whose base line begins at that place.
void ms_canvas_text(struct ms_canvas *canvas, double x, double y, double size, enum ms_weight weight,
                    uint32_t color, const char *text);
/// How wide it would be.
double ms_canvas_text_width(struct ms_canvas *canvas, double size, enum ms_weight weight, const char *text);

/// Pixels of three bytes, red, green and blue, row after row, drawn into the middle of a box, in their own proportions and not larger than they are; false without memory.
bool ms_canvas_picture(struct ms_canvas *canvas, const uint8_t *pixels, int width, int height, double x, double y,
                       double side);

/// The colour at a place, 0xRRGGBB.
uint32_t ms_canvas_color(struct ms_canvas *canvas, int x, int y);
/// Writes a PNG file; false if that cannot be.
bool ms_canvas_write(struct ms_canvas *canvas, const char *path);

// MARK: the window

struct ms_window;

/// Why there is no window.
enum ms_window_failure { ms_window_made, ms_window_no_display, ms_window_no_memory, ms_window_wrong_pixels };

/// Opens a window of a fixed size on the display that DISPLAY says.
struct ms_window *ms_window_open(int width, int height, const char *title, enum ms_window_failure *failure);
void ms_window_close(struct ms_window *window);

/// The server's number of it.
uint32_t ms_window_number(const struct ms_window *window);
/// Readable when the server has sent something.
int ms_window_descriptor(const struct ms_window *window);
/// Whether pictures go to the server through shared memory, not through the connection.
bool ms_window_is_shared(const struct ms_window *window);

/// A canvas of the window's size that the server does not read from now; NULL while it reads all of them.
struct ms_canvas *ms_window_canvas(struct ms_window *window);
/// Sends what was drawn on the canvas that `ms_window_canvas` gave last.
void ms_window_show(struct ms_window *window);

/// Waits until the server has done all that it was asked for.
void ms_window_wait(struct ms_window *window);

enum ms_event_kind {
  ms_event_none,
  ms_event_press,
  ms_event_release,
  ms_event_motion,
  ms_event_key,
  ms_event_exposed,
  /// The window is not on the screen any more, and a button that is held will not be told to have been let go.
  ms_event_hidden,
  ms_event_closed,
  ms_event_other,
};

struct ms_event {
  enum ms_event_kind kind;
  /// The button; the keysym of a key.
  uint32_t code;
  int x, y;
  /// The server's clock, ms.
  uint32_t time;
};

/// Takes the next event that has come; of kind none if there is none. Does not wait.
struct ms_event ms_window_next(struct ms_window *window);

// MARK: the screen

/// What a display's screen shows; NULL if there is no such display, or its pixels are of another kind.
struct ms_canvas *ms_screen_copy(const char *display);

#endif
