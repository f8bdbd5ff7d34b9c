#include "tests/unit/sail/core/wire/data/reencode_packet.h"

#include "sail/core/wire/data/repeated_messages.h"
#include "tests/unit/sail/core/wire/data/reencode.h"

namespace sail {

std::optional<std::vector<uint8_t>> reencode_packet(std::span<const uint8_t> datagram,
                                                    size_t symbol_bytes) {
  const auto header = decode_packet_header(datagram);
  if (!header) return std::nullopt;
  std::vector<uint8_t> again(kMaxPacketBytes);
  switch (header->type) {
    case PacketType::kSource:
    case PacketType::kParity: {
      const auto packet = decode_frame_packet(datagram, symbol_bytes);
      if (!packet) return std::nullopt;
      again.resize(encode_to(again, *header, packet->packet));
      again.insert(again.end(), packet->bytes.begin(), packet->bytes.end());
      return again;
    }
    case PacketType::kProbe: {
      const auto probe = decode_probe(datagram);
      if (!probe) return std::nullopt;
      again.resize(encode_to(again, *header, *probe));
      return again;
    }
    case PacketType::kFeedback: {
      Feedback feedback;
      if (!decode_feedback(datagram, feedback)) return std::nullopt;
      again.resize(encode_to(again, *header, feedback));
      return again;
    }
    case PacketType::kMessages: {
      std::span<const uint8_t> text = datagram.subspan(kPacketHeaderBytes);
      const auto said = cut_messages(text);
      if (!said) return std::nullopt;
      again.resize(encode_to(again, *header, std::span<const uint8_t>()));
      for (const MessageBuffer::Message& message : *said) {
        const auto message_again = reencode_data(text.first(message.bytes()));
        if (!message_again) return std::nullopt;
        again.insert(again.end(), message_again->begin(), message_again->end());
        text = text.subspan(message.bytes());
      }
      return again;
    }
  }
  return std::nullopt;
}

}  // namespace sail
