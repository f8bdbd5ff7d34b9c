#include <limits>
#include <utility>

#include "codecs/color/scaling.h"
#include "sail/core/wire/data/body_fields.h"
#include "sail/core/wire/data/data_layout.h"
#include "sail/core/wire/data/data_messages.h"
#include "sail/core/wire/data/packets.h"

namespace sail {
namespace {

using namespace data_layout;

constexpr uint64_t kMaxBlocks = uint64_t{kMaxBlocksPerSide} * kMaxBlocksPerSide;

Refresh refresh_of(BodyFields& in) {
  Refresh refresh;
  refresh.at_ns = in.instant("refresh_at_ns");
  refresh.period_ns = in.number<uint32_t>("period_ns", 0, kMaxRefreshNs);
  refresh.spread_ns = in.number<uint32_t>("spread_ns", 0, refresh.period_ns);
  if (refresh.period_ns != 0 && refresh.period_ns < kMinRefreshNs) {
    in.mistake(CloseReason::kBadMessage, "the refresh period is shorter than 1 ms");
  }
  return refresh;
}

}  // namespace

DataResult<StreamOpen> decode_stream_open(std::span<const uint8_t> body) {
  BodyFields in("stream_open", body);
  StreamOpen open;
  open.secret = in.any64();
  open.frame_size.width = in.side<uint32_t>("frame_width", 1, kMaxFrameSide);
  open.frame_size.height = in.side<uint32_t>("frame_height", 1, kMaxFrameSide);
  open.block_size.width = in.side<uint16_t>("block_width", kMinBlockSide, kMaxBlockSide);
  open.block_size.height = in.side<uint16_t>("block_height", kMinBlockSide, kMaxBlockSide);
  open.codec.id = static_cast<codecs::CodecId>(in.number<uint8_t>(
      "codec", static_cast<uint64_t>(codecs::CodecId::kDxt1),
      static_cast<uint64_t>(codecs::CodecId::kMjpeg), CloseReason::kUnsupported));
  open.codec.compression = static_cast<codecs::Compression>(
      in.number<uint8_t>("compression", 0, static_cast<uint64_t>(codecs::Compression::kZstd),
                         CloseReason::kUnsupported));
  open.symbol_bytes = in.number<uint16_t>("symbol_bytes", 0, kMaxSymbolBytes, CloseReason::kLimit);
  open.sealed = in.number<uint8_t>("sealed", 0, 1) != 0;
  open.shares = in.number<uint8_t>("shares", 0, 1) != 0;
  in.reserved<uint16_t>();
  const size_t tag_bytes = open.sealed ? kPacketTagBytes : 0;
  if (open.symbol_bytes != 0 && open.symbol_bytes + tag_bytes < symbol_bytes_for(kMinMtu)) {
    in.mistake(CloseReason::kLimit, "the symbols are too short");
  }
  if (open.symbol_bytes + tag_bytes > kMaxSymbolBytes) {
    in.mistake(CloseReason::kLimit, "the symbols are too long");
  }
  if (open.shares && open.symbol_bytes != 0) {
    in.mistake(CloseReason::kBadMessage, "'shares' is only for frames without packets");
  }
  if (open.sealed && open.symbol_bytes == 0) {
    in.mistake(CloseReason::kBadMessage, "'sealed' needs packets, but 'symbol_bytes' is 0");
  }
  if (codecs::is_j2k(open.codec.id) && open.codec.compression != codecs::Compression::kNone) {
    in.mistake(CloseReason::kUnsupported, "JPEG 2000 cannot be combined with compression");
  }
  if (codecs::is_carried(open.codec.id)) {
    if (open.codec.compression != codecs::Compression::kNone) {
      in.mistake(CloseReason::kUnsupported, "access units cannot be combined with compression");
    }
    if (open.block_size.width < open.frame_size.width ||
        open.block_size.height < open.frame_size.height) {
      in.mistake(CloseReason::kBadMessage, "frames of access units must have a single block");
    }
  }
  if (!is_block_side(open.block_size.width) || !is_block_side(open.block_size.height)) {
    in.mistake(CloseReason::kBadMessage, "sides of blocks must be multiples of 4");
  }
  if (codecs::is_j2k(open.codec.id) && (open.block_size.width % kScalableBlockStep != 0 ||
                                        open.block_size.height % kScalableBlockStep != 0)) {
    in.mistake(CloseReason::kBadMessage, "sides of JPEG 2000 blocks must be multiples of 16");
  }
  return in.finish(open);
}

DataResult<StreamAccept> decode_stream_accept(std::span<const uint8_t> body) {
  BodyFields in("stream_accept", body);
  StreamAccept accept;
  accept.frames_in_flight =
      in.number<uint16_t>("frames_in_flight", 1, kMaxFramesInFlight, CloseReason::kLimit);
  in.reserved<uint16_t>();
  accept.packet_secret = in.any64();
  in.bytes(accept.packet_key);
  return in.finish(accept);
}

DataResult<FrameBegin> decode_frame_begin(std::span<const uint8_t> body) {
  BodyFields in("frame_begin", body);
  FrameBegin begin;
  begin.frame = in.frame();
  begin.epoch = in.epoch();
  begin.submitted_ns = in.instant("submitted_ns");
  begin.base = in.number<uint64_t>("base", 0, kMaxCounter);
  begin.reduction = in.number<uint8_t>("reduction", 0, codecs::kMaxReduction);
  begin.color.matrix = static_cast<codecs::ColorMatrix>(
      in.number<uint8_t>("matrix", 0, static_cast<uint64_t>(codecs::ColorMatrix::kXyz)));
  begin.color.range = static_cast<codecs::ColorRange>(
      in.number<uint8_t>("range", static_cast<uint64_t>(codecs::ColorRange::kLimited),
                         static_cast<uint64_t>(codecs::ColorRange::kFull)));
  in.reserved<uint8_t>();
  begin.delay_us = in.number<uint32_t>("delay_us", 0, uint64_t{kMaxDelayMs} * 1000);
  if (begin.base > begin.frame) {
    in.mistake(CloseReason::kBadMessage, "the base must not be later than the frame");
  }
  return in.finish(begin);
}

namespace {

BlockRun read_run(BodyFields& in) {
  BlockRun run;
  run.frame = in.frame();
  run.row = in.number<uint16_t>("row", 0, kMaxBlocksPerSide - 1);
  run.first_column = in.number<uint16_t>("first_column", 0, kMaxBlocksPerSide - 1);
  run.count = in.number<uint16_t>("count", 1, kMaxBlocksPerSide);
  in.reserved<uint16_t>();
  if (run.first_column + run.count > kMaxBlocksPerSide) {
    in.mistake(CloseReason::kBadMessage, "the run ends past the last column");
  }
  return run;
}

}  // namespace

DataResult<BlockRun> decode_block_run(std::span<const uint8_t> fixed) {
  BodyFields in("block_run", fixed);
  const BlockRun run = read_run(in);
  return in.finish(run);
}

DataResult<BlockRun> decode_block_places(std::span<const uint8_t> body,
                                         std::vector<BlockPlace>& places) {
  BodyFields in("block_places", body);
  const BlockRun run = read_run(in);
  places.clear();
  for (int i = 0; i < run.count; ++i) {
    const auto offset = in.number<uint64_t>("offset", 0, kMaxSharedBytes);
    places.push_back(
        {.offset = offset, .length = in.number<uint32_t>("length", 0, kMaxMessageBody)});
  }
  return in.finish(run);
}

DataResult<FrameEnd> decode_frame_end(std::span<const uint8_t> body) {
  BodyFields in("frame_end", body);
  FrameEnd end;
  end.frame = in.frame();
  end.encoded_ns = in.instant("encoded_ns");
  end.sent_ns = in.instant("sent_ns");
  end.block_count = in.number<uint32_t>("block_count", 0, kMaxBlocks, CloseReason::kLimit);
  in.reserved<uint32_t>();
  return in.finish(end);
}

DataResult<FrameReport> decode_frame_report(std::span<const uint8_t> body) {
  BodyFields in("frame_report", body);
  FrameReport report;
  report.frame = in.frame();
  report.epoch = in.epoch();
  report.assembled_ns = in.instant("assembled_ns");
  report.swapped_ns = in.instant("swapped_ns");
  report.outcome = static_cast<FrameOutcome>(
      in.number<uint8_t>("outcome", static_cast<uint64_t>(FrameOutcome::kShown),
                         static_cast<uint64_t>(FrameOutcome::kDropped)));
  report.cause = static_cast<DropCause>(
      in.number<uint8_t>("cause", 0, static_cast<uint64_t>(DropCause::kUndecoded)));
  in.reserved<uint16_t>();
  in.reserved<uint32_t>();
  const bool dropped = report.outcome == FrameOutcome::kDropped;
  if (dropped && report.cause == DropCause::kNone) {
    in.mistake(CloseReason::kBadMessage, "a dropped frame must have a cause");
  }
  if (!dropped && report.cause != DropCause::kNone && report.cause != DropCause::kOldEpoch) {
    in.mistake(CloseReason::kBadMessage, "a shown frame has no cause but old_epoch");
  }
  if (dropped && report.swapped_ns != 0) {
    in.mistake(CloseReason::kBadMessage, "a dropped frame must not have a swap time");
  }
  return in.finish(report);
}

DataResult<FrameReady> decode_frame_ready(std::span<const uint8_t> body) {
  BodyFields in("frame_ready", body);
  FrameReady ready;
  ready.frame = in.frame();
  ready.epoch = in.epoch();
  ready.render_ns = in.instant("render_ns");
  ready.refresh = refresh_of(in);
  return in.finish(ready);
}

DataResult<FrameShow> decode_frame_show(std::span<const uint8_t> body) {
  BodyFields in("frame_show", body);
  FrameShow show;
  show.frame = in.number<uint64_t>("frame", 0, kMaxCounter);
  show.epoch = in.epoch();
  show.at_ns = in.instant("at_ns");
  return in.finish(show);
}

DataResult<SoundOpen> decode_sound_open(std::span<const uint8_t> body) {
  BodyFields in("sound_open", body);
  SoundOpen open;
  open.secret = in.any64();
  return in.finish(open);
}

DataResult<Sound> decode_sound(std::span<const uint8_t> body) {
  BodyFields in("sound", body);
  Sound sound;
  sound.at_ns = in.instant("at_ns");
  sound.rate = in.number<uint32_t>("rate", kMinSoundRate, kMaxSoundRate);
  sound.channels = in.number<uint8_t>("channels", 1, kMaxSoundChannels);
  sound.restart = in.number<uint8_t>("restart", 0, 1) == 1;
  in.reserved<uint16_t>();
  sound.samples = in.rest();
  if (sound.samples.size() % (size_t{2} * sound.channels) != 0) {
    in.mistake(CloseReason::kBadMessage, "the last sample is incomplete");
  }
  if (sound.samples.empty() && !sound.restart) {
    in.mistake(CloseReason::kBadMessage, "the samples are missing");
  }
  return in.finish(sound);
}

DataResult<GroupOpen> decode_group_open(std::span<const uint8_t> body) {
  BodyFields in("group_open", body);
  return in.finish(GroupOpen{.secret = in.any64()});
}

DataResult<GroupReady> decode_group_ready(std::span<const uint8_t> body) {
  BodyFields in("group_ready", body);
  GroupReady ready;
  ready.present_ns = in.instant("present_ns");
  ready.at_ns = in.instant("at_ns");
  ready.lead_ns = in.instant("lead_ns");
  ready.vote =
      static_cast<GroupVote>(in.number<uint32_t>("word", static_cast<uint64_t>(GroupVote::kReady),
                                                 static_cast<uint64_t>(GroupVote::kWithdrawn)));
  ready.members = in.number<uint32_t>("members", 0, kMaxGroupMembers);
  ready.refresh = refresh_of(in);
  return in.finish(ready);
}

DataResult<GroupDecision> decode_group_decision(std::span<const uint8_t> body) {
  BodyFields in("group_verdict", body);
  GroupDecision decision;
  decision.present_ns = in.instant("present_ns");
  decision.at_ns = in.instant("at_ns");
  decision.kind = static_cast<DecisionKind>(
      in.number<uint32_t>("ruling", static_cast<uint64_t>(DecisionKind::kJoined),
                          static_cast<uint64_t>(DecisionKind::kHeartbeat)));
  decision.spacing_us = in.number<uint32_t>("spacing_us", 0, kMaxGroupSpacingUs);
  return in.finish(decision);
}

DataResult<MulticastJoin> decode_multicast_join(std::span<const uint8_t> body) {
  BodyFields in("multicast_join", body);
  MulticastJoin join;
  join.secret = in.any64();
  in.bytes(join.key);
  in.bytes(join.group.bytes);
  join.port = in.number<uint16_t>("port", 0, std::numeric_limits<uint16_t>::max());
  in.reserved<uint16_t>();
  const bool leaves = join.group == IpAddress{} && join.port == 0;
  if (!leaves && (!is_multicast_group(join.group) || join.port == 0)) {
    in.mistake(CloseReason::kBadMessage, "the group must be a multicast address with a port");
  }
  return in.finish(join);
}

DataResult<MulticastState> decode_multicast_state(std::span<const uint8_t> body) {
  BodyFields in("multicast_state", body);
  MulticastState state;
  state.secret = in.any64();
  state.hears = in.number<uint8_t>("hears", 0, 1) == 1;
  in.reserved<uint8_t>();
  in.reserved<uint16_t>();
  state.text = in.text("text", in.left());
  return in.finish(std::move(state));
}

DataResult<MemoryOffer> decode_memory_offer(std::span<const uint8_t> body) {
  BodyFields in("memory_offer", body);
  const MemoryOffer offer{
      .bytes = in.number<uint64_t>("bytes", 1, kMaxSharedBytes, CloseReason::kLimit)};
  return in.finish(offer);
}

DataResult<MemoryState> decode_memory_state(std::span<const uint8_t> body) {
  BodyFields in("memory_state", body);
  MemoryState state;
  state.reads = in.number<uint8_t>("reads", 0, 1) == 1;
  in.reserved<uint8_t>();
  in.reserved<uint16_t>();
  state.text = in.text("text", in.left());
  return in.finish(std::move(state));
}

DataResult<CloseMessage> decode_close(std::span<const uint8_t> body) {
  BodyFields in("close", body);
  CloseMessage close;
  close.reason = static_cast<CloseReason>(
      in.number<uint16_t>("reason", 0, static_cast<uint64_t>(CloseReason::kShutdown)));
  in.reserved<uint16_t>();
  if (in.left() > kMaxCloseText) {
    in.mistake(CloseReason::kLimit, "the text is too long");
  } else {
    close.text = in.text("text", in.left());
  }
  return in.finish(std::move(close));
}

DataResult<SnapshotRequest> decode_snapshot_request(std::span<const uint8_t> body) {
  BodyFields in("snapshot_request", body);
  SnapshotRequest request;
  request.secret = in.any64();
  request.at_ns = in.instant("at_ns");
  return in.finish(request);
}

DataResult<PictureBegin> decode_picture_begin(std::span<const uint8_t> body) {
  BodyFields in("picture_begin", body);
  PictureBegin picture;
  picture.taken_ns = in.instant("taken_ns");
  picture.size.width = in.side<uint32_t>("width", 1, kMaxTileSide);
  picture.size.height = in.side<uint32_t>("height", 1, kMaxTileSide);
  const auto count = in.number<uint32_t>("window_count", 0, kMaxWindows, CloseReason::kLimit);
  const auto name_bytes = in.number<uint16_t>("name_bytes", 1, kMaxNameLength, CloseReason::kLimit);
  in.reserved<uint16_t>();
  if (in.left() == count * kWindowFrameBytes + name_bytes) {
    picture.windows.resize(count);
    for (auto& [window, frame] : picture.windows) {
      window = in.number<uint32_t>("window", 1, std::numeric_limits<uint32_t>::max());
      frame = in.number<uint64_t>("frame", 0, kMaxCounter);
    }
    picture.tile = in.text("tile", name_bytes);
  }
  return in.finish(std::move(picture));
}

DataResult<PictureRows> decode_picture_rows(std::span<const uint8_t> fixed) {
  BodyFields in("picture_rows", fixed);
  PictureRows rows;
  rows.first_row = in.number<uint32_t>("first_row", 0, kMaxTileSide - 1);
  rows.rows = in.number<uint32_t>("rows", 1, kMaxTileSide);
  if (rows.first_row + rows.rows > kMaxTileSide) {
    in.mistake(CloseReason::kBadMessage, "the rows end past the last row");
  }
  return in.finish(rows);
}

}  // namespace sail
