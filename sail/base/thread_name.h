// Names for threads, as `top -H` and debuggers show them.
#pragma once

#include <pthread.h>

namespace sail {

// Names the calling thread; at most 15 letters.
inline void name_this_thread(const char* name) {
  pthread_setname_np(pthread_self(), name);
}

}  // namespace sail
