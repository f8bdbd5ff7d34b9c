// libcurl's transfers, driven by an event loop. Thread: the loop's.
#pragma once

#include <curl/curl.h>

#include <functional>
#include <map>
#include <memory>

#include "sail/core/base/c_library.h"
#include "sail/core/loop/loop.h"

namespace sail {

class CurlLoop {
 public:
  // on_end: this transfer of multi() has ended; may add and remove transfers. Not called from
  // within curl_multi_add_handle().
  CurlLoop(Loop& loop, std::function<void(CURL* transfer, CURLcode result)> on_end);
  // All transfers must be removed before.
  ~CurlLoop();
  CurlLoop(const CurlLoop&) = delete;
  CurlLoop& operator=(const CurlLoop&) = delete;

  CURLM* multi() { return multi_.get(); }

 private:
  static int watch(CURL* transfer, curl_socket_t socket, int what, void* self, void* ignored);
  static int set_timer(CURLM* multi, long wait_ms, void* self);
  void act(curl_socket_t socket, int events);

  Loop& loop_;
  const std::function<void(CURL*, CURLcode)> on_end_;
  std::unique_ptr<CURLM, FreedBy<curl_multi_cleanup>> multi_{curl_multi_init()};
  std::map<curl_socket_t, std::unique_ptr<SocketWatch>> sockets_;
  Timer timer_;
};

}  // namespace sail
