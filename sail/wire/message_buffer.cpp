#include "sail/wire/message_buffer.h"

#include <fmt/core.h>

#include <cstring>

namespace sail {

DataResult<std::optional<MessageBuffer::Message>> MessageBuffer::next() {
  const std::span<const uint8_t> here = std::span(bytes_).subspan(begin_, end_ - begin_);
  if (here.size() >= kDataHeaderBytes) {
    const auto header = decode_header(here.first<kDataHeaderBytes>());
    if (!header) return header.error();
    if (header->body_bytes > kMaxBody) {
      return DataError{CloseReason::kBadMessage,
                       fmt::format("{}: a body of {} bytes where none is longer than {}",
                                   data_type_name(header->type), header->body_bytes, kMaxBody)};
    }
    const size_t bytes = kDataHeaderBytes + header->body_bytes;
    if (here.size() >= bytes) {
      begin_ += bytes;
      return Message{*header, here.subspan(kDataHeaderBytes, header->body_bytes)};
    }
  }
  std::memmove(bytes_.data(), here.data(), here.size());
  begin_ = 0;
  end_ = here.size();
  return std::nullopt;
}

}  // namespace sail
