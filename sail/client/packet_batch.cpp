#include "sail/client/packet_batch.h"

namespace sail {

PacketBatch::PacketBatch() : heads_(std::make_unique<Head[]>(kMaxPackets)) {
  parts_.reserve(kMaxPackets * 4);
  datagrams_.reserve(kMaxPackets);
}

void PacketBatch::clear() {
  parts_.clear();
  size_ = 0;
}

void PacketBatch::begin(const PacketHeader& header, const FramePacket& packet) {
  places_[size_].first_part = parts_.size();
  encode_to(heads_[size_], header, packet);
  parts_.emplace_back(heads_[size_]);
}

size_t PacketBatch::end() {
  Place& place = places_[size_++];
  place.parts = parts_.size() - place.first_part;
  place.bytes = 0;
  for (const auto& part : std::span(parts_).subspan(place.first_part)) place.bytes += part.size();
  return place.bytes;
}

size_t PacketBatch::send(UdpSocket& socket) {
  datagrams_.clear();
  for (size_t i = 0; i < size_; ++i) {
    const Place& place = places_[i];
    datagrams_.push_back(
        {.parts = std::span(parts_).subspan(place.first_part, place.parts), .bytes = place.bytes});
  }
  return socket.send(datagrams_);
}

}  // namespace sail
