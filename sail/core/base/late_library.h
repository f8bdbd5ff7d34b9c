// Shared libraries that most runs of a program do not need. Any thread.
#pragma once

#include <dlfcn.h>

namespace sail {

// Loads the library for good and calls this function of it; does nothing if it is not installed.
inline void call_in_library(const char* library, const char* function) {
  void* const loaded = dlopen(library, RTLD_NOW);
  if (loaded == nullptr) return;
  if (auto* const call = dlsym(loaded, function)) reinterpret_cast<void (*)()>(call)();
}

}  // namespace sail
