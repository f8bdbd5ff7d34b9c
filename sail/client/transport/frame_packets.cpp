#include "sail/client/transport/frame_packets.h"

#include <algorithm>
#include <span>
#include <utility>

namespace sail {
namespace {

// Part of a frame's interval over which its packets are spread.
constexpr double kSpread = 0.9;

}  // namespace

FramePackets::FramePackets(PacketLink& link, size_t symbol_bytes, bool sealed, ParityFor parity_for)
    : link_(link),
      symbol_bytes_(symbol_bytes),
      head_bytes_(kFramePacketBytes + (sealed ? kPacketTagBytes : 0)),
      parity_for_(std::move(parity_for)) {
  repeats_.reserve(kMaxRepeats);
  items_.reserve(PacketBatch::kMaxPackets);
}

void FramePackets::start() {
  batch_.seal_with(link_.seal());
  probe_ = {};
}

void FramePackets::begin(KeptFrame& frame) {
  frame_ = &frame;
  cursor_ = {};
  sent_bytes_ = 0;
}

void FramePackets::end() {
  mean_frame_bytes_ =
      mean_frame_bytes_ == 0
          ? sent_bytes_
          : mean_frame_bytes_ + (sent_bytes_ - mean_frame_bytes_) * kNewestFrameWeight;
  frame_ = nullptr;
}

void FramePackets::forget_repeats(const KeptFrame& frame) {
  std::erase_if(repeats_, [&](const Repeat& repeat) { return repeat.frame == &frame; });
}

bool FramePackets::anything_to_send() const {
  if (!repeats_.empty()) return true;
  return frame_ != nullptr && (cursor_.symbol < frame_->symbols.count() || ends_group(cursor_));
}

// --- sizes --------------------------------------------------------------------------------------

// Returns the size of `bytes` of messages on the wire, with packet headers and repair symbols.
double FramePackets::bytes_on_wire(size_t bytes) const {
  const double parity = parity_for_(kGroupSymbols);
  const double heads = static_cast<double>(head_bytes_) / static_cast<double>(symbol_bytes_);
  return static_cast<double>(bytes) * (1 + heads) * (1 + parity / kGroupSymbols);
}

double FramePackets::bytes_left() const {
  const double repeated = static_cast<double>(repeats_.size()) * packet_bytes();
  if (frame_ == nullptr) return repeated;
  const double known = bytes_on_wire(frame_->messages.bytes());
  const double whole = frame_->messages.whole() ? known : std::max(known, mean_frame_bytes_);
  return repeated + std::max(whole - sent_bytes_, 0.0);
}

double FramePackets::bytes_per_frame() const {
  const double mean = std::max(mean_frame_bytes_, packet_bytes());
  return frame_ == nullptr ? mean : std::max(mean, bytes_on_wire(frame_->messages.bytes()));
}

int64_t FramePackets::spread_ns(int64_t interval_ns) {
  return static_cast<int64_t>(static_cast<double>(interval_ns) * kSpread);
}

PacketPacer::Need FramePackets::need(const Path& path, int64_t now_ns, int64_t wall_now_ns) const {
  const auto interval_ns = static_cast<double>(path.interval_ns);
  int64_t until_ns = now_ns;
  if (frame_ != nullptr) {
    const int64_t age_ns = wall_now_ns - frame_->submitted_ns;
    const int64_t whole_ns = spread_ns(path.interval_ns);
    const int64_t in_time_ns = frame_->deadline_ns - frame_->submitted_ns - path.round_trip_ns;
    until_ns += (frame_->deadline_ns == 0 ? whole_ns : std::min(whole_ns, in_time_ns)) - age_ns;
  }
  return {.bytes = bytes_left(),
          .until_ns = until_ns,
          .mean_bytes_per_s = bytes_per_frame() * 1e9 / interval_ns,
          .limit_bytes_per_s = path.limit_bytes_per_s};
}

// --- packets ------------------------------------------------------------------------------------

FramePackets::Sent FramePackets::send(double grant) {
  fill(grant);
  const size_t sent = link_.send(batch_);
  return {.bytes = commit(sent), .any = sent > 0, .all = sent == batch_.size()};
}

void FramePackets::fill(double grant) {
  batch_.clear();
  items_.clear();
  batch_repeats_ = 0;
  Cursor cursor = cursor_;
  while (grant > 0 && !batch_.full()) {
    if (batch_repeats_ < repeats_.size()) {
      grant -= add_repeat(repeats_[batch_repeats_++]);
      continue;
    }
    if (frame_ == nullptr) return;
    const bool in_parity = ends_group(cursor);
    const double bytes = add_next(cursor);
    if (bytes == 0) return;
    grant -= bytes;
    // The block's copies and repair symbols must not be overwritten before they are sent.
    if (in_parity && !ends_group(cursor)) return;
  }
}

double FramePackets::add_repeat(const Repeat& repeat) {
  KeptFrame& frame = *repeat.frame;
  const FramePacket packet{.name = frame.name,
                           .symbol = repeat.symbol,
                           .parity = frame.parities[repeat.symbol / kGroupSymbols],
                           .last = frame.symbols.is_last(repeat.symbol),
                           .repeat = true};
  items_.push_back({.frame = &frame, .packet = packet, .after = {}});
  return static_cast<double>(
      batch_.add(link_.header(PacketType::kSource, batch_.size()), packet,
                 [&](auto& list) { frame.symbols.gather(repeat.symbol, list); }));
}

double FramePackets::add_next(Cursor& cursor) {
  if (ends_group(cursor)) return add_parity(cursor);
  return cursor.symbol < frame_->symbols.count() ? add_symbol(cursor) : 0;
}

double FramePackets::add_symbol(Cursor& cursor) {
  KeptFrame& frame = *frame_;
  const uint32_t symbol = cursor.symbol++;
  const uint32_t place = symbol % kGroupSymbols;
  if (place == 0) {
    cursor.group_parity = choose_parity(symbol);
    frame.parities.resize(symbol / kGroupSymbols);
    frame.parities.push_back(static_cast<uint8_t>(cursor.group_parity));
  }
  const FramePacket packet{.name = frame.name,
                           .symbol = symbol,
                           .parity = static_cast<uint8_t>(cursor.group_parity),
                           .last = frame.symbols.is_last(symbol)};
  items_.push_back({.frame = &frame, .packet = packet, .after = cursor});
  return static_cast<double>(
      batch_.add(link_.header(PacketType::kSource, batch_.size()), packet, [&](auto& list) {
        const size_t head = list.size();
        frame.symbols.gather(symbol, list);
        if (cursor.group_parity > 0)
          group_.set(place, std::span(list).subspan(head), symbol_bytes_);
      }));
}

double FramePackets::add_parity(Cursor& cursor) {
  KeptFrame& frame = *frame_;
  const uint32_t first = (cursor.symbol - 1) / kGroupSymbols * kGroupSymbols;
  if (cursor.parity == 0) {
    group_.encode(cursor.symbol - first, cursor.group_parity, symbol_bytes_,
                  frame.symbols.bytes_of(cursor.symbol - 1));
  }
  const uint32_t index = cursor.parity++;
  const FramePacket packet{.name = frame.name,
                           .symbol = first,
                           .parity = static_cast<uint8_t>(cursor.group_parity),
                           .index = static_cast<uint8_t>(index),
                           .tail_bytes = static_cast<uint16_t>(group_.tail_bytes()),
                           .sources = static_cast<uint8_t>(group_.sources()),
                           .last = frame.symbols.is_last(cursor.symbol - 1)};
  if (cursor.parity == cursor.group_parity) cursor.group_parity = cursor.parity = 0;
  items_.push_back({.frame = &frame, .packet = packet, .is_parity = true, .after = cursor});
  return static_cast<double>(batch_.add(link_.header(PacketType::kParity, batch_.size()), packet,
                                        [&](auto& list) { list.push_back(group_.parity(index)); }));
}

// Chooses the number of repair symbols for an FEC block, whose length may not be known yet.
uint32_t FramePackets::choose_parity(uint32_t first_symbol) const {
  const KeptFrame& frame = *frame_;
  const auto usual = static_cast<uint32_t>(mean_frame_bytes_ / packet_bytes());
  const uint32_t symbols =
      frame.messages.whole() ? frame.symbols.count() : std::max(frame.symbols.count(), usual);
  const uint32_t sources = std::clamp(symbols - first_symbol, 1U, kGroupSymbols);
  return std::min(static_cast<uint32_t>(parity_for_(static_cast<int>(sources))), kMaxGroupParity);
}

// Returns true if all source symbols of the block were sent and repair symbols follow.
bool FramePackets::ends_group(const Cursor& cursor) const {
  return cursor.group_parity > 0 && cursor.symbol > 0 &&
         (cursor.symbol % kGroupSymbols == 0 || frame_->symbols.is_last(cursor.symbol - 1));
}

double FramePackets::commit(size_t packets) {
  double bytes = 0;
  const uint32_t now_us = link_.now_us();
  for (size_t i = 0; i < packets; ++i) {
    const Item& item = items_[i];
    KeptFrame& frame = *item.frame;
    const size_t packet_bytes = batch_.bytes(i);
    bytes += static_cast<double>(packet_bytes);
    if (item.packet.repeat) {
      link_.count_repeat();
    } else {
      cursor_ = item.after;
      sent_bytes_ += static_cast<double>(packet_bytes);
    }
    if (item.is_parity) {
      link_.count_parity(packet_bytes);
      continue;
    }
    if (item.packet.repeat) {
      // Each member of a multicast group notes for itself what was repeated to it.
      if (!frame.by_group) frame.sent_us[item.packet.symbol] = now_us;
      continue;
    }
    frame.sent_us[item.packet.symbol] = now_us;
    frame.sent = item.packet.symbol + 1;
    frame.all_sent = item.packet.last;
    probe_ = {.name = frame.name, .symbols = frame.sent, .whole = frame.all_sent};
  }
  const auto repeated = static_cast<ptrdiff_t>(std::min(batch_repeats_, packets));
  repeats_.erase(repeats_.begin(), repeats_.begin() + repeated);
  return bytes;
}

}  // namespace sail
