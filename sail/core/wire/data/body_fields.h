// Reads the fields of a data message's body and checks their ranges. For decoders of this folder
// only.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/wire/data/byte_reader.h"
#include "sail/core/wire/data/data_messages.h"

namespace sail {

// Keeps the first error, as JsonFields does.
class BodyFields {
 public:
  BodyFields(const char* message, std::span<const uint8_t> body) : message_(message), in_(body) {}

  template <typename T>
  T number(const char* field, uint64_t min, uint64_t max,
           CloseReason reason = CloseReason::kBadMessage) {
    const uint64_t value = take<T>();
    if (value < min || value > max) {
      mistake(reason, fmt::format("'{}' is {}, not between {} and {}", field, value, min, max));
      return static_cast<T>(min);
    }
    return static_cast<T>(value);
  }
  uint64_t any64() { return in_.u64(); }
  void bytes(std::span<uint8_t> out) { std::ranges::copy(in_.bytes(out.size()), out.begin()); }
  template <typename T>
  int side(const char* field, uint64_t min, uint64_t max) {
    return static_cast<int>(number<T>(field, min, max, CloseReason::kLimit));
  }
  uint64_t frame() { return number<uint64_t>("frame", 1, kMaxCounter); }
  uint64_t epoch() { return number<uint64_t>("epoch", 0, kMaxCounter); }
  int64_t instant(const char* field) {
    return static_cast<int64_t>(number<uint64_t>(field, 0, static_cast<uint64_t>(kMaxTimeNs)));
  }
  template <typename T>
  void reserved() {
    if (take<T>() != 0) mistake(CloseReason::kBadMessage, "a reserved field is not zero");
  }
  std::string text(const char* field, size_t bytes) {
    const auto part = in_.bytes(bytes);
    std::string value(part.begin(), part.end());
    if (is_plain_text(value)) return value;
    mistake(CloseReason::kBadMessage,
            fmt::format("'{}' must be UTF-8 text without control characters", field));
    return {};
  }
  size_t left() const { return in_.left(); }
  // `count` must not exceed left().
  std::span<const uint8_t> take_bytes(size_t count) { return in_.bytes(count); }
  std::span<const uint8_t> rest() { return in_.bytes(in_.left()); }
  void mistake(CloseReason reason, std::string_view what) {
    if (!error_) error_ = DataError{reason, fmt::format("{}: {}", message_, what)};
  }

  template <typename Message>
  DataResult<Message> finish(Message message) {
    // A short body reads as zeros, so report the wrong length rather than the zeros.
    if (!in_.ok() || (!error_ && in_.left() != 0)) {
      return DataError{CloseReason::kBadMessage,
                       fmt::format("{}: the body has the wrong length", message_)};
    }
    if (error_) return *std::move(error_);
    return message;
  }

 private:
  template <typename T>
  T take() {
    if constexpr (sizeof(T) == 1) return in_.u8();
    if constexpr (sizeof(T) == 2) return in_.u16();
    if constexpr (sizeof(T) == 4) return in_.u32();
    if constexpr (sizeof(T) == 8) return in_.u64();
  }

  const char* message_;
  ByteReader in_;
  std::optional<DataError> error_;
};

}  // namespace sail
