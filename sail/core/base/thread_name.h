// Thread names, as shown by `top -H` and debuggers.
#pragma once

#include <pthread.h>

namespace sail {

// Names the calling thread; at most 15 characters.
inline void name_this_thread(const char* name) {
  pthread_setname_np(pthread_self(), name);
}

}  // namespace sail
