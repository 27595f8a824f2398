#pragma once

// A program with a window on a compositor that has a fullscreen shell: a connection, and a surface with a picture.

struct wayland_client;

/// NULL if it cannot be had.
struct wayland_client *_Nullable wayland_client_open(const char *_Nonnull socket);
void wayland_client_close(struct wayland_client *_Nonnull client);

void *_Nonnull wayland_client_display(struct wayland_client *_Nonnull client);
void *_Nonnull wayland_client_surface(struct wayland_client *_Nonnull client);

/// Has the surface shown, or not shown any more.
void wayland_client_show(struct wayland_client *_Nonnull client);
void wayland_client_hide(struct wayland_client *_Nonnull client);

/// How often the compositor has answered `wayland_client_sync` until now; its listener is on the connection's own queue.
int wayland_client_answers(struct wayland_client *_Nonnull client);
void wayland_client_sync(struct wayland_client *_Nonnull client);
