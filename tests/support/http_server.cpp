#include "tests/support/http_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <span>
#include <utility>

namespace test {

class HttpServer::ClientConnection : public sail::TcpReader {
 public:
  ClientConnection(HttpServer& server, std::unique_ptr<sail::TcpConnection> connection)
      : server_(server), connection_(std::move(connection)) {
    connection_->start_reading(*this);
  }

  std::span<uint8_t> read_buffer() override { return buffer_; }
  void on_read(size_t bytes) override {
    asked_.append(buffer_.begin(), buffer_.begin() + static_cast<ptrdiff_t>(bytes));
    constexpr std::string_view kEnd = "\r\n\r\n";
    for (size_t end; connection_ && (end = asked_.find(kEnd)) != std::string::npos;) {
      const std::string head = asked_.substr(0, end + 2);
      asked_.erase(0, end + kEnd.size());
      server_.answer(*this, head);
    }
  }
  void on_closed(const sail::Error& /*error*/) override { connection_.reset(); }

  void send(const HttpAnswer& answer) {
    if (!connection_) return;
    const std::string text =
        fmt::format("HTTP/1.1 {}\r\nContent-Length: {}\r\n{}\r\n{}", answer.status,
                    answer.length.value_or(answer.body.size()), answer.headers, answer.body);
    connection_->write_copy({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
    constexpr int64_t kAtMostMs = 1000;
    if (answer.then == HttpAnswer::Then::kClose) {
      sail::TcpConnection::close_after_writes(std::move(connection_), kAtMostMs);
    }
  }

 private:
  HttpServer& server_;
  std::unique_ptr<sail::TcpConnection> connection_;
  std::array<uint8_t, 4096> buffer_{};
  std::string asked_;
};

HttpServer::HttpServer(Handler handler) : handler_(std::move(handler)) {
  auto listener = sail::TcpListener::listen(
      loop_, {"127.0.0.1", 0}, [this](std::unique_ptr<sail::TcpConnection> connection) {
        client_connections_.push_back(
            std::make_unique<ClientConnection>(*this, std::move(connection)));
      });
  listener_ = std::move(listener.value());
  port_ = listener_->address().port;
  thread_ = std::thread([this] { loop_.run(); });
}

HttpServer::~HttpServer() {
  loop_.post([this] {
    client_connections_.clear();
    listener_.reset();
  });
  loop_.stop();
  thread_.join();
}

std::string HttpServer::url(const std::string& path) const {
  return fmt::format("http://127.0.0.1:{}{}", port_, path);
}

std::vector<HttpRequest> HttpServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

void HttpServer::answer(ClientConnection& visitor, const std::string& head) {
  HttpRequest request;
  request.head = head;
  const size_t path = head.find(' ') + 1;
  request.path = head.substr(path, head.find(' ', path) - path);
  unsigned long long first = 0;
  unsigned long long last = 0;
  const size_t range = head.find("Range: bytes=");
  if (range != std::string::npos &&
      std::sscanf(head.c_str() + range, "Range: bytes=%llu-%llu", &first, &last) == 2) {
    request.first = first;
    request.last = last;
  }
  {
    const std::lock_guard lock(mutex_);
    request.number = requests_.size();
    requests_.push_back(request);
  }
  held_.emplace_back(&visitor, handler_(request));
  for (size_t i = 0; i < held_.size();) {
    if (held_[i].second.after > request.number) {
      ++i;
      continue;
    }
    const auto [to, answer] = std::move(held_[i]);
    held_.erase(held_.begin() + static_cast<ptrdiff_t>(i));
    to->send(answer);
  }
}

HttpAnswer HttpServer::part_of(const std::string& content, const HttpRequest& request) {
  HttpAnswer answer;
  if (request.first >= content.size()) {
    answer.status = "416 Range Not Satisfiable";
    answer.headers = fmt::format("Content-Range: bytes */{}\r\n", content.size());
    return answer;
  }
  const uint64_t last = std::min<uint64_t>(request.last, content.size() - 1);
  answer.status = "206 Partial Content";
  answer.headers = fmt::format("Content-Range: bytes {}-{}/{}\r\nETag: \"one\"\r\n", request.first,
                               last, content.size());
  answer.body = content.substr(request.first, last - request.first + 1);
  return answer;
}

}  // namespace test
