#include "sail/core/wire/rpc.h"

#include <fmt/core.h>

#include <algorithm>

#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/wire/standby.h"

namespace sail {
namespace {

using RpcMessage = std::variant<RpcRequest, RpcResponse>;

constexpr ErrorCode kErrorCodes[] = {ErrorCode::kParseError,
                                     ErrorCode::kInvalidRequest,
                                     ErrorCode::kUnknownMethod,
                                     ErrorCode::kInvalidParams,
                                     ErrorCode::kInternal,
                                     ErrorCode::kUnauthorized,
                                     ErrorCode::kUnsupportedProtocol,
                                     ErrorCode::kNotFound,
                                     ErrorCode::kConflict,
                                     ErrorCode::kLimit,
                                     ErrorCode::kUnavailable,
                                     ErrorCode::kTimeout,
                                     ErrorCode::kBadData,
                                     ErrorCode::kIo,
                                     ErrorCode::kBusy};

constexpr size_t kMaxErrorMessage = 1024;

const Json* find(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

std::optional<int64_t> read_id(const Json& message) {
  const Json* id = find(message, "id");
  return id == nullptr ? std::nullopt : whole_number(*id, INT64_MIN, INT64_MAX);
}

bool has_version(const Json& message) {
  const Json* version = find(message, "jsonrpc");
  return version != nullptr && version->is_string() && *version == "2.0";
}

// Unknown codes, e.g. of a later version, become kInternal.
Error read_error(const Json& value) {
  Error error{ErrorCode::kInternal, "the peer sent an error without a message"};
  if (!value.is_object()) return error;
  if (const Json* code = find(value, "code"); code != nullptr && code->is_number_integer()) {
    const auto known = std::find_if(std::begin(kErrorCodes), std::end(kErrorCodes),
                                    [&](auto c) { return *code == static_cast<int>(c); });
    if (known != std::end(kErrorCodes)) error.code = *known;
  }
  if (const Json* message = find(value, "message"); message != nullptr && message->is_string()) {
    error.message = make_plain_text(message->get_ref<const std::string&>(), kMaxErrorMessage);
  }
  return error;
}

std::string read_elsewhere(const Json& error) {
  const Json* data = error.is_object() ? find(error, "data") : nullptr;
  const Json* at = data != nullptr && data->is_object() ? find(*data, "at") : nullptr;
  return at != nullptr && at->is_string()
             ? make_plain_text(at->get_ref<const std::string&>(), kMaxAddressText)
             : "";
}

RpcResponse read_response(const Json& message) {
  RpcResponse response{read_id(message).value_or(0), Json()};
  const Json* result = find(message, "result");
  const Json* error = find(message, "error");
  if (!has_version(message) || (result != nullptr) == (error != nullptr)) {
    response.result = fail(ErrorCode::kInvalidRequest, "the peer's answer is not JSON-RPC 2.0");
  } else if (error != nullptr) {
    response.result = read_error(*error);
    response.at = read_elsewhere(*error);
  } else {
    response.result = *result;
  }
  return response;
}

Expected<RpcMessage, RpcFault> read_request(Json message) {
  const std::optional<int64_t> id = read_id(message);
  const auto refuse = [&](ErrorCode code, const char* text) {
    return RpcFault{id, Error{code, text}};
  };
  if (!has_version(message)) {
    return refuse(ErrorCode::kInvalidRequest, R"('jsonrpc' must be "2.0")");
  }
  if (!id && find(message, "id") != nullptr) {
    return refuse(ErrorCode::kInvalidRequest, "'id' must be a 64-bit integer");
  }
  const Json* method = find(message, "method");
  const auto* name = method == nullptr ? nullptr : method->get_ptr<const std::string*>();
  if (name == nullptr || !is_method_name(*name)) {
    return refuse(ErrorCode::kInvalidRequest, "'method' must be a method name");
  }
  RpcRequest request{id, *name};
  if (const auto params = message.find("params"); params != message.end()) {
    if (!params->is_object()) {
      return refuse(ErrorCode::kInvalidParams, "'params' must be an object of named parameters");
    }
    request.params = std::move(*params);
  }
  return request;
}

constexpr std::string_view kNotificationStart = R"({"jsonrpc":"2.0","method":)";

}  // namespace

bool is_method_name(std::string_view name) {
  return !name.empty() && name.size() <= kMaxMethodLength && is_plain_text(name);
}

std::string compact_text(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string quoted_text(std::string_view text) {
  const bool plain = std::ranges::all_of(text, [](char letter) {
    return letter >= ' ' && letter <= '~' && letter != '"' && letter != '\\';
  });
  return plain ? fmt::format("\"{}\"", text) : compact_text(text);
}

std::string result_start(int64_t id) {
  return fmt::format(R"({{"jsonrpc":"2.0","id":{},"result":)", id);
}

Expected<RpcMessage, RpcFault> parse_rpc(std::string_view line) {
  const auto refuse = [](Error error) { return RpcFault{std::nullopt, std::move(error)}; };
  Result<Json> message = parse_json(line, kMaxControlLine);
  if (!message) return refuse(message.error());
  if (message->is_array()) {
    return refuse(
        {ErrorCode::kInvalidRequest, "batches are not supported: send one object per line"});
  }
  if (!message->is_object()) {
    return refuse({ErrorCode::kInvalidRequest, "a message must be a JSON object"});
  }
  const bool answers = find(*message, "result") != nullptr || find(*message, "error") != nullptr;
  if (answers && find(*message, "method") == nullptr) return read_response(*message);
  // Not returned directly: tl::expected leaks when one expected is converted to another.
  auto request = read_request(*std::move(message));
  if (!request) return std::move(request).error();
  return *std::move(request);
}

std::string request_line(int64_t id, std::string_view method, const Json& params) {
  return fmt::format(R"({{"jsonrpc":"2.0","id":{},"method":{},"params":{}}})"
                     "\n",
                     id, quoted_text(method), compact_text(params));
}

std::string notification_line(std::string_view method, const Json& params) {
  return fmt::format(R"({}{},"params":{}}})"
                     "\n",
                     kNotificationStart, quoted_text(method), compact_text(params));
}

bool is_notification(std::string_view line) {
  return line.starts_with(kNotificationStart);
}

std::string result_line(int64_t id, const Json& result) {
  return result_start(id).append(compact_text(result)).append(kResultEnd);
}

std::optional<std::string_view> result_in(std::string_view line, int64_t id) {
  const std::string start = result_start(id);
  if (!line.starts_with(start) || !line.ends_with(kResultEnd)) return std::nullopt;
  line.remove_prefix(start.size());
  return line.substr(0, line.size() - kResultEnd.size());
}

std::string error_line(std::optional<int64_t> id, const Error& error, const std::string& at) {
  return fmt::format(
      R"({{"jsonrpc":"2.0","id":{},"error":{{"code":{},"message":{},"data":{{"name":"{}"{}}}}}}})"
      "\n",
      id ? std::to_string(*id) : "null", static_cast<int>(error.code), quoted_text(error.message),
      error_name(error.code), at.empty() ? "" : fmt::format(R"(,"at":{})", quoted_text(at)));
}

bool LineFramer::add(std::string_view bytes) {
  for (std::string_view left = bytes; !left.empty();) {
    const size_t newline = left.find('\n');
    unfinished_ += std::min(newline, left.size());
    if (unfinished_ > kMaxControlLine) return false;
    if (newline == std::string_view::npos) break;
    unfinished_ = 0;
    left.remove_prefix(newline + 1);
  }
  buffer_.erase(0, at_);
  at_ = 0;
  buffer_.append(bytes);
  return true;
}

std::optional<std::string_view> LineFramer::next() {
  if (buffer_.size() - at_ == unfinished_) {
    give_back_room();
    return std::nullopt;
  }
  const size_t newline = buffer_.find('\n', at_);
  std::string_view line(buffer_.data() + at_, newline - at_);
  at_ = newline + 1;
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool LineFramer::may_be_object() const {
  const size_t begin = buffer_.find_first_not_of(" \t\r", at_);
  return begin == std::string::npos || buffer_[begin] == '{';
}

// Releases the memory of a large line: large lines are rare.
void LineFramer::give_back_room() {
  constexpr size_t kKept = 16 << 10;
  if (buffer_.capacity() <= kKept || unfinished_ > kKept) return;
  buffer_.erase(0, at_);
  at_ = 0;
  buffer_.shrink_to_fit();
}

}  // namespace sail
