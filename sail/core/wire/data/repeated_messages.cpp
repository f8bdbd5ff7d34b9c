#include "sail/core/wire/data/repeated_messages.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <string_view>

namespace sail {

static_assert(RepeatedMessages::kMaxMessageBytes >= kFrameReportBytes &&
              RepeatedMessages::kMaxMessageBytes >= kFrameShowBytes);

void RepeatedMessages::add_once(std::span<const uint8_t> message, int64_t now_ns) {
  add(message, now_ns, 1);
  in_packet_ = 1;
}

void RepeatedMessages::add(std::span<const uint8_t> message, int64_t now_ns, int times) {
  assert(message.size() <= kMaxMessageBytes);
  Message& place = messages_[added_++ % kKept];
  std::ranges::copy(message, place.bytes.begin());
  place.size = message.size();
  times_left_ = times;
  in_packet_ = kKept;
  due_ns_ = now_ns;
}

std::optional<int64_t> RepeatedMessages::due_ns() const {
  if (times_left_ == 0) return std::nullopt;
  return due_ns_;
}

std::span<const uint8_t> RepeatedMessages::take(int64_t now_ns) {
  --times_left_;
  due_ns_ = now_ns + kAgainNs;
  size_t size = 0;
  for (size_t i = added_ - std::min(added_, in_packet_); i < added_; ++i) {
    const Message& message = messages_[i % kKept];
    std::copy_n(message.bytes.begin(), message.size, text_.begin() + static_cast<ptrdiff_t>(size));
    size += message.size;
  }
  return std::span(text_).first(size);
}

std::optional<SentMessages> cut_messages(std::span<const uint8_t> text) {
  SentMessages sent;
  if (text.size() > RepeatedMessages::kMaxBytes) return std::nullopt;
  while (!text.empty()) {
    const auto message = MessageBuffer::first_of(text);
    if (!message || !*message || sent.count == sent.messages.size()) return std::nullopt;
    sent.messages[sent.count++] = **message;
    text = text.subspan((*message)->bytes());
  }
  return sent;
}

bool ReceivedMessages::is_new(DataType type, std::span<const uint8_t> body) {
  const std::string_view bytes(reinterpret_cast<const char*>(body.data()), body.size());
  const uint64_t sum = std::hash<std::string_view>{}(bytes) + static_cast<uint64_t>(type);
  if (std::ranges::find(checksums_, sum) != checksums_.end()) return false;
  checksums_[next_++ % kRemembered] = sum;
  return true;
}

}  // namespace sail
