#include "sail/core/http/web_context.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sail {
namespace {

constexpr unsigned kBodyPiece = 65536;       // bytes read at once
constexpr unsigned kMostHeaderBytes = 8192;  // of one request
constexpr unsigned kKeepAliveS = 30;         // for an idle connection
constexpr unsigned kOwnDescriptors = 16;     // used by the library itself

// Pings silent WebSockets and closes them without an answer, e.g. of a suspended browser.
constexpr lws_retry_bo_t kSignsOfLife = {.retry_ms_table = nullptr,
                                         .retry_ms_table_count = 0,
                                         .conceal_count = 0,
                                         .secs_since_valid_ping = 20,
                                         .secs_since_valid_hangup = 40,
                                         .jitter_percent = 0};

// The library initialises OpenSSL and lets us set the certificate. Plain connections reach us as
// well, so that we can redirect them. Client certificates are not verified.
constexpr uint64_t kTlsOptions =
    LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT | LWS_SERVER_OPTION_CREATE_VHOST_SSL_CTX |
    LWS_SERVER_OPTION_ALLOW_NON_SSL_ON_SSL_PORT | LWS_SERVER_OPTION_ALLOW_HTTP_ON_HTTPS_LISTENER |
    LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS;

std::vector<const uv_handle_t*> handles_of(uv_loop_t* loop) {
  std::vector<const uv_handle_t*> handles;
  uv_walk(
      loop,
      [](uv_handle_t* handle, void* list) {
        static_cast<std::vector<const uv_handle_t*>*>(list)->push_back(handle);
      },
      &handles);
  std::sort(handles.begin(), handles.end());
  return handles;
}

}  // namespace

WebContext::WebContext(Loop& loop, const WebServerOptions& options, Event on_event)
    : loop_(loop), options_(options), on_event_(std::move(on_event)) {}

Result<void> WebContext::create() {
  lws_set_log_level(0, nullptr);  // relevant events reach our callbacks
  // The first entry handles everything except our WebSocket; its name is not a valid subprotocol.
  protocols_[0].name = "http";
  protocols_[0].callback = on_event;
  protocols_[1].name = options_.subprotocol.c_str();
  protocols_[1].callback = on_event;
  protocols_[1].rx_buffer_size = kBodyPiece;
  void* loops[] = {&loop_.impl().uv};
  lws_context_creation_info info{};
  info.port = CONTEXT_PORT_NO_LISTEN_SERVER;
  info.protocols = protocols_;
  info.alpn = "http/1.1";
  info.foreign_loops = loops;
  info.options = LWS_SERVER_OPTION_LIBUV | (options_.certificate ? kTlsOptions : 0);
  info.user = this;
  info.pcontext = &context_;
  info.gid = -1;
  info.uid = -1;
  info.fd_limit_per_thread =
      static_cast<unsigned>(options_.max_sockets + options_.max_connections) + kOwnDescriptors;
  info.pt_serv_buf_size = kBodyPiece;
  info.max_http_header_data = kMostHeaderBytes;
  info.timeout_secs = static_cast<unsigned>(options_.client_timeout_s);
  info.keepalive_timeout = kKeepAliveS;
  info.retry_and_idle_policy = &kSignsOfLife;

  const auto before = handles_of(&loop_.impl().uv);
  context_ = lws_create_context(&info);
  if (context_ == nullptr) {
    return fail(ErrorCode::kInternal,
                "cannot start the web server: libwebsockets cannot create a context (install "
                "libwebsockets-evlib-uv and a build that uses OpenSSL)");
  }
  const auto after = handles_of(&loop_.impl().uv);
  std::set_difference(after.begin(), after.end(), before.begin(), before.end(),
                      std::back_inserter(handles_));
  return {};
}

lws* WebContext::adopt(Descriptor accepted) {
  return lws_adopt_socket_vhost(lws_get_vhost_by_name(context_, "default"), accepted.take());
}

int WebContext::on_event(lws* connection, lws_callback_reasons reason, void* user, void* in,
                         size_t size) {
  lws_context* context = connection == nullptr ? nullptr : lws_get_context(connection);
  if (context == nullptr) return 0;
  auto* self = static_cast<WebContext*>(lws_context_user(context));
  if (reason == LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS) {
    self->tls_ = user;
    return self->options_.certificate->show_in(user) ? 0 : -1;
  }
  return self->on_event_(connection, reason, {static_cast<const char*>(in), size});
}

bool WebContext::holds_handles() const {
  const auto now = handles_of(&loop_.impl().uv);
  return std::any_of(handles_.begin(), handles_.end(), [&now](const uv_handle_t* handle) {
    return std::binary_search(now.begin(), now.end(), handle);
  });
}

// The first lws_context_destroy() closes the library's handles. The second one frees the context,
// and must not be called before the loop has closed these handles.
bool WebContext::destroy() {
  const bool first = !std::exchange(leaving_, true);
  if (first || (context_ != nullptr && !holds_handles())) lws_context_destroy(context_);
  return context_ == nullptr;
}

}  // namespace sail
