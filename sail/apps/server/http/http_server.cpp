#include "sail/apps/server/http/http_server.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "sail/core/base/environment.h"

namespace server {

struct OpenedFilm {
  std::shared_ptr<StreamBytes> bytes;
  FileState file;
};

namespace {

using sail::ErrorCode;
using sail::WebAnswer;
using sail::WebExchange;

constexpr size_t kSentFilmBytes = 5 << 20;
constexpr const char* kComeAgainS = "10";
constexpr const char* kAskAgainS = "2";  // seconds, while a poster is being made

// Blocks on the disk: not on the loop thread.
sail::Result<OpenedFilm> open_film(const FilmFiles& files, const std::string& title) {
  const auto path = files.library.find(title);
  if (!path) return path.error();
  std::error_code error;
  if (!std::filesystem::is_regular_file(*path, error)) {
    return sail::fail(ErrorCode::kUnavailable,
                      title + ": a folder of numbered files cannot be sent as one file");
  }
  auto bytes = files.storage->open(*path);
  const auto changed = std::filesystem::last_write_time(*path, error);
  const auto size = bytes ? (*bytes)->size() : sail::Result<uint64_t>(uint64_t{0});
  if (!bytes || !size || error) return sail::fail(ErrorCode::kIo, "cannot read " + title);
  const auto since_1970 = std::chrono::file_clock::to_sys(changed).time_since_epoch();
  return OpenedFilm{std::move(*bytes), {*size, since_1970.count()}};
}

int http_status_of(const sail::Error& error) {
  switch (error.code) {
    case ErrorCode::kNotFound:
    case ErrorCode::kInvalidParams:
      return 404;
    case ErrorCode::kUnavailable:
      return 415;
    case ErrorCode::kLimit:
    case ErrorCode::kBusy:
      return 503;
    default:
      return 500;
  }
}

WebAnswer head_of(const HttpPart& part, const FileState& file, std::string_view title) {
  WebAnswer head{.status = part.status,
                 .headers = {{"Accept-Ranges", "bytes"},
                             {"ETag", etag_of(file)},
                             {"Last-Modified", http_date(file.changed_ns)},
                             {"Content-Type", std::string(content_type_of(title))}},
                 .body = {},
                 .length = part.bytes};
  if (part.status == 206) {
    head.headers.emplace_back(
        "Content-Range",
        fmt::format("bytes {}-{}/{}", part.offset, part.offset + part.bytes - 1, file.bytes));
  } else if (part.status == 416) {
    head.headers.emplace_back("Content-Range", fmt::format("bytes */{}", file.bytes));
  }
  return head;
}

// The web server delivers a ';' in a path as '&', so both are tried.
std::string title_of(const Library& library, const WebExchange& exchange) {
  std::string title = exchange.path().substr(1);
  if (title.find('&') == std::string::npos || library.find(title)) return title;
  std::string other = title;
  std::ranges::replace(other, '&', ';');
  return library.find(other) ? other : title;
}

bool asks_for_best_effort(const WebExchange& exchange) {
  const auto wish = exchange.query("best_effort");
  return wish && *wish != "0";
}

}  // namespace

struct HttpServer::Request {
  uint64_t id = 0;
  std::shared_ptr<WebExchange> exchange;
  std::string title;
  FilmPlaces::Place place;
  HttpConditions conditions;
  bool best_effort = false;
  int64_t duration_ns = 0;
  std::optional<OpenedFilm> film;
  std::shared_ptr<void> opening;
  std::shared_ptr<HttpFilm> sending;
};

sail::Result<std::unique_ptr<HttpServer>> HttpServer::start(sail::Loop& loop, FilmAccess& access,
                                                            const HttpOptions& options,
                                                            const sail::Log& log) {
  std::unique_ptr<HttpServer> server(new HttpServer(loop, access, options, log));
  sail::WebServerOptions web{.listen = options.listen, .listening = -1, .assets = {}};
  web.max_sockets = 0;
  web.max_connections = options.max_films + options.max_idle;
  web.client_timeout_s = options.client_timeout_s;
  // Without a key, accept only requests to a loopback host name (against DNS rebinding), unless the
  // operator listens on other addresses.
  web.loopback_hosts_only =
      server->login_.allows_everybody() && sail::is_loopback(options.listen.host);
  if (options.certificate) {
    server->certificate_ = std::make_unique<sail::RenewedCertificate>(
        loop, *options.certificate,
        [self = server.get()](const auto& renewed) { return self->web_->show(renewed); }, "--http",
        log);
    web.certificate = server->certificate_->shown();
  }
  auto started = sail::WebServer::start(
      loop, web,
      {.on_request = [self = server.get()](
                         const std::shared_ptr<WebExchange>& exchange) { self->take(exchange); },
       .on_socket = [](auto) {}});
  if (!started) return started.error();
  server->web_ = std::move(*started);
  return server;
}

HttpServer::HttpServer(sail::Loop& loop, FilmAccess& access, const HttpOptions& options,
                       const sail::Log& log)
    : loop_(loop),
      access_(access),
      options_(options),
      log_(log),
      login_(loop, options.key),
      places_(options.max_films, options.max_films_each) {}

HttpServer::~HttpServer() = default;

// --- requests --------------------------------------------------------------------------------

void HttpServer::take(const std::shared_ptr<WebExchange>& exchange) {
  const bool reads = exchange->method() == "GET" || exchange->method() == "HEAD";
  if (!reads) {
    WebAnswer no = sail::text_answer(405, "films are read-only");
    no.headers.emplace_back("Allow", "GET, HEAD");
    exchange->answer(std::move(no));
    return;
  }
  const std::string title = title_of(access_.files().library, *exchange);
  if (!login_.proved(exchange, title)) return;
  if (exchange->query("poster")) return give_poster(exchange, title);
  auto room = sail::ask_for_memory(kSentFilmBytes, "another film");
  auto place = room ? places_.take(sail::network_of(exchange->peer().host)) : nullptr;
  if (!place) {
    WebAnswer later = sail::text_answer(
        503, room ? "too many films are being sent: try again later" : room.error().message);
    later.headers.emplace_back("Retry-After", kComeAgainS);
    exchange->answer(std::move(later));
    return;
  }
  auto request = std::make_unique<Request>();
  const uint64_t id = next_id_++;
  request->id = id;
  request->exchange = exchange;
  request->title = title;
  request->place = std::move(place);
  request->best_effort = asks_for_best_effort(*exchange);
  if (exchange->method() == "GET") request->conditions.range = exchange->header("range");
  request->conditions.if_range = exchange->header("if-range");
  request->conditions.if_match = exchange->header("if-match");
  request->conditions.if_none_match = exchange->header("if-none-match");
  request->conditions.if_modified_since = exchange->header("if-modified-since");
  request->conditions.if_unmodified_since = exchange->header("if-unmodified-since");
  requests_[id] = std::move(request);
  const std::weak_ptr self(self_);
  exchange->read_body({.on_bytes = {}, .on_end = {}, .on_gone = [self, id] {
                         if (const auto server = self.lock()) (*server)->leave(id);
                       }});
  access_.find(title, [self, id](sail::Result<CatalogueEntry> entry) {
    if (const auto server = self.lock()) (*server)->look_up(id, std::move(entry));
  });
}

void HttpServer::give_poster(const std::shared_ptr<WebExchange>& exchange,
                             const std::string& title) {
  access_.poster(title, [exchange](const sail::Result<std::string>& jpeg) {
    if (jpeg) {
      exchange->answer(
          {200, {{"Content-Type", "image/jpeg"}, {"Cache-Control", "private, max-age=60"}}, *jpeg});
      return;
    }
    const bool later = jpeg.error().code == ErrorCode::kUnavailable;
    WebAnswer no =
        sail::text_answer(later ? 503 : http_status_of(jpeg.error()), jpeg.error().message);
    if (no.status == 503) no.headers.emplace_back("Retry-After", kAskAgainS);
    exchange->answer(std::move(no));
  });
}

HttpServer::Request* HttpServer::find(uint64_t id) {
  const auto found = requests_.find(id);
  return found == requests_.end() ? nullptr : found->second.get();
}

void HttpServer::look_up(uint64_t id, sail::Result<CatalogueEntry> entry) {
  Request* request = find(id);
  if (request == nullptr) return;
  if (!entry) return refuse(*request, entry.error());
  request->duration_ns = entry->facts ? entry->facts->duration_ns : 0;
  open(*request);
}

void HttpServer::open(Request& request) {
  auto film = std::make_shared<sail::Result<OpenedFilm>>(OpenedFilm{});
  request.opening = sail::in_background(
      loop_,
      [film, files = access_.files(), title = request.title] { *film = open_film(files, title); },
      [this, film, id = request.id] {
        Request* waiting = find(id);
        if (waiting == nullptr) return;
        waiting->opening.reset();
        if (!*film) return refuse(*waiting, film->error());
        waiting->film = std::move(**film);
        opened(*waiting);
      });
}

void HttpServer::opened(Request& request) {
  const HttpPart part = choose_part(request.film->file, request.conditions);
  const bool body = part.status == 200 || part.status == 206;
  if (body && request.exchange->method() == "GET" && part.bytes > 0) return send(request, part);
  const auto exchange = request.exchange;
  WebAnswer head = head_of(part, request.film->file, request.title);
  leave(request.id);
  exchange->answer(std::move(head));
}

void HttpServer::send(Request& request, const HttpPart& part) {
  const double mb_per_s = needed_mb_per_s({.bytes = request.film->file.bytes}, request.duration_ns);
  const StreamBytes& bytes = *request.film->bytes;
  auto promise = access_.reserve(request.title,
                                 {mb_per_s, request.best_effort, bytes.shares(), bytes.number()});
  if (!promise) return refuse(request, promise.error());
  WebAnswer head = head_of(part, request.film->file, request.title);
  log_.debug("http: sending '{}' from byte {}", request.title, part.offset);
  request.sending = HttpFilm::start(
      loop_,
      {.exchange = request.exchange,
       .answer = std::move(head),
       .part = part,
       .bytes = std::move(request.film->bytes),
       .mb_per_s = mb_per_s,
       .promise = std::move(*promise),
       .wait_timeout_s = options_.wait_timeout_s},
      [this, self = std::weak_ptr(self_), id = request.id](const sail::Result<void>& how) {
        if (!how) log_.warning("http: {}", how.error().message);
        loop_.post([self, id] {
          if (const auto server = self.lock()) (*server)->leave(id);
        });
      });
}

void HttpServer::refuse(Request& request, const sail::Error& error) {
  WebAnswer no = sail::text_answer(http_status_of(error), error.message);
  if (no.status == 503) no.headers.emplace_back("Retry-After", kComeAgainS);
  const auto exchange = request.exchange;
  leave(request.id);
  exchange->answer(std::move(no));
}

void HttpServer::leave(uint64_t id) {
  requests_.erase(id);
}

}  // namespace server
