#include "manager/web.h"

#include <fmt/core.h>

#include <utility>

#include "manager/programs/node_command.h"
#include "sail/core/address/address.h"
#include "sail/core/http/web_server.h"

namespace manager {
namespace {

bool is_below(std::string_view path, std::string_view root) {
  return path == root || (path.starts_with(root) && path.substr(root.size()).starts_with('/'));
}

// Returns the origin of a URL that has no path.
std::string origin_of(std::string url) {
  if (url.ends_with('/')) url.pop_back();
  return url;
}

}  // namespace

sail::Result<std::unique_ptr<Web>> Web::start(sail::Loop& loop, const Options& options,
                                              SourceLibrary& sources, FilmServers& films,
                                              sail::RpcService& service, Handlers handlers,
                                              const sail::Log& log) {
  std::unique_ptr<Web> web(new Web(loop, films, service, std::move(handlers)));
  sail::WebServerOptions server_options;
  server_options.listen = options.listen;
  if (options.certificate) {
    web->certificate_ = std::make_unique<sail::RenewedCertificate>(
        loop, *options.certificate,
        [self = web.get()](const auto& renewed) { return self->server_->show(renewed); },
        "the page", log);
    server_options.certificate = web->certificate_->shown();
  } else if (!sail::is_loopback(options.listen.host)) {
    log.warning(
        "the page is not encrypted: anyone on the network path to {} can read and change it. Use "
        "--page-certificate and --page-key, or a proxy with TLS",
        options.listen.host);
  }
  server_options.assets = page_assets();
  server_options.proxy = options.proxy;
  server_options.loopback_hosts_only =
      service.allows_everybody() && sail::is_loopback(options.listen.host);
  server_options.max_sockets = options.max_sockets;
  web->api_ = std::make_unique<HttpApi>(loop, service, options.certificate.has_value());
  auto server = sail::WebServer::start(
      loop, server_options,
      {.on_request = [self = web.get()](const auto& exchange) { self->handle(exchange); },
       .on_socket = web->handlers_.on_socket,
       .on_descriptors_exhausted = web->handlers_.on_descriptors_exhausted,
       .connect_sources = [self =
                               web.get()] { return origin_of(self->handlers_.standby_page()); }});
  if (!server) return server.error();
  web->server_ = std::move(*server);
  if (!sources.uploads().folder.empty()) {
    web->uploads_ = std::make_unique<Uploads>(loop, sources, log);
  }
  web->previews_ = std::make_unique<Previews>(loop, options.previews, sources, log);
  return web;
}

std::string Web::url(const std::string& local_host) const {
  sail::Address address = server_->address();
  if (is_any_address(address.host)) address.host = local_host;
  return fmt::format("{}://{}/", certificate_ ? "https" : "http", sail::address_text(address));
}

std::vector<std::string> Web::urls_elsewhere() const {
  std::vector<std::string> urls;
  if (!is_any_address(address().host)) return urls;
  for (const std::string& own : sail::own_addresses(address().host)) urls.push_back(url(own));
  return urls;
}

// Available without authentication, for monitoring and for the pages of a manager that this one
// replaces. Reveals one word.
sail::WebAnswer Web::healthz() const {
  const Grade grade = handlers_.health();
  sail::WebAnswer answer = sail::text_answer(grade == Grade::kBad ? 503 : 200, grade_name(grade));
  answer.for_all_sites = true;
  return answer;
}

sail::WebAnswer Web::metrics() const {
  return {200, {{"Content-Type", "text/plain; version=0.0.4; charset=utf-8"}}, handlers_.metrics()};
}

void Web::handle(const std::shared_ptr<sail::WebExchange>& exchange) {
  const bool reads = exchange->method() == "GET" || exchange->method() == "HEAD";
  if (exchange->path() == "/healthz" && reads) {
    exchange->answer(healthz());
    return;
  }
  if (is_below(exchange->path(), "/api")) {
    api_->handle(exchange);
    return;
  }
  const bool asks_metrics = exchange->path() == "/metrics" && reads;
  const auto key = service_.judge_request(
      {.method = exchange->method(),
       .path = exchange->path(),
       .authorization = exchange->header("authorization").value_or(""),
       .host = exchange->peer().host,
       .bearer = asks_metrics ? "metrics" : "",
       .least = is_below(exchange->path(), "/uploads") || exchange->query("window")
                    ? sail::Right::kPresenter
                    : sail::Right::kViewer});
  if (key.wrong) {
    refuse(exchange, key);
  } else if (uploads_ && is_below(exchange->path(), "/uploads")) {
    uploads_->handle(exchange);
  } else if (asks_metrics) {
    exchange->answer(metrics());
  } else if (exchange->path() == "/preview" && reads && exchange->query("film")) {
    give_poster(exchange);
  } else if (exchange->path() == "/preview") {
    previews_->handle(exchange);
  } else {
    exchange->answer(sail::text_answer(404, "no such page"));
  }
}

// Film servers make posters, once per film.
void Web::give_poster(const std::shared_ptr<sail::WebExchange>& exchange) {
  films_.poster(*exchange->query("film"), [exchange](const sail::Result<std::string>& jpeg) {
    if (!jpeg) {
      const bool missing = jpeg.error().code == sail::ErrorCode::kNotFound;
      exchange->answer(sail::text_answer(missing ? 404 : 503, jpeg.error().message));
    } else if (jpeg->empty()) {
      exchange->answer({204, {}, {}});
    } else {
      exchange->answer(
          {200, {{"Content-Type", "image/jpeg"}, {"Cache-Control", "private, max-age=60"}}, *jpeg});
    }
  });
}

void Web::refuse(const std::shared_ptr<sail::WebExchange>& exchange,
                 const sail::KeyGuard::Judgement& why) {
  const bool proves_nothing = why.wrong->code == sail::ErrorCode::kUnauthorized;
  const bool may_not = why.wrong->code == sail::ErrorCode::kInvalidRequest;
  sail::WebAnswer answer =
      proves_nothing ? sail::text_answer(
                           401, "requests must prove a key of the wall: Authorization: Vitrail …")
                     : sail::text_answer(may_not ? 403 : 429, why.wrong->message);
  if (proves_nothing) answer.headers.emplace_back("WWW-Authenticate", "Vitrail");
  sail::answer_after(loop_, why.delay_ms, exchange, std::move(answer));
}

}  // namespace manager
