// Helpers for the use of C libraries.
#pragma once

#include <dlfcn.h>

namespace sail {

// Deleter for their objects: std::unique_ptr<CURL, FreedBy<curl_easy_cleanup>>.
template <auto kFree>
struct FreedBy {
  void operator()(auto* object) const { kFree(object); }
};

// A library that most runs do not need, loaded when it is needed. It stays loaded. Any thread.
class LoadedLibrary {
 public:
  explicit LoadedLibrary(const char* library) : library_(dlopen(library, RTLD_NOW)) {}

  // Finds the library's function of this name. Returns false if there is none, or if the library is
  // not installed.
  template <typename Function>
  bool find(const char* name, Function*& function) const {
    if (library_ == nullptr) return false;
    function = reinterpret_cast<Function*>(dlsym(library_, name));
    return function != nullptr;
  }

 private:
  void* library_;
};

// Loads the library, and calls this function of the library. Does nothing if the library is not
// installed. Any thread.
inline void call_in_library(const char* library, const char* function) {
  void (*call)() = nullptr;
  if (LoadedLibrary(library).find(function, call)) call();
}

}  // namespace sail
