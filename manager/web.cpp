#include "manager/web.h"

#include <fmt/core.h>

#include <utility>

#include "manager/page_assets.h"
#include "sail/wire/marked_token.h"

namespace manager {
namespace {

constexpr std::string_view kBearer = "Bearer ";

bool is_below(std::string_view path, std::string_view root) {
  return path == root || (path.starts_with(root) && path.substr(root.size()).starts_with('/'));
}

}  // namespace

sail::Result<std::unique_ptr<Web>> Web::start(sail::Loop& loop, const Options& options,
                                              SourceLibrary& sources, Handlers handlers,
                                              const sail::Log& log) {
  std::unique_ptr<Web> web(new Web(options.token));
  sail::WebServerOptions server_options;
  server_options.listen = options.listen;
  server_options.assets = page_assets();
  server_options.loopback_hosts_only =
      options.token.empty() && sail::is_loopback(options.listen.host);
  server_options.max_sockets = options.max_sockets;
  auto server = sail::WebServer::start(
      loop, server_options,
      {.on_request = [self = web.get()](const auto& exchange) { self->handle(exchange); },
       .on_socket = std::move(handlers.on_socket)});
  if (!server) return tl::make_unexpected(server.error());
  web->server_ = std::move(*server);
  if (!options.uploads.folder.empty()) {
    web->uploads_ =
        std::make_unique<Uploads>(loop, options.uploads, std::move(handlers.on_upload), log);
  }
  web->previews_ = std::make_unique<Previews>(loop, options.previews, sources, log);
  return web;
}

std::string Web::url(const std::string& local_host) const {
  sail::Address address = server_->address();
  if (address.host == "0.0.0.0" || address.host == "::") address.host = local_host;
  return fmt::format("http://{}/", sail::address_text(address));
}

void Web::handle(const std::shared_ptr<sail::WebExchange>& exchange) {
  const std::string given = exchange->header("authorization").value_or("");
  const bool bears =
      given.starts_with(kBearer) &&
      sail::is_token_or_marked(std::string_view(given).substr(kBearer.size()), token_);
  if (!token_.empty() && !bears) {
    sail::WebAnswer answer =
        sail::text_answer(401, "the token is missing or wrong: Authorization: Bearer TOKEN");
    answer.headers.emplace_back("WWW-Authenticate", "Bearer");
    exchange->answer(std::move(answer));
  } else if (uploads_ && is_below(exchange->path(), "/uploads")) {
    uploads_->handle(exchange);
  } else if (exchange->path() == "/preview") {
    previews_->handle(exchange);
  } else {
    exchange->answer(sail::text_answer(404, "there is nothing here"));
  }
}

}  // namespace manager
