// An HTTP request that libwebsockets took, and the answer on its way out. Not for other folders.
#pragma once

#include <libwebsockets.h>

#include <memory>
#include <string>

#include "sail/net/web_server.h"

namespace sail {

// The value of a request's header while it is being handled; nothing when it has none or too long a
// one. Name in lower case.
std::optional<std::string> request_header(lws* connection, std::string_view name);
// The length of the body; nothing when the headers contradict each other or the rules.
std::optional<uint64_t> request_body_length(lws* connection);
// Writes a whole small answer at once, for connections that end with it.
void answer_now(lws* connection, const WebAnswer& answer);
// Of a request whose path begins so: all of it. Where it has '&' or ';' as they are, libwebsockets
// ends it and does not say which of the two it was: both are '&' here.
std::string request_path(lws* connection, std::string_view first);

class LwsExchange : public WebExchange {
 public:
  // `path` as libwebsockets decoded it.
  LwsExchange(lws* connection, std::string_view path, uint64_t body_size, int64_t timeout_s);

  const std::string& method() const override { return method_; }
  const std::string& path() const override { return path_; }
  std::optional<std::string> header(std::string_view name) const override;
  std::optional<std::string> query(std::string_view name) const override;
  uint64_t body_size() const override { return body_size_; }
  Address peer() const override;
  void read_body(BodyReader reader) override;
  void pause_body() override;
  void resume_body() override;
  void answer(WebAnswer answer) override;
  void answer_by_pieces(WebAnswer answer, BodyWriter writer) override;
  void write(std::span<uint8_t> piece) override;
  void give_up() override;

  // --- what libwebsockets says; the results are for it: nonzero ends the connection
  void on_body(std::string_view bytes);
  int on_body_end();
  // The handler has returned.
  void on_handled();
  // Answered, or the client has gone.
  bool is_over() const { return connection_ == nullptr; }
  int on_writable();
  int on_timer();
  // The connection is no more.
  void on_gone();
  // Nobody is to hear anything any more.
  void silence();

 private:
  void begin_answer(const WebAnswer& answer);
  int write_head();
  int write_piece();
  int ask_for_more();
  int end();
  // All is said, and what the client still sends is for nobody.
  bool hears_out() const { return connection_ == nullptr && !keep_alive_; }

  lws* connection_;  // null: gone, or the exchange is over
  const int timeout_s_;
  std::string method_;
  std::string path_;
  const uint64_t body_size_;
  uint64_t body_left_;
  BodyReader reader_;
  bool answered_ = false;
  std::string out_;  // head, and the body that is in memory
  size_t written_ = 0;
  BodyWriter writer_;
  uint64_t to_come_ = 0;      // of what the writer brings, and is not in piece_ yet
  std::span<uint8_t> piece_;  // what is left of it
  bool given_up_ = false;
  bool keep_alive_ = true;
};

}  // namespace sail
