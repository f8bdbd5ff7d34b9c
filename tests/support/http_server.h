// A web server that answers as the test's handler decides: right, wrong, partial or no answers.
// Runs on its own thread.
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

#include "sail/core/loop/loop.h"
#include "sail/core/socket/tcp.h"

namespace test {

struct HttpRequest {
  size_t number = 0;  // index of the request, from 0
  std::string path;
  std::string head;  // all header lines
  uint64_t first = 0;
  uint64_t last = UINT64_MAX;  // end of the requested range
};

struct HttpAnswer {
  enum class Then : uint8_t {
    kKeep,    // keep the connection open for other requests
    kClose,   // close the connection
    kSilence  // send nothing more, even if the body is incomplete
  };
  std::string status = "200 OK";
  std::string headers;  // header lines, each with its line end
  std::string body;
  std::optional<size_t> length;  // Content-Length; empty optional: the body's size
  Then then = Then::kKeep;
  size_t after = 0;  // send the answer after this number of requests has arrived
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

  // The answer of a correct server to a range request.
  static HttpAnswer part_of(const std::string& content, const HttpRequest& request);

 private:
  class ClientConnection;
  void answer(ClientConnection& visitor, const std::string& head);

  const Handler handler_;
  std::vector<std::pair<ClientConnection*, HttpAnswer>> held_;
  mutable std::mutex mutex_;  // the test reads while the server runs
  std::vector<HttpRequest> requests_;
  sail::Loop loop_;
  std::unique_ptr<sail::TcpListener> listener_;
  std::vector<std::unique_ptr<ClientConnection>> client_connections_;
  uint16_t port_ = 0;
  std::thread thread_;
};

}  // namespace test
