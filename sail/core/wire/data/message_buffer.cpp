#include "sail/core/wire/data/message_buffer.h"

#include <fmt/core.h>

#include <cstring>

namespace sail {

DataResult<std::optional<MessageBuffer::Message>> MessageBuffer::first_of(
    std::span<const uint8_t> bytes) {
  if (bytes.size() < kDataHeaderBytes) return std::nullopt;
  const auto header = decode_header(bytes.first<kDataHeaderBytes>());
  if (!header) return header.error();
  if (header->body_bytes > kMaxBody) {
    return DataError{CloseReason::kBadMessage,
                     fmt::format("{}: a body of {} bytes exceeds the limit of {}",
                                 data_type_name(header->type), header->body_bytes, kMaxBody)};
  }
  if (bytes.size() - kDataHeaderBytes < header->body_bytes) return std::nullopt;
  return Message{*header, bytes.subspan(kDataHeaderBytes, header->body_bytes)};
}

DataResult<std::optional<MessageBuffer::Message>> MessageBuffer::next() {
  const std::span<const uint8_t> here = std::span(bytes_).subspan(begin_, end_ - begin_);
  auto message = first_of(here);
  if (!message) return message;
  if (*message) {
    begin_ += (*message)->bytes();
    return message;
  }
  std::memmove(bytes_.data(), here.data(), here.size());
  begin_ = 0;
  end_ = here.size();
  return std::nullopt;
}

}  // namespace sail
