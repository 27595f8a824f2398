#pragma once
#include <stdint.h>

// What the bridge needs of GLib, declared here: where GLib's own headers are, only pkg-config knows
// (Docs/Decisions/0017-glib-by-its-interface.md). All of it is GLib's stable interface, the same since 2.36.

typedef struct _GMainContext GMainContext;
typedef struct _GSource GSource;

/// As of <poll.h>: a descriptor, what it is watched for, and what was found.
struct glib_poll {
  int fd;
  unsigned short events;
  unsigned short revents;
};

/// As GSourceFunc: false ends the source.
typedef int (*glib_call)(void *data);
typedef void (*glib_free)(void *data);
/// As GUnixFDSourceFunc: false ends the source.
typedef int (*glib_descriptor_call)(int descriptor, unsigned condition, void *data);

GMainContext *g_main_context_default(void);
GMainContext *g_main_context_new(void);
GMainContext *g_main_context_ref(GMainContext *context);
void g_main_context_unref(GMainContext *context);
int g_main_context_acquire(GMainContext *context);
void g_main_context_release(GMainContext *context);
int g_main_context_prepare(GMainContext *context, int *priority);
int g_main_context_query(GMainContext *context, int priority, int *timeout, struct glib_poll *polled, int count);
int g_main_context_check(GMainContext *context, int priority, struct glib_poll *polled, int count);
void g_main_context_dispatch(GMainContext *context);
int g_main_context_iteration(GMainContext *context, int may_block);
void g_main_context_wakeup(GMainContext *context);

GSource *g_unix_fd_source_new(int descriptor, unsigned condition);
GSource *g_timeout_source_new(unsigned milliseconds);
GSource *g_idle_source_new(void);
void g_source_set_callback(GSource *source, glib_call call, void *data, glib_free free);
void g_source_set_priority(GSource *source, int priority);
void g_source_set_can_recurse(GSource *source, int can_recurse);
unsigned g_source_attach(GSource *source, GMainContext *context);
void g_source_destroy(GSource *source);
void g_source_unref(GSource *source);

/// For a source of a descriptor, whose call has other arguments than GLib's declaration says.
static inline void glib_set_descriptor_call(
    GSource *source, glib_descriptor_call call, void *data, glib_free free) {
  g_source_set_callback(source, (glib_call)(void (*)(void))call, data, free);
}
