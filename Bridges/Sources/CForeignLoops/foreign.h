#pragma once
#include <curl/curl.h>
#include <hiredis/async.h>
#include <postgresql/libpq-fe.h>
#include <systemd/sd-event.h>
#include <uv.h>

// Swift cannot call functions of a variable number of arguments.

static inline int redis_command(
    redisAsyncContext *context, redisCallbackFn *call, void *data, const char *name, const char *key) {
  return redisAsyncCommand(context, call, data, "%s %s", name, key);
}

static inline void curl_prepare(CURL *transfer, const char *address, void *data, size_t (*write)(char *, size_t, size_t, void *)) {
  curl_easy_setopt(transfer, CURLOPT_URL, address);
  curl_easy_setopt(transfer, CURLOPT_WRITEFUNCTION, write);
  curl_easy_setopt(transfer, CURLOPT_WRITEDATA, data);
  curl_easy_setopt(transfer, CURLOPT_NOSIGNAL, 1L);
}

static inline void curl_call_back(CURLM *multi, curl_socket_callback socket, curl_multi_timer_callback timer, void *data) {
  curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socket);
  curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, data);
  curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer);
  curl_multi_setopt(multi, CURLMOPT_TIMERDATA, data);
}
