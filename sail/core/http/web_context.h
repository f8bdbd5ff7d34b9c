// libwebsockets' context on a Loop: its creation, its connections' events, and its end. For this
// folder only.
#pragma once

#include <libwebsockets.h>

#include <functional>
#include <string_view>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/core/http/web_server.h"
#include "sail/core/loop/handle.h"
#include "sail/core/socket/listening_socket.h"

namespace sail {

class WebContext {
 public:
  // A nonzero result closes the connection.
  using Event =
      std::function<int(lws* connection, lws_callback_reasons reason, std::string_view bytes)>;

  // options must outlive this object. It must live until destroy() has returned true, unless
  // create() failed or was not called.
  WebContext(Loop& loop, const WebServerOptions& options, Event on_event);
  WebContext(const WebContext&) = delete;
  WebContext& operator=(const WebContext&) = delete;

  Result<void> create();
  // Null: failed, and the descriptor is closed.
  lws* adopt(Descriptor accepted);
  // OpenSSL's SSL_CTX; null: no TLS.
  void* tls() const { return tls_; }
  // Closes all connections. Call once per loop iteration until it returns true.
  bool destroy();

 private:
  // Callback of the library.
  static int on_event(lws* connection, lws_callback_reasons reason, void* user, void* in,
                      size_t size);
  bool holds_handles() const;

  Loop& loop_;
  const WebServerOptions& options_;
  const Event on_event_;
  lws_protocols protocols_[3] = {};
  lws_context* context_ = nullptr;  // set to null by the library once it is destroyed
  void* tls_ = nullptr;
  std::vector<const uv_handle_t*> handles_;  // the context's own handles
  bool leaving_ = false;                     // lws_context_destroy() was called
};

}  // namespace sail
