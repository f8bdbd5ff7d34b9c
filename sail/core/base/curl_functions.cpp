// The functions of libcurl. Programs call them as usual, and link this file instead of libcurl,
// which brings 26 libraries: most runs of most programs use no web server, so the first call loads
// them. Any thread.
#include <dlfcn.h>
#include <fmt/core.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

// Other libraries that use libcurl must not find these functions.
#pragma GCC visibility push(hidden)
#include <curl/curl.h>

namespace {

// As for a library that is linked: the program cannot continue without it.
[[noreturn]] void end_without_libcurl() {
  constexpr int kNotStarted = 127;
  fmt::print(stderr, "cannot load libcurl: {}; install the package libcurl4\n", dlerror());
  std::_Exit(kNotStarted);
}

template <typename Function>
Function* in_libcurl(Function* /*same*/, const char* name) {
  static void* const library = dlopen("libcurl.so.4", RTLD_NOW);
  void* const found = library == nullptr ? nullptr : dlsym(library, name);
  if (found == nullptr) end_without_libcurl();
  return reinterpret_cast<Function*>(found);
}

// The third argument of a function with a variable number of them: a number or a pointer.
void* third(va_list& rest) {
  static_assert(sizeof(long) == sizeof(void*) && sizeof(curl_off_t) == sizeof(void*));
  return va_arg(rest, void*);
}

}  // namespace

CURL* curl_easy_init() {
  return in_libcurl(&curl_easy_init, __func__)();
}

void curl_easy_cleanup(CURL* handle) {
  in_libcurl(&curl_easy_cleanup, __func__)(handle);
}

void curl_easy_reset(CURL* handle) {
  in_libcurl(&curl_easy_reset, __func__)(handle);
}

CURLcode curl_easy_perform(CURL* handle) {
  return in_libcurl(&curl_easy_perform, __func__)(handle);
}

const char* curl_easy_strerror(CURLcode code) {
  return in_libcurl(&curl_easy_strerror, __func__)(code);
}

CURLcode(curl_easy_setopt)(CURL* handle, CURLoption option, ...) {
  va_list rest;
  va_start(rest, option);
  void* const value = third(rest);
  va_end(rest);
  return in_libcurl(&curl_easy_setopt, __func__)(handle, option, value);
}

CURLcode(curl_easy_getinfo)(CURL* handle, CURLINFO info, ...) {
  va_list rest;
  va_start(rest, info);
  void* const value = third(rest);
  va_end(rest);
  return in_libcurl(&curl_easy_getinfo, __func__)(handle, info, value);
}

curl_slist* curl_slist_append(curl_slist* list, const char* text) {
  return in_libcurl(&curl_slist_append, __func__)(list, text);
}

void curl_slist_free_all(curl_slist* list) {
  in_libcurl(&curl_slist_free_all, __func__)(list);
}

CURLM* curl_multi_init() {
  return in_libcurl(&curl_multi_init, __func__)();
}

CURLMcode curl_multi_cleanup(CURLM* multi) {
  return in_libcurl(&curl_multi_cleanup, __func__)(multi);
}

CURLMcode(curl_multi_setopt)(CURLM* multi, CURLMoption option, ...) {
  va_list rest;
  va_start(rest, option);
  void* const value = third(rest);
  va_end(rest);
  return in_libcurl(&curl_multi_setopt, __func__)(multi, option, value);
}

CURLMcode curl_multi_add_handle(CURLM* multi, CURL* handle) {
  return in_libcurl(&curl_multi_add_handle, __func__)(multi, handle);
}

CURLMcode curl_multi_remove_handle(CURLM* multi, CURL* handle) {
  return in_libcurl(&curl_multi_remove_handle, __func__)(multi, handle);
}

CURLMcode curl_multi_socket_action(CURLM* multi, curl_socket_t socket, int events, int* running) {
  return in_libcurl(&curl_multi_socket_action, __func__)(multi, socket, events, running);
}

CURLMsg* curl_multi_info_read(CURLM* multi, int* waiting) {
  return in_libcurl(&curl_multi_info_read, __func__)(multi, waiting);
}

#pragma GCC visibility pop
