#include "receiver/intake/frame_reassembler.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace receiver {
namespace {

using sail::CloseReason;
using sail::DataError;
using sail::FrameName;

// Compares by the order in which the sender begins frames.
bool before(const FrameName& a, const FrameName& b) {
  return std::pair(a.frame, a.epoch) < std::pair(b.frame, b.epoch);
}

DataError contradiction(const FrameName& name, const char* what) {
  return {CloseReason::kBadMessage,
          fmt::format("packets of frame {} of epoch {} {}", name.frame, name.epoch, what)};
}

}  // namespace

// A frame in progress.
struct FrameReassembler::Incoming {
  Incoming(SymbolChunks& chunks, codecs::ErasureDecoder& decoder, const Limits& limits)
      : max_symbols(limits.symbols), symbols(chunks, decoder, limits.symbols) {}

  void begin(const FrameName& its_name, int64_t now_ns, int64_t its_deadline_ns) {
    symbols.clear();
    name = its_name;
    first_ns = last_ns = now_ns;
    deadline_ns = its_deadline_ns;
    all_sent = false;
    marked = settled = 0;
    asked = asked_before = 0;
    again_ns = now_ns;
  }

  // Returns the number of symbols known to have been sent.
  uint32_t sent() const {
    if (symbols.total() != 0) return symbols.total();
    return all_sent ? max_symbols : symbols.known();
  }
  void update(int64_t now_ns, uint64_t packets);
  // Returns the end of the symbols that can be requested. Excludes an FEC block whose repair
  // symbols are still in flight.
  uint32_t askable() const {
    const uint32_t end = std::min(settled, sent());
    const bool parity_is_over = all_sent && settled >= sent();
    if (end == 0 || parity_is_over || !symbols.awaits_parity(end - 1)) return end;
    return (end - 1) / sail::kGroupSymbols * sail::kGroupSymbols;
  }
  // Returns true if the next symbol is missing, not just slightly late.
  bool stuck(int64_t now_ns) const {
    return settled > symbols.next() || now_ns - last_ns >= kSilenceNs;
  }

  const uint32_t max_symbols;
  FecDecoder symbols;
  FrameName name;
  int64_t first_ns = 0;
  int64_t last_ns = 0;  // arrival time of its last packet
  int64_t deadline_ns = 0;
  bool all_sent = false;  // a later frame has begun, or a probe said so

  // Symbols before `settled` that have not arrived count as missing, not as reordered. sent() is
  // copied to `marked` from time to time; `settled` advances to the mark when the mark is old
  // enough.
  uint32_t marked = 0;
  int64_t marked_ns = 0;
  uint64_t marked_packets = 0;
  uint32_t settled = 0;

  // Symbols before `asked` were requested; those before `asked_before` can be requested again.
  uint32_t asked = 0;
  uint32_t asked_before = 0;
  int64_t again_ns = 0;
};

void FrameReassembler::Incoming::update(int64_t now_ns, uint64_t packets) {
  settled = std::max(settled, symbols.next());
  if (marked > settled &&
      (now_ns - marked_ns >= kReorderingNs || packets - marked_packets >= kReorderedPackets)) {
    settled = marked;
  }
  if (marked <= settled && sent() > settled) {
    marked = sent();
    marked_ns = now_ns;
    marked_packets = packets;
  }
}

FrameReassembler::FrameReassembler(Sink& sink, const Limits& limits)
    : sink_(sink), limits_(limits), chunks_(limits.symbol_bytes, limits.store_bytes) {
  active_.reserve(limits.frames);
  spare_.reserve(limits.frames);
}

FrameReassembler::~FrameReassembler() = default;

// --- packets ------------------------------------------------------------------------------------

std::optional<DataError> FrameReassembler::on_packet(sail::PacketType type,
                                                     const sail::FramePacket& packet,
                                                     std::span<const uint8_t> bytes,
                                                     int64_t now_ns) {
  ++packets_;
  auto found = find(packet.name, now_ns);
  if (!found) return std::move(found.error());
  if (*found == nullptr) return std::nullopt;
  Incoming& frame = **found;
  if (type == sail::PacketType::kSource) return add_source(frame, packet, bytes, now_ns);
  return added(frame, frame.symbols.add_parity(packet, bytes), now_ns);
}

std::optional<DataError> FrameReassembler::add_source(Incoming& frame,
                                                      const sail::FramePacket& packet,
                                                      std::span<const uint8_t> bytes,
                                                      int64_t now_ns) {
  const bool in_order = &frame == active_.front().get() && packet.symbol == frame.symbols.next();
  const FecDecoder::Added result = frame.symbols.add_source(packet, bytes, !in_order);
  if (result == FecDecoder::Added::kNew) {
    if (packet.repeat) ++counters_.mended_retransmit;
    if (in_order) {
      if (auto error = sink_.frame_bytes(frame.name, bytes)) return error;
      frame.symbols.delivered();
    }
  }
  return added(frame, result, now_ns);
}

std::optional<DataError> FrameReassembler::added(Incoming& frame, FecDecoder::Added added,
                                                 int64_t now_ns) {
  if (added == FecDecoder::Added::kContradiction) {
    return contradiction(frame.name, "contradict each other");
  }
  if (added == FecDecoder::Added::kNoRoom) ++counters_.no_room;
  counters_.mended_fec += frame.symbols.take_repaired();
  frame.last_ns = now_ns;
  frame.update(now_ns, packets_);
  return deliver();
}

