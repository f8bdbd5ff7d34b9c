#include "manager/web.h"

#include <fmt/core.h>

#include "manager/page_assets.h"

namespace manager {

sail::Result<std::unique_ptr<Web>> Web::start(sail::Loop& loop, const Options& options,
                                              SocketCallback on_socket) {
  std::unique_ptr<Web> web(new Web());
  sail::WebServerOptions server_options;
  server_options.listen = options.listen;
  server_options.assets = page_assets();
  server_options.loopback_hosts_only = !options.has_token && sail::is_loopback(options.listen.host);
  server_options.max_sockets = options.max_sockets;
  auto server = sail::WebServer::start(
      loop, server_options,
      {.on_request = [self = web.get()](const auto& exchange) { self->handle(exchange); },
       .on_socket = std::move(on_socket)});
  if (!server) return tl::make_unexpected(server.error());
  web->server_ = std::move(*server);
  return web;
}

std::string Web::url(const std::string& local_host) const {
  sail::Address address = server_->address();
  if (address.host == "0.0.0.0" || address.host == "::") address.host = local_host;
  return fmt::format("http://{}/", sail::address_text(address));
}

void Web::handle(const std::shared_ptr<sail::WebExchange>& exchange) {
  exchange->answer(sail::text_answer(404, "there is nothing here"));
}

}  // namespace manager
