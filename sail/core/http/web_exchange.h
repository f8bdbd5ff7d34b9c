// An HTTP request that a handler answers. Thread: the loop's.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sail/core/address/address.h"

namespace sail {

struct WebAnswer {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;  // for HEAD only its length is sent
  // No length is announced: the body ends with the connection.
  static constexpr uint64_t kEndless = UINT64_MAX;
  std::optional<uint64_t> length{};  // length of a body that is sent in pieces instead of `body`
  std::string connect_sources{};     // additional sources for the page's content security policy
  std::string policy{};              // further directives of the policy, without the last ";"
  bool for_all_sites = false;        // pages of other sites may load it
};
WebAnswer text_answer(int status, std::string_view text);

// A request and its answer, shared by the server and the handler. After the client has
// disconnected, calls do nothing.
class WebExchange {
 public:
  struct BodyReader {
    // Pieces in order; in total at most body_size().
    std::function<void(std::string_view bytes)> on_bytes;
    std::function<void()> on_end;
    // The client disconnected before the answer. No more callbacks follow.
    std::function<void()> on_gone;
  };

  // Source of a body that is too long for memory.
  struct BodyWriter {
    // The client can take more: pass the next piece to write(), at once or later.
    std::function<void()> on_wanted;
    // Called once at the end: everything was sent, or the client disconnected or was too slow.
    std::function<void()> on_over;
    int64_t wait_timeout_s = 0;  // timeout for a client that takes no data
  };
  // Bytes that must be free before a piece: the server may write there.
  static constexpr size_t kRoomBefore = 16;

  virtual ~WebExchange() = default;
  WebExchange(const WebExchange&) = delete;
  WebExchange& operator=(const WebExchange&) = delete;

  virtual const std::string& method() const = 0;  // "GET", "HEAD", "POST", "PATCH", …
  // Decoded, without the query. Begins with "/" and has no "." or ".." segments.
  virtual const std::string& path() const = 0;
  // Only while the handler runs, as all until local(). Name in lower case. A value over 4 KiB is
  // treated as missing.
  virtual std::optional<std::string> header(std::string_view name) const = 0;
  virtual std::optional<std::string> query(std::string_view name) const = 0;
  virtual std::vector<std::string> query_names() const = 0;  // may repeat
  virtual Address peer() const = 0;
  virtual Address local() const = 0;
  virtual uint64_t body_size() const = 0;

  // Only while the handler runs: the body arrives after it has returned. Without a reader the body
  // is not read, and the connection is closed after the answer.
  virtual void read_body(BodyReader reader) = 0;
  // Stop and continue the body, for readers that are slower than the client.
  virtual void pause_body() = 0;
  virtual void resume_body() = 0;
  // Call once, at once or later.
  virtual void answer(WebAnswer answer) = 0;
  // Instead of answer(): announces answer.length bytes, at least one.
  virtual void answer_by_pieces(WebAnswer answer, BodyWriter writer) = 0;
  // Call once after each on_wanted. The bytes must stay unchanged until on_wanted or on_over is
  // called. All pieces together have the announced length.
  virtual void write(std::span<uint8_t> piece) = 0;
  // The body cannot be completed: closes the connection, so that the client notices the truncation.
  virtual void give_up() = 0;

 protected:
  WebExchange() = default;
};

}  // namespace sail
