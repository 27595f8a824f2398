#pragma once

// What the program needs of GTK 4, declared here: where GTK's headers are, only pkg-config knows.

typedef struct _GtkWidget GtkWidget;
typedef struct _cairo cairo_t;
typedef void (*gtk_draw_call)(GtkWidget *area, cairo_t *cairo, int width, int height, void *data);
typedef int (*gtk_tick_call)(GtkWidget *widget, void *clock, void *data);

int gtk_init_check(void);
GtkWidget *gtk_window_new(void);
void gtk_window_set_default_size(GtkWidget *window, int width, int height);
void gtk_window_set_child(GtkWidget *window, GtkWidget *child);
void gtk_window_present(GtkWidget *window);
void gtk_window_destroy(GtkWidget *window);
GtkWidget *gtk_drawing_area_new(void);
void gtk_drawing_area_set_draw_func(GtkWidget *area, gtk_draw_call call, void *data, void (*free)(void *));
void gtk_widget_queue_draw(GtkWidget *widget);
unsigned gtk_widget_add_tick_callback(GtkWidget *widget, gtk_tick_call call, void *data, void (*free)(void *));
void cairo_set_source_rgb(cairo_t *cairo, double red, double green, double blue);
void cairo_paint(cairo_t *cairo);
typedef int (*glib_poll_call)(void *polled, unsigned count, int timeout);
void g_main_context_set_poll_func(void *context, glib_poll_call call);
int g_main_context_iteration(void *context, int may_block);
