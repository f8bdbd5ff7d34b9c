// Starts libvips for untrusted pictures, once per process: blocks loaders that are not hardened and
// disables the cache. Any thread. libvips is never stopped: pictures may be read until the end.
#pragma once

namespace sail {

// threads: for one picture; 0: one per core. The first call decides. False: libvips
// cannot start.
bool start_vips(int threads);

}  // namespace sail
