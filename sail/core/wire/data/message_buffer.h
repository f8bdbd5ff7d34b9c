// Cuts the byte stream of a data connection into messages. Only for small messages: a message whose
// body is longer than kMaxBody is refused before it is read. Pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "sail/core/wire/data/data_messages.h"

namespace sail {

class MessageBuffer {
 public:
  static constexpr size_t kMaxBody = 1024;

  // Buffer for the next bytes; never empty.
  std::span<uint8_t> space() { return std::span(bytes_).subspan(end_); }
  void filled(size_t bytes) { end_ += bytes; }

  struct Message {
    DataHeader header;
    std::span<const uint8_t> body;  // valid until the next call of a member function

    size_t bytes() const { return kDataHeaderBytes + body.size(); }
  };
  // Returns the message at the front of `bytes`; empty if it is incomplete.
  static DataResult<std::optional<Message>> first_of(std::span<const uint8_t> bytes);
  // Returns the next message; empty if incomplete. The session must end after an error.
  DataResult<std::optional<Message>> next();

 private:
  // Room for several messages of one read. An incomplete message is moved to the front.
  std::array<uint8_t, 8 * (kDataHeaderBytes + kMaxBody)> bytes_;
  size_t begin_ = 0;
  size_t end_ = 0;
};

}  // namespace sail
