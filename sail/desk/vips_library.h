// libvips, made ready for pictures from anywhere: loaders that are not hardened are blocked, and
// nothing is cached behind our back. One object a process, made before and gone after all pictures:
// libvips cannot be begun anew.
#pragma once

#include <string>

namespace sail {

class VipsLibrary {
 public:
  // threads: that work on one picture; 0: one a core.
  explicit VipsLibrary(int threads);
  ~VipsLibrary();
  VipsLibrary(const VipsLibrary&) = delete;
  VipsLibrary& operator=(const VipsLibrary&) = delete;

  bool ready() const { return ready_; }

 private:
  bool ready_ = false;
};

}  // namespace sail
