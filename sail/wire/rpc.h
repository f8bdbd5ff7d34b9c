// JSON-RPC 2.0, one object a line (newline-delimited UTF-8). No batches. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "sail/wire/json.h"

namespace sail {

struct RpcRequest {
  std::optional<int64_t> id;  // none: a notification, which is never answered
  std::string method;
  Json params = Json::object();
};

// Whatever answers is a response, even when it is malformed (the result is then an error), so that
// two peers never answer each other's errors for ever.
struct RpcResponse {
  int64_t id =
      0;  // 0, which names no request: the peer could not read ours, or its id is unreadable
  Result<Json> result;
  std::string at{};  // of an error: "host:port" of who is to be asked instead; empty: nobody
};

// The error that a peer gets back, with the request's id where one could be read.
struct RpcFault {
  std::optional<int64_t> id;
  Error error;
};

// One line, without its newline.
Expected<std::variant<RpcRequest, RpcResponse>, RpcFault> parse_rpc(std::string_view line);

// Each with its newline.
std::string request_line(int64_t id, std::string_view method, const Json& params);
std::string notification_line(std::string_view method, const Json& params);
std::string result_line(int64_t id, const Json& result);
// at: "host:port" of who is to be asked instead.
std::string error_line(std::optional<int64_t> id, const Error& error, const std::string& at = {});

// Cuts a byte stream into lines of at most kMaxControlLine bytes. Holds no more than one unfinished
// line when next() is called until it gives nothing after each add().
class LineFramer {
 public:
  // Adds bytes; false when a line passed the limit (the session must end).
  bool add(std::string_view bytes);
  // The next whole line, without newline or carriage return; valid until the next call.
  std::optional<std::string_view> next();
  // Whether what comes next may be an object: what is there of it begins with a brace.
  bool may_be_object() const;

 private:
  void give_back_room();

  std::string buffer_;
  size_t at_ = 0;          // start of the first line not handed out
  size_t unfinished_ = 0;  // bytes after the last newline
};

}  // namespace sail
