// JSON-RPC 2.0, one object per line (newline-delimited UTF-8). No batches. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "sail/core/text/json.h"

namespace sail {

struct RpcRequest {
  std::optional<int64_t> id;  // empty: a notification, which is never answered
  std::string method;
  Json params = Json::object();
};

// Every message with a result or an error, and without a method, is a response, even if it is
// malformed (the result is then an error). So two peers never answer each other's errors endlessly.
struct RpcResponse {
  int64_t id = 0;  // 0 if the id is unreadable, or the peer could not read our request
  Result<Json> result;
  std::string at{};  // with an error: "host:port" of the manager to ask instead; empty: none
};

// Whether a request may have this method, known or not.
bool is_method_name(std::string_view name);

// The error to send back, with the request's id if it could be read.
struct RpcFault {
  std::optional<int64_t> id;
  Error error;
};

// Parses one line without its newline.
Expected<std::variant<RpcRequest, RpcResponse>, RpcFault> parse_rpc(std::string_view line);

// Returns the value as in a line. Bytes that are not UTF-8 (e.g. from file names) become U+FFFD.
std::string compact_text(const Json& value);
// As compact_text(), for a string.
std::string quoted_text(std::string_view text);

// Each result ends with a newline.
std::string request_line(int64_t id, std::string_view method, const Json& params);
std::string notification_line(std::string_view method, const Json& params);
// Whether notification_line() made the line.
bool is_notification(std::string_view line);
std::string result_line(int64_t id, const Json& result);
// What result_line() writes before and after the result's text.
std::string result_start(int64_t id);
constexpr std::string_view kResultEnd = "}\n";
// Returns the JSON text of the result in a line of result_line() with this id; empty: another line.
std::optional<std::string_view> result_in(std::string_view line, int64_t id);
// at: "host:port" of the manager to ask instead.
std::string error_line(std::optional<int64_t> id, const Error& error, const std::string& at = {});

// Cuts a byte stream into lines of at most kMaxControlLine bytes. Holds at most one incomplete line
// if next() is called until it returns empty after each add().
class LineFramer {
 public:
  // Adds bytes. Returns false if a line exceeds the limit; the session must then end.
  bool add(std::string_view bytes);
  // Returns the next whole line without newline or carriage return. Valid until the next call.
  std::optional<std::string_view> next();
  // False if the pending bytes begin with something other than '{': not an object.
  bool may_be_object() const;

 private:
  void give_back_room();

  std::string buffer_;
  size_t at_ = 0;          // start of the first line not returned yet
  size_t unfinished_ = 0;  // bytes after the last newline
};

}  // namespace sail
