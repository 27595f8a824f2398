#define _GNU_SOURCE
#include "CWaylandClient.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wayland-client.h>

enum { width = 320, height = 240 };

// Of the fullscreen shell's protocol what is used here: the first version's second request and its only event.
static const struct wl_interface *const shown[] = {&wl_surface_interface, NULL, &wl_output_interface};
static const struct wl_interface *const number[] = {NULL};
static const struct wl_message shell_requests[] = {
    {"release", "", (const struct wl_interface **)number},
    {"present_surface", "?ou?o", (const struct wl_interface **)shown},
};
static const struct wl_message shell_events[] = {{"capability", "u", (const struct wl_interface **)number}};
static const struct wl_interface shell_interface = {"zwp_fullscreen_shell_v1", 1, 2, shell_requests, 1, shell_events};

struct wayland_client {
  struct wl_display *display;
  struct wl_registry *registry;
  struct wl_compositor *compositor;
  struct wl_shm *shm;
  struct wl_proxy *shell;
  struct wl_surface *surface;
  struct wl_buffer *buffer;
  int answers;
};

static void came(void *data, struct wl_registry *registry, uint32_t name, const char *interface, uint32_t version) {
  struct wayland_client *client = data;
  if (strcmp(interface, wl_compositor_interface.name) == 0) {
    client->compositor = wl_registry_bind(registry, name, &wl_compositor_interface, 1);
  } else if (strcmp(interface, wl_shm_interface.name) == 0) {
    client->shm = wl_registry_bind(registry, name, &wl_shm_interface, 1);
  } else if (strcmp(interface, shell_interface.name) == 0) {
    client->shell = wl_registry_bind(registry, name, &shell_interface, 1);
  }
}

static void went(void *data, struct wl_registry *registry, uint32_t name) {}

static const struct wl_registry_listener registry_listener = {came, went};

static struct wl_buffer *make_buffer(struct wl_shm *shm) {
  int size = width * height * 4, memory = memfd_create("picture", MFD_CLOEXEC);
  if (memory < 0 || ftruncate(memory, size) != 0) return NULL;
  struct wl_shm_pool *pool = wl_shm_create_pool(shm, memory, size);
  struct wl_buffer *buffer = wl_shm_pool_create_buffer(pool, 0, width, height, width * 4, WL_SHM_FORMAT_XRGB8888);
  wl_shm_pool_destroy(pool);
  close(memory);
  return buffer;
}

struct wayland_client *wayland_client_open(const char *socket) {
  struct wayland_client *client = calloc(1, sizeof *client);
  client->display = wl_display_connect(socket);
  if (!client->display) {
    free(client);
    return NULL;
  }
  client->registry = wl_display_get_registry(client->display);
  wl_registry_add_listener(client->registry, &registry_listener, client);
  wl_display_roundtrip(client->display);
  if (!client->compositor || !client->shm || !client->shell) {
    wayland_client_close(client);
    return NULL;
  }
  client->surface = wl_compositor_create_surface(client->compositor);
  client->buffer = make_buffer(client->shm);
  wl_proxy_marshal(client->shell, 1, client->surface, 0, NULL);
  wayland_client_show(client);
  wl_display_roundtrip(client->display);
  return client;
}

void wayland_client_close(struct wayland_client *client) {
  wl_display_disconnect(client->display);
  free(client);
}

void *wayland_client_display(struct wayland_client *client) { return client->display; }
void *wayland_client_surface(struct wayland_client *client) { return client->surface; }

void wayland_client_show(struct wayland_client *client) {
  wl_surface_attach(client->surface, client->buffer, 0, 0);
  wl_surface_damage(client->surface, 0, 0, width, height);
  wl_surface_commit(client->surface);
  wl_display_flush(client->display);
}

void wayland_client_hide(struct wayland_client *client) {
  wl_surface_attach(client->surface, NULL, 0, 0);
  wl_surface_commit(client->surface);
  wl_display_flush(client->display);
}

static void answered(void *data, struct wl_callback *callback, uint32_t serial) {
  wl_callback_destroy(callback);
  ((struct wayland_client *)data)->answers++;
}

static const struct wl_callback_listener answer_listener = {answered};

void wayland_client_sync(struct wayland_client *client) {
  wl_callback_add_listener(wl_display_sync(client->display), &answer_listener, client);
  wl_display_flush(client->display);
}

int wayland_client_answers(struct wayland_client *client) { return client->answers; }
