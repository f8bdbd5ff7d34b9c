#include "sail/client/transport/packet_batch.h"

namespace sail {

PacketBatch::PacketBatch() : heads_(std::make_unique<Head[]>(kMaxPackets)) {
  parts_.reserve(kMaxPackets * 4);
  datagrams_.reserve(kMaxPackets);
}

void PacketBatch::seal_with(PacketSeal* seal) {
  seal_ = seal;
  // Pages of this buffer that no packet uses are never touched and cost no memory.
  if (seal_ != nullptr && sealed_ == nullptr) {
    sealed_ = std::make_unique_for_overwrite<uint8_t[]>(kMaxPackets * kMaxPacketBytes);
  }
}

void PacketBatch::clear() {
  sealed_bytes_ = 0;
  parts_.clear();
  size_ = 0;
}

void PacketBatch::begin(const PacketHeader& header, const FramePacket& packet) {
  places_[size_].first_part = parts_.size();
  encode_to(heads_[size_], header, packet);
  parts_.emplace_back(heads_[size_]);
  number_ = header.number;
}

void PacketBatch::seal(size_t first_part) {
  const auto header = std::span(heads_[size_]).first<kPacketHeaderBytes>();
  parts_[first_part] = std::span(heads_[size_]).subspan(kPacketHeaderBytes);
  const auto packet = seal_->seal(number_, header, std::span(parts_).subspan(first_part),
                                  sealed_.get() + sealed_bytes_);
  sealed_bytes_ += packet.size();
  parts_.resize(first_part);
  parts_.push_back(packet);
}

size_t PacketBatch::end() {
  Place& place = places_[size_];
  if (seal_ != nullptr) seal(place.first_part);
  ++size_;
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
