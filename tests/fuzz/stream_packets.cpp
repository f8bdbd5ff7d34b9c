// Packets from SAIL to a receiver: any packets in any order, decoded from headers to frames. Input:
// for each packet its length and the datagram, whose time stamp chooses the delay before it. Frames
// must stay complete and consistent.
#include <algorithm>
#include <span>
#include <vector>

#include "receiver/intake/frame_intake.h"
#include "receiver/intake/frame_reassembler.h"
#include "receiver/intake/packet_delay.h"
#include "receiver/intake/packet_loss.h"
#include "sail/core/wire/data/byte_reader.h"
#include "tests/fuzz/fuzz.h"

namespace {

using namespace receiver;

constexpr size_t kSymbolBytes = 40;
constexpr int kFramesInFlight = 4;
// 3 × 2 blocks; the last ones are smaller and not multiples of texel blocks.
const FrameSource kSource{.stream = 1, .session = 1, .codec = {}, .grid = {{75, 50}, {32, 32}}};
constexpr FrameReassembler::Limits kLimits{.symbol_bytes = kSymbolBytes,
                                           .symbols = 300,
                                           .frames = kFramesInFlight,
                                           .store_bytes = 8 * sail::kGroupSymbols * kSymbolBytes};

// Takes frames as a packet session does, and reports all of them.
class Session final : private FrameIntake::Host, private FrameReassembler::Sink {
 public:
  std::optional<sail::DataError> on_datagram(std::span<const uint8_t> datagram) {
    const auto header = sail::decode_packet_header(datagram);
    if (!header || header->type == sail::PacketType::kFeedback) return std::nullopt;
    now_ns_ += static_cast<int64_t>(header->sent_us % 8) * 1'000'000;
    if (!loss_.add(header->number, datagram.size(), now_ns_)) return std::nullopt;
    fuzz::require(loss_.highest() >= header->number, "the highest number is the highest");
    delay_.add(header->sent_us, static_cast<uint32_t>(now_ns_ / 1000), now_ns_);
    if (auto error = take(*header, datagram)) return error;
    if (auto error = reassembler_.on_time(now_ns_)) return error;
    reassembler_.name_missing(now_ns_, sail::kMaxMissing, missing_);
    fuzz::require(missing_.size() <= sail::kMaxMissing, "what is missing fits into a feedback");
    for (const sail::Missing& range : missing_) {
      fuzz::require(range.count > 0 && range.first + range.count <= kLimits.symbols,
                    "what is missing is in the frame");
    }
    delay_.take();
    return std::nullopt;
  }

 private:
  std::optional<sail::DataError> take(const sail::PacketHeader& header,
                                      std::span<const uint8_t> datagram) {
    if (header.type == sail::PacketType::kProbe) {
      const auto probe = sail::decode_probe(datagram);
      return probe ? reassembler_.on_probe(*probe, now_ns_) : std::nullopt;
    }
    const auto packet = sail::decode_frame_packet(datagram, kSymbolBytes);
    if (!packet) return std::nullopt;
    return reassembler_.on_packet(header.type, packet->packet, packet->bytes, now_ns_);
  }
  std::optional<sail::DataError> frame_begins(size_t under_way) override {
    if (under_way < kFramesInFlight) return std::nullopt;
    return sail::DataError{sail::CloseReason::kLimit, "too many frames"};
  }
  std::optional<sail::DataError> frame_bytes(const sail::FrameName& name,
                                             std::span<const uint8_t> bytes) override {
    reassembler_.set_deadline(now_ns_ + 5'000'000);
    return frames_.take(name, bytes);
  }
  std::optional<sail::DataError> frame_complete(const sail::FrameName& name) override {
    return frames_.complete(name);
  }
  std::optional<sail::DataError> frame_lost(const sail::FrameName& name) override {
    return frames_.lose(name);
  }

  void frame_whole(std::unique_ptr<Frame> frame) override {
    for (int row = 0; row < frame->grid().rows(); ++row) {
      for (int column = 0; column < frame->grid().columns(); ++column) {
        fuzz::require(frame->version(column, row) <= frame->key().number,
                      "no block is newer than its frame");
      }
    }
    done(std::move(frame));
  }
  void frame_incomplete(std::unique_ptr<Frame> frame) override { done(std::move(frame)); }
  void frame_lost(const FrameSource&, const FrameKey&, std::unique_ptr<Frame> frame) override {
    done(std::move(frame));
  }
  void done(std::unique_ptr<Frame> frame) {
    intake_.count_reported();
    if (frame) intake_.recycle(std::move(frame));
  }

  int64_t now_ns_ = 1'000'000'000;
  PacketLoss loss_;
  PacketDelay delay_;
  FrameIntake intake_{kSource, kFramesInFlight, *this};
  PacketFrames frames_{intake_};
  FrameReassembler reassembler_{*this, kLimits};
  std::vector<sail::Missing> missing_;
};

}  // namespace

FUZZ_TARGET(stream_packets) {
  Session session;
  sail::ByteReader bytes(std::span(data, size));
  while (bytes.left() > 0) {
    const size_t length = bytes.u8();
    const auto datagram = bytes.bytes(std::min(length, bytes.left()));
    if (session.on_datagram(datagram)) return 0;
  }
  return 0;
}
