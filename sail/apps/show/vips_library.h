// Initializes libvips for untrusted pictures: blocks loaders that are not hardened and disables the
// cache. One object per process; must outlive all pictures. libvips cannot restart.
#pragma once

#include <string>

namespace sail {

class VipsLibrary {
 public:
  // threads: for one picture; 0: one per core.
  explicit VipsLibrary(int threads);
  ~VipsLibrary();
  VipsLibrary(const VipsLibrary&) = delete;
  VipsLibrary& operator=(const VipsLibrary&) = delete;

  bool ready() const { return ready_; }

 private:
  bool ready_ = false;
};

}  // namespace sail
