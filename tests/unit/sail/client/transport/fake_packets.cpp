#include "tests/unit/sail/client/transport/fake_packets.h"

#include <algorithm>
#include <array>

#include "codecs/fec/reed_solomon.h"
#include "sail/core/time/clock.h"

namespace sail {

FakePackets::FakePackets(UdpSocket& socket, uint32_t stream, const StreamOpen& open,
                         const StreamAccept& accept, const PacketBehaviour& behaviour,
                         Handlers handlers)
    : socket_(socket),
      stream_(stream),
      secret_(accept.packet_secret),
      symbol_bytes_(open.symbol_bytes),
      behaviour_(behaviour),
      handlers_(std::move(handlers)) {
  if (!open.sealed) return;
  opens_.emplace(AesGcm::Use::kOpen, accept.packet_key, PacketSeal::Direction::kToReceiver);
  seals_.emplace(AesGcm::Use::kSeal, accept.packet_key, PacketSeal::Direction::kToSail);
}

void FakePackets::take(const PacketHeader& header, const Datagram& datagram) {
  if (header.stream != stream_) mistakes.emplace_back("a packet of another stream");
  if (header.number != expected_) mistakes.emplace_back("packets are not numbered one by one");
  expected_ = header.number + 1;
  peer_ = datagram.from;
  std::span<const uint8_t> bytes = datagram.bytes;
  if (header.sealed != opens_.has_value()) mistakes.emplace_back("sealed when it should not be");
  if (opens_) bytes = opens_->open(header.number, datagram.bytes);
  if (bytes.empty()) {
    mistakes.emplace_back("a packet that does not open");
    return;
  }
  if (header.type == PacketType::kMessages) {
    ++counters_.packets_arrived;
    newest_ = header;
    newest_at_ns_ = steady_now_ns();
    return handlers_.on_messages(bytes.subspan(kPacketHeaderBytes));
  }
  const auto frame_packet =
      header.type == PacketType::kProbe ? std::nullopt : decode_frame_packet(bytes, symbol_bytes_);
  const auto probe = header.type == PacketType::kProbe ? decode_probe(bytes) : std::nullopt;
  if (!frame_packet && !probe) {
    mistakes.emplace_back("a packet that makes no sense");
    return;
  }
  if (frame_packet) {
    const SeenPacket packet{.header = header,
                            .packet = frame_packet->packet,
                            .bytes = datagram.bytes.size(),
                            .arrived_ns = datagram.arrived_ns};
    if (behaviour_.loses(packet)) return;
    seen.push_back(packet);
  }
  newest_ = header;
  newest_at_ns_ = steady_now_ns();
  ++counters_.packets_arrived;
  counters_.bytes_arrived += datagram.bytes.size();
  if (probe) {
    probes.push_back(*probe);
    take_probe(*probe);
  } else if (header.type == PacketType::kSource) {
    take_source(frame_packet->packet, frame_packet->bytes);
  } else {
    take_parity(frame_packet->packet, frame_packet->bytes);
  }
  deliver();
}

void FakePackets::take_probe(const Probe& probe) {
  const Key key{probe.name.frame, probe.name.epoch};
  if (!behaviour_.heeds_probes || probe.name.frame == 0 || key <= whole_) return;
  Partial& frame = frames_[key];
  frame.known = std::max(frame.known, probe.symbols);
  if (probe.whole) frame.end_known = true;
}

void FakePackets::take_source(const FramePacket& packet, std::span<const uint8_t> bytes) {
  const Key key{packet.name.frame, packet.name.epoch};
  if (key <= whole_) return;
  Partial& frame = frames_[key];
  const auto [place, is_new] = frame.symbols.try_emplace(packet.symbol, bytes.begin(), bytes.end());
  if (!is_new && !packet.repeat) mistakes.emplace_back("a symbol came twice");
  if (!std::equal(bytes.begin(), bytes.end(), place->second.begin(), place->second.end())) {
    mistakes.emplace_back("a symbol came again with other bytes");
  }
  frame.known = std::max(frame.known, packet.symbol + 1);
  if (packet.last) frame.end_known = true;
  const uint32_t first = packet.symbol / kGroupSymbols * kGroupSymbols;
  Group& group = frame.groups[first];
  if (packet.parity != 0) group.announced = packet.parity;
  mend(frame, first);
}

void FakePackets::take_parity(const FramePacket& packet, std::span<const uint8_t> bytes) {
  const Key key{packet.name.frame, packet.name.epoch};
  if (key <= whole_) return;
  Partial& frame = frames_[key];
  Group& group = frame.groups[packet.symbol];
  if (group.announced != 0 && group.announced != packet.parity) {
    mistakes.emplace_back("not the parity that was announced");
  }
  group.parities[packet.index].assign(bytes.begin(), bytes.end());
  group.sources = packet.sources;
  group.tail_bytes = packet.tail_bytes;
  frame.known = std::max<uint32_t>(frame.known, packet.symbol + packet.sources);
  if (packet.last) frame.end_known = true;
  mend(frame, packet.symbol);
}

void FakePackets::mend(Partial& frame, uint32_t first) {
  Group& group = frame.groups[first];
  if (!behaviour_.mends || group.sources == 0) return;
  const size_t length = group.parities.begin()->second.size();
  std::vector<std::vector<uint8_t>> symbols(group.sources);
  std::vector<const uint8_t*> sources;
  std::vector<uint8_t*> missing;
  std::vector<uint32_t> places;
  for (uint32_t i = 0; i < group.sources; ++i) {
    const auto here = frame.symbols.find(first + i);
    if (here != frame.symbols.end()) symbols[i] = here->second;
    symbols[i].resize(length, 0);
    sources.push_back(here != frame.symbols.end() ? symbols[i].data() : nullptr);
    if (here != frame.symbols.end()) continue;
    missing.push_back(symbols[i].data());
    places.push_back(i);
  }
  if (missing.empty() || missing.size() > group.parities.size()) return;
  std::vector<codecs::ErasureDecoder::Parity> parities;
  for (const auto& [index, bytes] : group.parities) parities.push_back({index, bytes.data()});
  codecs::ErasureDecoder decoder;
  if (!decoder.decode(length, sources, parities, missing)) {
    mistakes.emplace_back("parity that cannot be used");
    return;
  }
  for (const uint32_t place : places) {
    if (place + 1 == group.sources) symbols[place].resize(group.tail_bytes);
    frame.symbols[first + place] = symbols[place];
    ++counters_.mended_fec;
  }
}

void FakePackets::deliver() {
  const auto is_whole = [](const auto& entry) {
    return entry.second.end_known && entry.second.symbols.size() == entry.second.known;
  };
  for (;;) {
    const auto whole = std::find_if(frames_.begin(), frames_.end(), is_whole);
    if (whole == frames_.end() || (whole != frames_.begin() && !behaviour_.gives_up)) return;
    while (frames_.begin() != whole) {
      handlers_.on_lost({frames_.begin()->first.first, frames_.begin()->first.second});
      frames_.erase(frames_.begin());
    }
    std::vector<uint8_t> bytes;
    for (const auto& [symbol, part] : whole->second.symbols) {
      bytes.insert(bytes.end(), part.begin(), part.end());
    }
    whole_ = whole->first;
    frames_.erase(whole);
    handlers_.on_whole({whole_.first, whole_.second}, bytes);
  }
}

std::vector<Missing> FakePackets::missing() const {
  std::vector<Missing> missing = behaviour_.nonsense;
  if (!behaviour_.asks) return missing;
  for (const auto& [key, frame] : frames_) {
    for (uint32_t symbol = 0; symbol < frame.known && missing.size() < kMaxMissing; ++symbol) {
      if (frame.symbols.contains(symbol)) continue;
      missing.push_back({.name = {key.first, key.second}, .first = symbol, .count = 1});
    }
  }
  return missing;
}

void FakePackets::feed_back() {
  if (!behaviour_.feeds_back || newest_.number == 0) return;
  counters_.packets_lost = behaviour_.lost;
  const Feedback feedback{
      .echo_us = newest_.sent_us,
      .echo_hold_us = static_cast<uint32_t>((steady_now_ns() - newest_at_ns_) / 1000),
      .highest = newest_.number,
      .whole = {whole_.first, whole_.second},
      .counters = counters_,
      .jitter_us = behaviour_.jitter_us,
      .missing = missing()};
  std::array<uint8_t, kMaxFeedbackBytes + kPacketTagBytes> bytes;
  const size_t length = encode_to(bytes,
                                  {.type = PacketType::kFeedback,
                                   .sealed = seals_.has_value(),
                                   .stream = stream_,
                                   .secret = secret_ + behaviour_.secret_error,
                                   .number = ++sent_,
                                   .sent_us = 0},
                                  feedback);
  const auto packet = std::span(bytes).first(length);
  const auto whole = seals_ ? seals_->seal(sent_, packet) : packet;
  if (behaviour_.forges) send_forged(whole);
  socket_.send_to(peer_, whole);
}

void FakePackets::say(std::span<const uint8_t> messages) {
  std::vector<uint8_t> bytes(kPacketHeaderBytes + messages.size() + kPacketTagBytes);
  const PacketHeader header{.type = PacketType::kMessages,
                            .sealed = seals_.has_value(),
                            .stream = stream_,
                            .secret = secret_,
                            .number = ++sent_};
  const auto packet = std::span(bytes).first(encode_to(bytes, header, messages));
  socket_.send_to(peer_, seals_ ? seals_->seal(sent_, packet) : packet);
}

void FakePackets::send_forged(std::span<const uint8_t> packet) {
  const std::vector<uint8_t> good(packet.begin(), packet.end());
  for (const size_t at : {size_t{18}, size_t{24}, kPacketHeaderBytes, good.size() - 1}) {
    std::vector<uint8_t> forged = good;
    forged[at] ^= 1;  // each field: number, time stamp, payload, tag
    socket_.send_to(peer_, forged);
  }
  std::vector<uint8_t> unsealed(kMaxFeedbackBytes);
  Feedback feedback;
  feedback.highest = newest_.number;
  feedback.counters.packets_lost = kMaxCounter;
  unsealed.resize(encode_to(
      unsealed,
      {.type = PacketType::kFeedback, .stream = stream_, .secret = secret_, .number = sent_ + 1000},
      feedback));
  socket_.send_to(peer_, unsealed);
}

}  // namespace sail
