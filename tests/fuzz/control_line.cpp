// Bytes of a control connection: lines, JSON-RPC, and every control message that the params or the
// result may represent.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/wire/rpc.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/sail/core/wire/data/reencode.h"

namespace {

using namespace sail;

// Without a byte order mark, which the parser skips and no peer should send.
bool is_object(std::string_view line) {
  if (line.starts_with("\xef\xbb\xbf")) return false;
  const auto message = parse_json(line, kMaxControlLine);
  return message && message->is_object();
}

std::vector<std::string> lines_of(std::string_view bytes, size_t piece) {
  LineFramer framer;
  std::vector<std::string> lines;
  while (!bytes.empty()) {
    if (!framer.add(bytes.substr(0, piece))) break;
    bytes.remove_prefix(std::min(piece, bytes.size()));
    for (bool may_be = framer.may_be_object();; may_be = framer.may_be_object()) {
      const auto line = framer.next();
      if (!line) break;
      lines.emplace_back(*line);
      fuzz::require(may_be || !is_object(*line), "what is an object may be one");
    }
  }
  return lines;
}

std::string without_newline(std::string line) {
  fuzz::require(line.find('\n') == line.size() - 1, "a message is one line");
  line.pop_back();
  return line;
}

void check_body(const Json& body) {
  for (const ControlMessage& message : control_messages()) {
    const auto once = message.reencode(body);
    if (!once) continue;
    const auto twice = message.reencode(*once);
    fuzz::require(twice && *twice == *once,
                  "a control message encodes to what it was decoded from");
  }
}

void check_request(const RpcRequest& request) {
  const std::string line =
      without_newline(request.id ? request_line(*request.id, request.method, request.params)
                                 : notification_line(request.method, request.params));
  const auto again = parse_rpc(line);
  const auto* same = again ? std::get_if<RpcRequest>(&*again) : nullptr;
  fuzz::require(same != nullptr && same->id == request.id && same->method == request.method &&
                    same->params == request.params,
                "a request reads back as what it was");
  check_body(request.params);
}

void check_response(const RpcResponse& response) {
  if (!response.result) return;
  const auto again = parse_rpc(without_newline(result_line(response.id, *response.result)));
  const auto* same = again ? std::get_if<RpcResponse>(&*again) : nullptr;
  fuzz::require(same != nullptr && same->id == response.id && same->result == response.result,
                "a response reads back as what it was");
  check_body(*response.result);
}

void check_line(std::string_view line) {
  const auto message = parse_rpc(line);
  if (!message) {
    const RpcFault& fault = message.error();
    const auto answer = parse_rpc(without_newline(error_line(fault.id, fault.error)));
    fuzz::require(answer && std::holds_alternative<RpcResponse>(*answer),
                  "an error is a response, which nobody answers");
  } else if (const auto* request = std::get_if<RpcRequest>(&*message)) {
    check_request(*request);
  } else {
    check_response(std::get<RpcResponse>(*message));
  }
}

}  // namespace

FUZZ_TARGET(control_line) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto lines = lines_of(bytes, SIZE_MAX);
  fuzz::require(lines_of(bytes, 1) == lines && lines_of(bytes, 7) == lines,
                "lines do not depend on how the bytes are split");
  for (const std::string& line : lines) check_line(line);
  check_line(bytes);
  return 0;
}
