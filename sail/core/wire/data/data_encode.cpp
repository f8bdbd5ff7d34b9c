#include <cassert>
#include <numeric>

#include "sail/core/text/text.h"
#include "sail/core/wire/data/byte_writer.h"
#include "sail/core/wire/data/data_layout.h"
#include "sail/core/wire/data/data_messages.h"

namespace sail {
namespace {

using namespace data_layout;

void write_header(ByteWriter& out, DataType type, uint32_t stream, size_t body_bytes) {
  assert(body_bytes <= kMaxMessageBody);
  out.bytes(encode_header({type, stream, static_cast<uint32_t>(body_bytes)}));
}

void write_text(ByteWriter& out, std::string_view text) {
  out.bytes({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

void put(ByteWriter& out, const Refresh& refresh) {
  out.i64(refresh.at_ns);
  out.u32(refresh.period_ns);
  out.u32(refresh.spread_ns);
}

// Builds one whole message: the header, then the output of `write_body`.
template <typename WriteBody>
std::vector<uint8_t> message(DataType type, uint32_t stream, size_t body_bytes,
                             const WriteBody& write_body) {
  std::vector<uint8_t> bytes(kDataHeaderBytes + body_bytes);
  ByteWriter out(bytes);
  write_header(out, type, stream, body_bytes);
  write_body(out);
  assert(out.size() == bytes.size());
  return bytes;
}

// As message(), without allocation, for messages sent with each frame.
template <size_t kBytes, typename WriteBody>
std::array<uint8_t, kBytes> short_message(DataType type, uint32_t stream,
                                          const WriteBody& write_body) {
  std::array<uint8_t, kBytes> bytes;
  ByteWriter out(bytes);
  write_header(out, type, stream, kBytes - kDataHeaderBytes);
  write_body(out);
  assert(out.size() == kBytes);
  return bytes;
}

void put(ByteWriter& out, const BlockRun& run) {
  out.u64(run.frame);
  out.u16(run.row);
  out.u16(run.first_column);
  out.u16(run.count);
  out.u16(0);
}

}  // namespace

std::array<uint8_t, kDataHeaderBytes> encode_header(const DataHeader& header) {
  std::array<uint8_t, kDataHeaderBytes> bytes;
  ByteWriter out(bytes);
  out.u32(kDataMagic);
  out.u8(kDataProtocol);
  out.u8(static_cast<uint8_t>(header.type));
  out.u16(0);
  out.u32(header.stream);
  out.u32(header.body_bytes);
  return bytes;
}

std::vector<uint8_t> encode(uint32_t stream, const StreamOpen& open) {
  return message(DataType::kStreamOpen, stream, kStreamOpenBody, [&](ByteWriter& out) {
    out.u64(open.secret);
    out.u32(static_cast<uint32_t>(open.frame_size.width));
    out.u32(static_cast<uint32_t>(open.frame_size.height));
    out.u16(static_cast<uint16_t>(open.block_size.width));
    out.u16(static_cast<uint16_t>(open.block_size.height));
    out.u8(static_cast<uint8_t>(open.codec.id));
    out.u8(static_cast<uint8_t>(open.codec.compression));
    out.u16(open.symbol_bytes);
    out.u8(open.sealed ? 1 : 0);
    out.u8(open.shares ? 1 : 0);
    out.u16(0);
  });
}

std::vector<uint8_t> encode(uint32_t stream, const StreamAccept& accept) {
  return message(DataType::kStreamAccept, stream, kStreamAcceptBody, [&](ByteWriter& out) {
    out.u16(accept.frames_in_flight);
    out.u16(0);
    out.u64(accept.packet_secret);
    out.bytes(accept.packet_key);
  });
}

std::vector<uint8_t> encode(uint32_t stream, const CloseMessage& close) {
  const std::string text = make_plain_text(close.text, kMaxCloseText);
  return message(DataType::kClose, stream, kCloseFixedBytes + text.size(), [&](ByteWriter& out) {
    out.u16(static_cast<uint16_t>(close.reason));
    out.u16(0);
    write_text(out, text);
  });
}

std::vector<uint8_t> encode(const SnapshotRequest& request) {
  return message(DataType::kSnapshotRequest, 0, kSnapshotRequestBody, [&](ByteWriter& out) {
    out.u64(request.secret);
    out.i64(request.at_ns);
  });
}

std::vector<uint8_t> encode(const PictureBegin& picture) {
  const size_t body_bytes =
      kPictureBeginFixedBytes + picture.windows.size() * kWindowFrameBytes + picture.tile.size();
  return message(DataType::kPictureBegin, 0, body_bytes, [&](ByteWriter& out) {
    out.i64(picture.taken_ns);
    out.u32(static_cast<uint32_t>(picture.size.width));
    out.u32(static_cast<uint32_t>(picture.size.height));
    out.u32(static_cast<uint32_t>(picture.windows.size()));
    out.u16(static_cast<uint16_t>(picture.tile.size()));
    out.u16(0);
    for (const auto& [window, frame] : picture.windows) {
      out.u32(window);
      out.u64(frame);
    }
    write_text(out, picture.tile);
  });
}

std::vector<uint8_t> encode_picture_end() {
  return message(DataType::kPictureEnd, 0, 0, [](ByteWriter&) {});
}

std::vector<uint8_t> encode(uint32_t stream, const SoundOpen& open) {
  return message(DataType::kSoundOpen, stream, kSoundOpenBody,
                 [&](ByteWriter& out) { out.u64(open.secret); });
}

std::vector<uint8_t> encode_sound_accept(uint32_t stream) {
  return message(DataType::kSoundAccept, stream, 0, [](ByteWriter&) {});
}

std::vector<uint8_t> encode(uint32_t stream, const Sound& sound) {
  return message(DataType::kSound, stream, kSoundFixedBytes + sound.samples.size(),
                 [&](ByteWriter& out) {
                   out.i64(sound.at_ns);
                   out.u32(sound.rate);
                   out.u8(sound.channels);
                   out.u8(sound.restart ? 1 : 0);
                   out.u16(0);
                   out.bytes(sound.samples);
                 });
}

size_t encode_to(std::span<uint8_t> buffer, uint32_t stream, const FrameBegin& begin) {
  ByteWriter out(buffer);
  write_header(out, DataType::kFrameBegin, stream, kFrameBeginBody);
  out.u64(begin.frame);
  out.u64(begin.epoch);
  out.i64(begin.submitted_ns);
  out.u64(begin.base);
  out.u8(begin.reduction);
  out.u8(static_cast<uint8_t>(begin.color.matrix));
  out.u8(static_cast<uint8_t>(begin.color.range));
  out.u8(0);
  out.u32(begin.delay_us);
  return out.size();
}

size_t encode_to(std::span<uint8_t> buffer, uint32_t stream, const FrameEnd& end) {
  ByteWriter out(buffer);
  write_header(out, DataType::kFrameEnd, stream, kFrameEndBody);
  out.u64(end.frame);
  out.i64(end.encoded_ns);
  out.i64(end.sent_ns);
  out.u32(end.block_count);
  out.u32(0);
  return out.size();
}

std::array<uint8_t, kFrameReadyBytes> encode(uint32_t stream, const FrameReady& ready) {
  return short_message<kFrameReadyBytes>(DataType::kFrameReady, stream, [&](ByteWriter& out) {
    out.u64(ready.frame);
    out.u64(ready.epoch);
    out.i64(ready.render_ns);
    put(out, ready.refresh);
  });
}

std::array<uint8_t, kFrameShowBytes> encode(uint32_t stream, const FrameShow& show) {
  return short_message<kFrameShowBytes>(DataType::kFrameShow, stream, [&](ByteWriter& out) {
    out.u64(show.frame);
    out.u64(show.epoch);
    out.i64(show.at_ns);
  });
}

std::array<uint8_t, kFrameReportBytes> encode(uint32_t stream, const FrameReport& report) {
  return short_message<kFrameReportBytes>(DataType::kFrameReport, stream, [&](ByteWriter& out) {
    out.u64(report.frame);
    out.u64(report.epoch);
    out.i64(report.assembled_ns);
    out.i64(report.swapped_ns);
    out.u8(static_cast<uint8_t>(report.outcome));
    out.u8(static_cast<uint8_t>(report.cause));
    out.u16(0);
    out.u32(0);
  });
}

std::vector<uint8_t> encode(uint32_t stream, const GroupOpen& open) {
  return message(DataType::kGroupOpen, stream, kGroupOpenBody,
                 [&](ByteWriter& out) { out.u64(open.secret); });
}

std::vector<uint8_t> encode(uint32_t stream, const MulticastJoin& join) {
  return message(DataType::kMulticastJoin, stream, kMulticastJoinBody, [&](ByteWriter& out) {
    out.u64(join.secret);
    out.bytes(join.key);
    out.bytes(join.group.bytes);
    out.u16(join.port);
    out.u16(0);
  });
}

std::vector<uint8_t> encode(uint32_t stream, const MulticastState& state) {
  const std::string text = make_plain_text(state.text, kMaxCloseText);
  return message(DataType::kMulticastState, stream, kMulticastStateFixedBytes + text.size(),
                 [&](ByteWriter& out) {
                   out.u64(state.secret);
                   out.u8(state.hears ? 1 : 0);
                   out.u8(0);
                   out.u16(0);
                   write_text(out, text);
                 });
}

std::vector<uint8_t> encode(uint32_t stream, const MemoryOffer& offer) {
  return message(DataType::kMemoryOffer, stream, kMemoryOfferBody,
                 [&](ByteWriter& out) { out.u64(offer.bytes); });
}

std::vector<uint8_t> encode(uint32_t stream, const MemoryState& state) {
  const std::string text = make_plain_text(state.text, kMaxCloseText);
  return message(DataType::kMemoryState, stream, kMemoryStateFixedBytes + text.size(),
                 [&](ByteWriter& out) {
                   out.u8(state.reads ? 1 : 0);
                   out.u8(0);
                   out.u16(0);
                   write_text(out, text);
                 });
}

std::array<uint8_t, kGroupReadyBytes> encode(uint32_t stream, const GroupReady& ready) {
  return short_message<kGroupReadyBytes>(DataType::kGroupReady, stream, [&](ByteWriter& out) {
    out.i64(ready.present_ns);
    out.i64(ready.at_ns);
    out.i64(ready.lead_ns);
    out.u32(static_cast<uint32_t>(ready.vote));
    out.u32(ready.members);
    put(out, ready.refresh);
  });
}

std::array<uint8_t, kGroupDecisionBytes> encode(uint32_t stream, const GroupDecision& decision) {
  return short_message<kGroupDecisionBytes>(DataType::kGroupDecision, stream, [&](ByteWriter& out) {
    out.i64(decision.present_ns);
    out.i64(decision.at_ns);
    out.u32(static_cast<uint32_t>(decision.kind));
    out.u32(decision.spacing_us);
  });
}

size_t encode_to(std::span<uint8_t> buffer, uint32_t stream, const BlockRun& run,
                 std::span<const uint32_t> lengths) {
  assert(lengths.size() == run.count);
  const size_t payload = std::accumulate(lengths.begin(), lengths.end(), size_t{0});
  ByteWriter out(buffer);
  write_header(out, DataType::kBlockRun, stream, block_run_bytes(run.count) + payload);
  put(out, run);
  for (const uint32_t length : lengths) out.u32(length);
  return out.size();
}

size_t encode_to(std::span<uint8_t> buffer, uint32_t stream, const BlockRun& run,
                 std::span<const BlockPlace> places) {
  assert(places.size() == run.count);
  ByteWriter out(buffer);
  write_header(out, DataType::kBlockPlaces, stream, block_places_bytes(run.count));
  put(out, run);
  for (const BlockPlace& place : places) {
    out.u64(place.offset);
    out.u32(place.length);
  }
  return out.size();
}

size_t encode_to(std::span<uint8_t> buffer, const PictureRows& rows, size_t pixel_bytes) {
  ByteWriter out(buffer);
  write_header(out, DataType::kPictureRows, 0, kPictureRowsFixedBytes + pixel_bytes);
  out.u32(rows.first_row);
  out.u32(rows.rows);
  return out.size();
}

}  // namespace sail
