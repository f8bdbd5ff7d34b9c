// An HTTP request handled by libwebsockets, and its answer. For this folder only.
#pragma once

#include <libwebsockets.h>

#include <memory>
#include <string>

#include "sail/core/http/web_exchange.h"

namespace sail {

// Returns a header's value while the request is being handled; empty if it is missing or too long.
// Name in lower case.
std::optional<std::string> request_header(lws* connection, std::string_view name);
// request_header() cannot return this header, which libwebsockets does not know by name.
bool is_too_long(lws* connection, std::string_view name);
// Returns the body's length; empty if the headers are contradictory or invalid.
std::optional<uint64_t> request_body_length(lws* connection);
// Writes a complete small answer at once; the connection must then be closed.
void answer_now(lws* connection, const WebAnswer& answer);
// Returns the whole path of a request that begins with `first`. libwebsockets cuts the path at a
// literal '&' or ';' without reporting which; both become '&' here.
std::string request_path(lws* connection, std::string_view first);

class LwsExchange : public WebExchange {
 public:
  // `path`: decoded by libwebsockets.
  LwsExchange(lws* connection, std::string_view path, uint64_t body_size, int64_t timeout_s);

  const std::string& method() const override { return method_; }
  const std::string& path() const override { return path_; }
  std::optional<std::string> header(std::string_view name) const override;
  std::optional<std::string> query(std::string_view name) const override;
  std::vector<std::string> query_names() const override;
  uint64_t body_size() const override { return body_size_; }
  Address peer() const override { return peer_; }
  Address local() const override;
  void read_body(BodyReader reader) override;
  void pause_body() override;
  void resume_body() override;
  void answer(WebAnswer answer) override;
  void answer_by_pieces(WebAnswer answer, BodyWriter writer) override;
  void write(std::span<uint8_t> piece) override;
  void give_up() override;

  // --- events of libwebsockets; a nonzero result closes the connection
  void on_body(std::string_view bytes);
  int on_body_end();
  // The handler has returned.
  void on_handled();
  // Answered, or the client has disconnected.
  bool is_over() const { return connection_ == nullptr; }
  int on_writable();
  int on_timer();
  // The connection was closed.
  void on_gone();
  // Drops all callbacks; none is called after this.
  void silence();

 private:
  std::optional<std::pair<std::string, std::string>> query_item(int i) const;
  void begin_answer(const WebAnswer& answer);
  int write_head();
  int write_piece();
  int ask_for_more();
  int end();
  // The answer was sent; the rest of the client's body is discarded.
  bool hears_out() const { return connection_ == nullptr && !keep_alive_; }

  lws* connection_;  // null: closed, or the exchange is over
  const Address peer_;
  const int timeout_s_;
  std::string method_;
  std::string path_;
  const uint64_t body_size_;
  uint64_t body_left_;
  BodyReader reader_;
  bool paused_ = false;  // by pause_body()
  bool answered_ = false;
  bool body_ended_ = false;
  std::string out_;  // headers, and the body if it is in memory
  size_t written_ = 0;
  BodyWriter writer_;
  uint64_t to_come_ = 0;      // bytes that the writer has not passed to write() yet
  std::span<uint8_t> piece_;  // unsent rest of the current piece
  bool given_up_ = false;
  bool keep_alive_ = true;
};

}  // namespace sail
