// A web server that answers as a test wishes: rightly, wrongly, in part or never. On a thread of
// its own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sail/net/loop.h"
#include "sail/net/tcp.h"

namespace test {

struct HttpRequest {
  size_t number = 0;  // of the requests that came, from 0 on
  std::string path;
  std::string head;  // all of its lines
  uint64_t first = 0;
  uint64_t last = UINT64_MAX;  // of the range that is asked for
};

struct HttpAnswer {
  enum class Then : uint8_t {
    kKeep,    // the connection, for other requests
    kClose,   // it
    kSilence  // and nothing more
  };
  std::string status = "200 OK";
  std::string headers;  // lines, each with its end
  std::string body;
  std::optional<size_t> length;  // that is told; nothing: the body's
  Then then = Then::kKeep;
  size_t after = 0;  // so many requests have come: then it is sent
};

class HttpServer {
 public:
  // Called on the server's thread.
  using Handler = std::function<HttpAnswer(const HttpRequest&)>;
  explicit HttpServer(Handler handler);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  std::string url(const std::string& path) const;
  uint16_t port() const { return port_; }
  std::vector<HttpRequest> requests() const;

  // What a right server answers.
  static HttpAnswer part_of(const std::string& content, const HttpRequest& request);

 private:
  class Visitor;
  void answer(Visitor& visitor, const std::string& head);

  const Handler handler_;
  std::vector<std::pair<Visitor*, HttpAnswer>> held_;
  mutable std::mutex mutex_;  // a test looks while the server goes on
  std::vector<HttpRequest> requests_;
  sail::Loop loop_;
  std::unique_ptr<sail::TcpListener> listener_;
  std::vector<std::unique_ptr<Visitor>> visitors_;
  uint16_t port_ = 0;
  std::thread thread_;
};

}  // namespace test
