// Cuts what a receiver sends on a data connection into messages. Pure. For small messages: one
// whose body is longer than kMaxBody is refused before it is read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "sail/wire/data_messages.h"

namespace sail {

class MessageBuffer {
 public:
  static constexpr size_t kMaxBody = 1024;

  // Where the next bytes go; never empty.
  std::span<uint8_t> space() { return std::span(bytes_).subspan(end_); }
  void filled(size_t bytes) { end_ += bytes; }

  struct Message {
    DataHeader header;
    std::span<const uint8_t> body;  // valid until the next call of anything here

    size_t bytes() const { return kDataHeaderBytes + body.size(); }
  };
  // The one at the front of these bytes; nothing when they have not all of it.
  static DataResult<std::optional<Message>> first_of(std::span<const uint8_t> bytes);
  // The next whole message; nothing when more bytes must come first. After an error the session is
  // over.
  DataResult<std::optional<Message>> next();

 private:
  // Room for messages that come in one read; what is left over is moved to the front.
  std::array<uint8_t, 8 * (kDataHeaderBytes + kMaxBody)> bytes_;
  size_t begin_ = 0;
  size_t end_ = 0;
};

}  // namespace sail
