// Helpers for the use of C libraries.
#pragma once

#include <dlfcn.h>

namespace sail {

// Deleter for their objects: std::unique_ptr<CURL, FreedBy<curl_easy_cleanup>>.
template <auto kFree>
struct FreedBy {
  void operator()(auto* object) const { kFree(object); }
};

// Loads a library that most runs do not need, permanently, and calls this function of the library.
// Does nothing if the library is not installed. Any thread.
inline void call_in_library(const char* library, const char* function) {
  void* const loaded = dlopen(library, RTLD_NOW);
  if (loaded == nullptr) return;
  if (auto* const call = dlsym(loaded, function)) reinterpret_cast<void (*)()>(call)();
}

}  // namespace sail
