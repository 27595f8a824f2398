#pragma once
#include <curl/curl.h>

// Swift cannot call functions of a variable number of arguments: one call for each type of them.

static inline CURLcode curl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode curl_set_large(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode curl_set_string(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode curl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(handle, option, value);
}
typedef size_t (*curl_data_call)(char *bytes, size_t size, size_t count, void *context);
static inline CURLcode curl_set_data_call(CURL *handle, CURLoption option, curl_data_call call) {
  return curl_easy_setopt(handle, option, call);
}
static inline CURLcode curl_get_long(CURL *handle, CURLINFO info, long *value) {
  return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode curl_get_large(CURL *handle, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(handle, info, value);
}
static inline CURLMcode curl_multi_set_socket_call(CURLM *multi, curl_socket_callback call, void *context) {
  curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
  return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, call);
}
static inline CURLMcode curl_multi_set_timer_call(CURLM *multi, curl_multi_timer_callback call, void *context) {
  curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
  return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, call);
}
