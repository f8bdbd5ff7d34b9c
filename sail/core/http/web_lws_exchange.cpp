#include "sail/core/http/web_lws_exchange.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <utility>

#include "sail/core/address/socket_address.h"
#include "sail/core/http/web_rules.h"

namespace sail {
namespace {

constexpr size_t kLongestHeader = 4096;
constexpr size_t kPiece = 65536;         // bytes of an answer passed to the system at once
constexpr lws_usec_t kLookUs = 500'000;  // interval of checks for disconnects

struct Method {
  lws_token_indexes token;
  const char* name;
};
constexpr Method kMethods[] = {{WSI_TOKEN_GET_URI, "GET"},        {WSI_TOKEN_HEAD_URI, "HEAD"},
                               {WSI_TOKEN_POST_URI, "POST"},      {WSI_TOKEN_PATCH_URI, "PATCH"},
                               {WSI_TOKEN_DELETE_URI, "DELETE"},  {WSI_TOKEN_PUT_URI, "PUT"},
                               {WSI_TOKEN_OPTIONS_URI, "OPTIONS"}};

// Headers that libwebsockets stores by number; all others are stored by name.
struct KnownHeader {
  std::string_view name;
  lws_token_indexes token;
};
constexpr KnownHeader kKnownHeaders[] = {
    {"host", WSI_TOKEN_HOST},
    {"origin", WSI_TOKEN_ORIGIN},
    {"accept-encoding", WSI_TOKEN_HTTP_ACCEPT_ENCODING},
    {"if-none-match", WSI_TOKEN_HTTP_IF_NONE_MATCH},
    {"if-match", WSI_TOKEN_HTTP_IF_MATCH},
    {"if-modified-since", WSI_TOKEN_HTTP_IF_MODIFIED_SINCE},
    {"if-unmodified-since", WSI_TOKEN_HTTP_IF_UNMODIFIED_SINCE},
    {"if-range", WSI_TOKEN_HTTP_IF_RANGE},
    {"range", WSI_TOKEN_HTTP_RANGE},
    {"authorization", WSI_TOKEN_HTTP_AUTHORIZATION},
    {"content-type", WSI_TOKEN_HTTP_CONTENT_TYPE},
    {"content-length", WSI_TOKEN_HTTP_CONTENT_LENGTH},
    {"transfer-encoding", WSI_TOKEN_HTTP_TRANSFER_ENCODING},
    {"connection", WSI_TOKEN_CONNECTION},
    {"sec-websocket-protocol", WSI_TOKEN_PROTOCOL},
};

std::string method_of(lws* connection) {
  const auto* found =
      std::find_if(std::begin(kMethods), std::end(kMethods), [connection](const Method& method) {
        return lws_hdr_total_length(connection, method.token) > 0;
      });
  return found == std::end(kMethods) ? "" : found->name;
}

// libwebsockets needs room before the data.
int write_bytes(lws* connection, std::string_view bytes, lws_write_protocol kind) {
  std::string buffer;
  buffer.reserve(LWS_PRE + bytes.size());
  buffer.append(LWS_PRE, '\0').append(bytes);
  return lws_write(connection, reinterpret_cast<unsigned char*>(buffer.data()) + LWS_PRE,
                   bytes.size(), kind);
}

}  // namespace

std::optional<std::string> request_header(lws* connection, std::string_view name) {
  std::array<char, kLongestHeader + 1> value;
  const auto* known =
      std::find_if(std::begin(kKnownHeaders), std::end(kKnownHeaders),
                   [name](const KnownHeader& header) { return header.name == name; });
  int length = 0;
  if (known != std::end(kKnownHeaders)) {
    if (lws_hdr_total_length(connection, known->token) <= 0) return std::nullopt;
    length = lws_hdr_copy(connection, value.data(), int{value.size()}, known->token);
  } else {
    const std::string line = std::string(name) + ":";
    length = lws_hdr_custom_copy(connection, value.data(), int{value.size()}, line.c_str(),
                                 static_cast<int>(line.size()));
  }
  if (length < 0) return std::nullopt;
  return std::string(value.data(), static_cast<size_t>(length));
}

bool is_too_long(lws* connection, std::string_view name) {
  const std::string line = std::string(name) + ":";
  return lws_hdr_custom_length(connection, line.c_str(), static_cast<int>(line.size())) >
         int{kLongestHeader};
}

std::optional<uint64_t> request_body_length(lws* connection) {
  const auto has = [connection](lws_token_indexes token) {
    return lws_hdr_total_length(connection, token) > 0;
  };
  // libwebsockets treats names with a space before the colon as other headers.
  for (const std::string_view spaced :
       {"content-length :", "content-length\t:", "transfer-encoding :", "transfer-encoding\t:"}) {
    const int size = static_cast<int>(spaced.size());
    if (lws_hdr_custom_length(connection, spaced.data(), size) >= 0) return std::nullopt;
  }
  if (!has(WSI_TOKEN_HTTP_CONTENT_LENGTH)) return 0;
  const auto said = request_header(connection, "content-length");
  if (!said || has(WSI_TOKEN_HTTP_TRANSFER_ENCODING)) return std::nullopt;
  return body_length(*said);
}

std::string request_path(lws* connection, std::string_view first) {
  const auto* method = std::ranges::find_if(kMethods, [connection](const Method& one) {
    return lws_hdr_total_length(connection, one.token) > 0;
  });
  std::string path(first);
  if (method == std::end(kMethods)) return path;
  std::array<char, kLongestHeader + 1> part;
  for (int i = 1;; ++i) {
    const int length =
        lws_hdr_copy_fragment(connection, part.data(), int{part.size()}, method->token, i);
    if (length < 0) return path;
    if (i == 1) path.resize(std::min(path.find('\0'), path.size()));  // it includes the next parts
    path.append("&").append(part.data(), static_cast<size_t>(length));
  }
}

void answer_now(lws* connection, const WebAnswer& answer) {
  write_bytes(connection, answer_head(answer, false) + answer.body, LWS_WRITE_HTTP_HEADERS);
}

LwsExchange::LwsExchange(lws* connection, std::string_view path, uint64_t body_size,
                         int64_t timeout_s)
    : connection_(connection),
      peer_(address_of(lws_get_socket_fd(connection), getpeername)),
      timeout_s_(static_cast<int>(timeout_s)),
      method_(method_of(connection)),
      path_(path),
      body_size_(body_size),
      body_left_(body_size) {}

std::optional<std::string> LwsExchange::header(std::string_view name) const {
  if (connection_ == nullptr) return std::nullopt;
  return request_header(connection_, name);
}

std::optional<std::string> LwsExchange::query(std::string_view name) const {
  for (int i = 0;; ++i) {
    auto item = query_item(i);
    if (!item || item->first == name) return item ? std::optional(item->second) : std::nullopt;
  }
}

std::vector<std::string> LwsExchange::query_names() const {
  std::vector<std::string> names;
  for (int i = 0; auto item = query_item(i); ++i) names.push_back(item->first);
  return names;
}

// Name and value of the query's i-th item; empty: the query has no such item.
std::optional<std::pair<std::string, std::string>> LwsExchange::query_item(int i) const {
  if (connection_ == nullptr) return std::nullopt;
  const int length = lws_hdr_fragment_length(connection_, WSI_TOKEN_HTTP_URI_ARGS, i);
  std::string text(static_cast<size_t>(length) + 1, '\0');
  if (lws_hdr_copy_fragment(connection_, text.data(), length + 1, WSI_TOKEN_HTTP_URI_ARGS, i) < 0) {
    return std::nullopt;
  }
  text.pop_back();
  const size_t equals = std::min(text.find('='), text.size());
  return std::pair(text.substr(0, equals), text.substr(std::min(equals + 1, text.size())));
}

Address LwsExchange::local() const {
  if (connection_ == nullptr) return {};
  return address_of(lws_get_socket_fd(connection_), getsockname);
}

void LwsExchange::read_body(BodyReader reader) {
  reader_ = std::move(reader);
}

void LwsExchange::pause_body() {
  if (connection_ != nullptr && !std::exchange(paused_, true)) lws_rx_flow_control(connection_, 0);
}

void LwsExchange::resume_body() {
  if (connection_ != nullptr && std::exchange(paused_, false)) lws_rx_flow_control(connection_, 1);
}

void LwsExchange::answer(WebAnswer answer) {
  if (connection_ == nullptr || std::exchange(answered_, true)) return;
  begin_answer(answer);
  if (method_ != "HEAD" && answer.status != 304) out_ += answer.body;
}

void LwsExchange::answer_by_pieces(WebAnswer answer, BodyWriter writer) {
  if (connection_ == nullptr || std::exchange(answered_, true)) return;
  begin_answer(answer);
  to_come_ = answer.length.value_or(0);
  writer_ = std::move(writer);
}

void LwsExchange::begin_answer(const WebAnswer& answer) {
  // Unread body bytes would be taken for the next request.
  keep_alive_ = body_left_ == 0 && answer.length != WebAnswer::kEndless;
  out_ = answer_head(answer, keep_alive_);
  // libwebsockets does not write to a connection that it does not read.
  resume_body();
  lws_callback_on_writable(connection_);
}

void LwsExchange::on_body(std::string_view bytes) {
  body_left_ -= std::min<uint64_t>(body_left_, bytes.size());
  if (answered_ || !reader_.on_bytes) return;
  reader_.on_bytes(bytes);
}

void LwsExchange::on_handled() {
  // The handler may take any time to answer.
  const bool waits = connection_ != nullptr && !answered_ && body_left_ == 0;
  if (!waits) return;
  lws_set_timeout(connection_, NO_PENDING_TIMEOUT, 0);
  if (reader_.on_gone) lws_set_timer_usecs(connection_, kLookUs);
}

// libwebsockets does not read while a request is being answered, so it would not notice a
// disconnect. Data sent before the disconnect (such as TLS close_notify) is not read either.
int LwsExchange::on_timer() {
  if (hears_out()) return -1;
  if (connection_ == nullptr || answered_) return 0;
  pollfd look{lws_get_socket_fd(connection_), POLLRDHUP, 0};
  if (poll(&look, 1, 0) > 0) return -1;
  lws_set_timer_usecs(connection_, kLookUs);
  return 0;
}

// If a client sends a request before it has the answer to the former one, libwebsockets 4.1 reports
// the end of the former request's body again and again.
int LwsExchange::on_body_end() {
  if (std::exchange(body_ended_, true)) return -1;
  body_left_ = 0;
  if (hears_out()) return -1;
  on_handled();
  if (!answered_ && reader_.on_end) reader_.on_end();
  return 0;
}

void LwsExchange::write(std::span<uint8_t> piece) {
  if (connection_ == nullptr || given_up_) return;
  piece_ = piece.first(std::min<uint64_t>(piece.size(), to_come_));
  to_come_ -= piece_.size();
  lws_set_timeout(connection_, PENDING_TIMEOUT_HTTP_CONTENT,
                  static_cast<int>(writer_.wait_timeout_s));
  lws_callback_on_writable(connection_);
}

void LwsExchange::give_up() {
  given_up_ = true;
  if (connection_ == nullptr) return;
  lws_set_timeout(connection_, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
  // Wakes the library, which otherwise checks its timeouts only at the next event.
  lws_cancel_service(lws_get_context(connection_));
}

int LwsExchange::on_writable() {
  if (!answered_ || connection_ == nullptr) return 0;
  if (given_up_) return -1;
  if (written_ < out_.size()) {
    if (write_head() < 0) return -1;
  } else if (!piece_.empty() && write_piece() < 0) {
    return -1;
  }
  if (written_ < out_.size() || !piece_.empty()) {
    lws_callback_on_writable(connection_);
    return 0;
  }
  return to_come_ > 0 ? ask_for_more() : end();
}

int LwsExchange::write_head() {
  const std::string_view piece = std::string_view(out_).substr(written_, kPiece);
  const auto kind = written_ == 0 ? LWS_WRITE_HTTP_HEADERS : LWS_WRITE_HTTP;
  lws_set_timeout(connection_, PENDING_TIMEOUT_HTTP_CONTENT, timeout_s_);
  const int result = write_bytes(connection_, piece, kind);
  written_ += piece.size();
  return result;
}

// libwebsockets copies the bytes that the system does not take, so pass only parts to it.
int LwsExchange::write_piece() {
  static_assert(kRoomBefore >= LWS_PRE);
  const std::span<uint8_t> part = piece_.first(std::min(piece_.size(), kPiece));
  piece_ = piece_.subspan(part.size());
  lws_set_timeout(connection_, PENDING_TIMEOUT_HTTP_CONTENT,
                  static_cast<int>(writer_.wait_timeout_s));
  return lws_write(connection_, part.data(), part.size(), LWS_WRITE_HTTP);
}

// No client timeout while the writer prepares the next piece.
int LwsExchange::ask_for_more() {
  lws_set_timeout(connection_, NO_PENDING_TIMEOUT, 0);
  if (writer_.on_wanted) writer_.on_wanted();
  return given_up_ ? -1 : 0;
}

int LwsExchange::end() {
  lws* connection = std::exchange(connection_, nullptr);
  reader_ = {};
  const BodyWriter writer = std::exchange(writer_, {});
  if (writer.on_over) writer.on_over();
  if (keep_alive_) return lws_http_transaction_completed(connection) != 0 ? -1 : 0;
  if (body_left_ == 0) return -1;
  // Closing before the whole body was received would cause a reset, and the client could lose the
  // answer: RFC 9112, 9.6.
  lws_set_timer_usecs(connection, timeout_s_ * LWS_US_PER_SEC);
  return 0;
}

void LwsExchange::silence() {
  answered_ = true;
  const BodyReader dropped = std::exchange(reader_, {});
  const BodyWriter silent = std::exchange(writer_, {});
  given_up_ = true;
}

void LwsExchange::on_gone() {
  if (std::exchange(connection_, nullptr) == nullptr) return;
  const BodyWriter writer = std::exchange(writer_, {});
  if (writer.on_over) writer.on_over();
  if (answered_) return;
  const BodyReader reader = std::exchange(reader_, {});
  if (reader.on_gone) reader.on_gone();
}

}  // namespace sail