std::optional<DataError> FrameReassembler::on_probe(const sail::Probe& probe, int64_t now_ns) {
  if (probe.name == FrameName{} || !before(over_, probe.name)) return std::nullopt;
  auto found = find(probe.name, now_ns);
  if (!found) return std::move(found.error());
  if (*found == nullptr) return std::nullopt;
  Incoming& named = **found;
  FecDecoder& symbols = named.symbols;
  if (probe.whole ? !symbols.set_total(probe.symbols) : !symbols.add_known(probe.symbols)) {
    return contradiction(probe.name, "contradict a probe");
  }
  if (probe.whole) named.all_sent = true;
  // Probes are sent after a pause: everything that has not arrived by now is missing.
  for (const auto& frame : active_) {
    frame->settled = frame->marked = frame->sent();
    if (frame.get() == &named) break;
  }
  return deliver();
}

// Finds the frame; begins it if this is its first packet.
sail::DataResult<FrameReassembler::Incoming*> FrameReassembler::find(const FrameName& name,
                                                                     int64_t now_ns) {
  if (!active_.empty() && active_.front()->name == name) return active_.front().get();
  if (!before(over_, name)) {
    // Repair symbols that were no longer needed are not late.
    if (name != over_ || !over_whole_) ++counters_.late;
    return nullptr;
  }
  size_t place = 0;
  for (; place < active_.size(); ++place) {
    Incoming& other = *active_[place];
    if (other.name == name) return &other;
    if (before(name, other.name)) break;
  }
  // A later frame is already being delivered: this one comes too late.
  if (place == 0 && !active_.empty() && active_.front()->symbols.next() > 0) {
    ++counters_.late;
    return nullptr;
  }
  return begin(place, name, now_ns);
}

sail::DataResult<FrameReassembler::Incoming*> FrameReassembler::begin(size_t place,
                                                                      const FrameName& name,
                                                                      int64_t now_ns) {
  if (auto error = sink_.frame_begins(active_.size())) return *error;
  std::unique_ptr<Incoming> frame;
  if (spare_.empty()) {
    frame = std::make_unique<Incoming>(chunks_, decoder_, limits_);
  } else {
    frame = std::move(spare_.back());
    spare_.pop_back();
  }
  frame->begin(name, now_ns, now_ns + slack_ns_);
  frame->all_sent = place < active_.size();
  for (size_t i = 0; i < place; ++i) active_[i]->all_sent = true;
  Incoming* begun = frame.get();
  active_.insert(active_.begin() + static_cast<ptrdiff_t>(place), std::move(frame));
  return begun;
}

// --- delivering ---------------------------------------------------------------------------------

std::optional<DataError> FrameReassembler::deliver() {
  while (!active_.empty()) {
    Incoming& frame = *active_.front();
    for (auto bytes = frame.symbols.next_bytes(); !bytes.empty();
         bytes = frame.symbols.next_bytes()) {
      if (auto error = sink_.frame_bytes(frame.name, bytes)) return error;
      frame.symbols.delivered();
    }
    if (!frame.symbols.complete()) break;
    if (auto error = sink_.frame_complete(frame.name)) return error;
    finish_first(true);
  }
  return std::nullopt;
}

void FrameReassembler::finish_first(bool whole) {
  std::unique_ptr<Incoming> frame = std::move(active_.front());
  active_.erase(active_.begin());
  over_ = frame->name;
  over_whole_ = whole;
  frame->symbols.clear();
  spare_.push_back(std::move(frame));
}

void FrameReassembler::set_deadline(int64_t deadline_ns) {
  Incoming& frame = *active_.front();
  frame.deadline_ns = deadline_ns;
  slack_ns_ = std::max<int64_t>(deadline_ns - frame.first_ns, 0);
}

std::optional<DataError> FrameReassembler::on_time(int64_t now_ns) {
  for (const auto& frame : active_) frame->update(now_ns, packets_);
  while (!active_.empty()) {
    const Incoming& frame = *active_.front();
    if (now_ns < frame.deadline_ns || !frame.stuck(now_ns)) break;
    if (auto error = sink_.frame_lost(frame.name)) return error;
    ++counters_.frames_lost;
    finish_first(false);
    if (auto error = deliver()) return error;
  }
  return std::nullopt;
}

// --- missing symbols ----------------------------------------------------------------------------

bool FrameReassembler::anything_new_missing(int64_t now_ns) {
  return std::any_of(active_.begin(), active_.end(), [&](const auto& frame) {
    frame->update(now_ns, packets_);
    const uint32_t end = frame->askable();
    return frame->symbols.next_missing(std::max(frame->asked, frame->symbols.next()), end) < end;
  });
}

void FrameReassembler::name_missing(int64_t now_ns, size_t most,
                                    std::vector<sail::Missing>& missing) {
  missing.clear();
  for (const auto& frame : active_) {
    frame->update(now_ns, packets_);
    if (now_ns - frame->again_ns >= kAskAgainNs) {
      ask(*frame, frame->symbols.next(), std::min(frame->asked_before, frame->askable()), most,
          missing);
      frame->asked_before = frame->asked;
      frame->again_ns = now_ns;
    }
    const uint32_t from = std::max(frame->asked, frame->symbols.next());
    frame->asked = std::max(ask(*frame, from, frame->askable(), most, missing), frame->asked);
    if (missing.size() == most) return;
  }
}

// Adds missing symbols to `missing`. Returns the position where the list became full, or `end`.
uint32_t FrameReassembler::ask(const Incoming& frame, uint32_t from, uint32_t end, size_t most,
                               std::vector<sail::Missing>& missing) {
  while (missing.size() < most) {
    const uint32_t first = frame.symbols.next_missing(from, end);
    if (first >= end) return end;
    from = frame.symbols.next_here(first, end);
    missing.push_back({.name = frame.name, .first = first, .count = from - first});
  }
  return from;
}

}  // namespace receiver
