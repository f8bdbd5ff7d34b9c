// The messages of the data plane; sail/PROTOCOL.md is the normative text.
//
// A message is a 16-byte header and a body. SAIL connects to a receiver's data port and opens one
// stream a connection; the receiver answers with reports on the same connection. A UI client that
// wants a picture of the tiles opens the same port with a snapshot request. The sound of a stream
// has a connection of its own, so that it waits for no frame.
//
// Pure: bytes in, values out. Every decode_* checks each field against limits.h and the stream.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sail/base/geometry.h"
#include "sail/base/result.h"
#include "sail/wire/codec_name.h"
#include "sail/wire/limits.h"

namespace sail {

constexpr uint32_t kDataMagic = 0x4c525456;  // "VTRL" in memory order
constexpr size_t kDataHeaderBytes = 16;

enum class DataType : uint8_t {
  kStreamOpen = 1,       // SAIL → receiver: first message of a stream's connection
  kStreamAccept = 2,     // receiver → SAIL: frames may come
  kFrameBegin = 3,       // SAIL → receiver
  kBlockRun = 4,         // SAIL → receiver: neighbouring blocks of one block row
  kFrameEnd = 5,         // SAIL → receiver
  kFrameReport = 6,      // receiver → SAIL: what became of a frame
  kClose = 7,            // either: reason, then the connection ends
  kSnapshotRequest = 8,  // UI → receiver: first message of a snapshot connection
  kPictureBegin = 9,     // receiver → UI: one tile's picture follows
  kPictureRows = 10,     // receiver → UI
  kPictureEnd = 11,      // receiver → UI: no further tile
  kFrameReady = 12,      // receiver → SAIL: all of a frame is here
  kFrameShow = 13,       // SAIL → receiver: when to show it
  kSoundOpen = 14,       // SAIL → receiver: first message of a connection with a stream's sound
  kSoundAccept = 15,     // receiver → SAIL: sound may come
  kSound = 16,           // SAIL → receiver: samples, and when they are to be heard
  kGroupOpen = 17,       // SAIL → receiver: first message of a member of a group
  kGroupReady = 18,      // SAIL → receiver: a member is whole for a time
  kGroupVerdict = 19,    // receiver → SAIL: what all members do
};
const char* data_type_name(DataType type);  // "stream_open"

struct DataHeader {
  DataType type{};
  uint32_t stream = 0;  // the stream's number; 0 in snapshot messages
  uint32_t body_bytes = 0;
};

// Why a peer's data session ended.
enum class CloseReason : uint16_t {
  kNormal = 0,         // the stream is over
  kBadMagic = 1,       // not this protocol
  kBadVersion = 2,     // this protocol, a version not spoken here
  kBadMessage = 3,     // a length, field or order of messages that the protocol forbids
  kUnknownStream = 4,  // no such stream here, or the wrong secret
  kUnsupported = 5,    // the codec is not known here
  kLimit = 6,          // a limit would be passed
  kTimeout = 7,        // silence where a message was due
  kReplaced = 8,       // a newer connection took the stream over
  kShutdown = 9,       // the process is ending
};
const char* close_reason_name(CloseReason reason);

struct StreamOpen {
  uint64_t secret = 0;  // from the manager, the same for SAIL and the receivers
  StreamCodec codec;
  Size frame_size;
  Size block_size;
  // 0: frames come on this connection. Else over UDP to the port of the same number, in symbols of
  // that many bytes (packets.h); reports and close stay on this connection.
  uint16_t symbol_bytes = 0;
  // The packets of both directions are sealed, with the key that the receiver gives.
  bool sealed = false;
};

using PacketKey = std::array<uint8_t, 16>;

struct StreamAccept {
  // Frames that the receiver holds: SAIL never sends more unreported ones.
  uint16_t frames_in_flight = 0;
  uint64_t packet_secret = 0;  // of this connection's packets; 0 when it has none
  PacketKey packet_key{};      // that they are sealed with; zeros when they are not
};

struct FrameBegin {
  uint64_t frame = 0;        // counts from 1 in each stream
  uint64_t epoch = 0;        // of the routing map that the frame was routed by
  int64_t submitted_ns = 0;  // wall time at which the application handed the frame over
  // A frame that went over this connection before and arrived whole: this one keeps the blocks that
  // the receiver has by then where none come; 0: it keeps none.
  uint64_t base = 0;
  // How often the picture is halved. DXT and raw: before it was cut into blocks. JPEG 2000: each
  // block comes as the part of its codestream that such a picture takes.
  uint8_t reduction = 0;
  codecs::PictureColor color{};  // of JPEG 2000: what its components are; else as it is by default
  // Receivers have the frame ready for the swap that long after submitted_ns, not sooner; over UDP
  // it is mended till then. 0: as soon as it is whole.
  uint32_t delay_us = 0;
};

// Blocks [first_column, first_column + count) of a block row; their bytes follow one another in the
// body after the table of lengths. Fixed part and table take block_run_bytes(count).
struct BlockRun {
  uint64_t frame = 0;
  uint16_t row = 0;
  uint16_t first_column = 0;
  uint16_t count = 0;
};
constexpr size_t kBlockRunFixedBytes = 16;
constexpr size_t block_run_bytes(uint16_t count) {
  return kBlockRunFixedBytes + size_t{4} * count;
}

struct FrameEnd {
  uint64_t frame = 0;
  int64_t encoded_ns = 0;    // wall time: last block encoded
  int64_t sent_ns = 0;       // wall time: last block handed to the socket
  uint32_t block_count = 0;  // blocks that came
};

enum class FrameOutcome : uint8_t {
  kShown = 1,
  kDropped = 2,
};
enum class DropCause : uint8_t {
  kNone = 0,
  kSuperseded = 1,  // a later frame was shown in its place
  kOldEpoch = 2,    // routed for a layout that is no longer shown
  kIncomplete = 3,  // blocks are missing, or the frame it builds on: a whole one must come next
  kHidden = 4,      // the window is not on this receiver any more
  kLost = 5,        // packets were lost and not mended in time
};

struct FrameReport {
  uint64_t frame = 0;
  uint64_t epoch = 0;
  FrameOutcome outcome{};
  DropCause cause{};
  int64_t assembled_ns = 0;  // wall time: last block arrived
  int64_t swapped_ns = 0;    // wall time: the swap on this receiver's last tile; 0 when dropped
};

// When displays begin a new picture: each of them once in a period, the first at at_ns and the last
// by spread_ns later. One display has no spread, and neither have those that are genlocked.
struct Refresh {
  int64_t at_ns = 0;       // of one lately, wall time unless it is said otherwise
  uint32_t period_ns = 0;  // 0: not known, or not the same for all
  uint32_t spread_ns = 0;  // at most the period
  bool operator==(const Refresh&) const = default;
};
constexpr uint32_t kMaxRefreshNs = 1'000'000'000;
constexpr uint32_t kMinRefreshNs = 1'000'000;

// All of the frame is here, and, if need be, decoded.
struct FrameReady {
  uint64_t frame = 0;
  uint64_t epoch = 0;
  int64_t render_ns = 0;  // how long its slowest frame lately took from frame_show until painted
  Refresh refresh{};      // of the receiver's displays
};

// The frame is swapped at that instant, and older ones of the stream are dropped. All receivers of
// the routing map are told the same.
struct FrameShow {
  uint64_t frame = 0;
  uint64_t epoch = 0;
  int64_t at_ns = 0;  // wall time; 0: never, it is dropped, too
};

struct SoundOpen {
  uint64_t secret = 0;  // of the stream
};

struct Sound {
  int64_t at_ns = 0;  // wall time at which the first sample is heard
  uint32_t rate = 0;  // samples a second, of each channel
  uint8_t channels = 0;
  bool restart = false;  // what came before and was not heard yet never is
  // 16 bits each, little-endian, channels interleaved; none: only with `restart`.
  std::span<const uint8_t> samples{};

  size_t count() const { return samples.size() / (size_t{2} * channels); }
};
constexpr size_t kSoundFixedBytes = 16;

// The stream in the header is a member of the group whose table is here.
struct GroupOpen {
  uint64_t secret = 0;  // of the group, from the manager
};

// What a member has to say of the frame that is to be seen at `present_ns`.
enum class GroupWord : uint8_t {
  kWhole = 1,   // all of the stream's receivers have it
  kLayout = 2,  // and it is the first one of a layout, so that the manager says when it is shown
  kAt = 3,      // which is at at_ns
  kGone = 4,    // nothing that it said holds any more
};
struct GroupReady {
  int64_t present_ns = 0;  // wall time
  int64_t at_ns = 0;       // wall time; of kAt
  int64_t lead_ns = 0;     // how long before its instant the member must know of a frame
  GroupWord word{};
  uint32_t members = 0;  // of kLayout: of the group, that the layout gives new maps
  Refresh refresh{};     // of all displays that show the member
};

enum class GroupRuling : uint8_t {
  kWelcome = 1,
  kShow = 2,   // at at_ns
  kDrop = 3,   // this one, and those before that were not shown
  kYours = 4,  // to who said kLayout: all have it, and nobody shows it before kAt
  kHere = 5,   // nothing: a sign of life
};
struct GroupVerdict {
  int64_t present_ns = 0;  // wall time
  int64_t at_ns = 0;       // wall time; of kShow
  GroupRuling ruling{};
  // Members send one frame of each such span of wall time, the first; 0: all.
  uint32_t spacing_us = 0;
};
constexpr uint32_t kMaxGroupSpacingUs = 1'000'000;

struct CloseMessage {
  CloseReason reason{};
  std::string text;  // at most kMaxCloseText bytes
};

struct SnapshotRequest {
  uint64_t secret = 0;  // from the manager's snapshot verb
  int64_t at_ns = 0;    // wall time: show what the tiles show at this instant
};

// The picture is what the display shows: the tile's own pixels, rotation included.
struct PictureBegin {
  std::string tile;
  Size size;
  int64_t taken_ns = 0;  // wall time
  struct WindowFrame {
    uint32_t window = 0;
    uint64_t frame = 0;  // the frame of that window that the tile shows
  };
  std::vector<WindowFrame> windows;
};

// Rows [first_row, first_row + rows) of the tile: B, G, R, 255; the pixels follow in the body.
struct PictureRows {
  uint32_t first_row = 0;
  uint32_t rows = 0;
};
constexpr size_t kPictureRowsFixedBytes = 8;

// --- encoding -----------------------------------------------------------------------------------
//
// What is encoded keeps the limits that decoding checks.

// Rare messages, header included.
std::array<uint8_t, kDataHeaderBytes> encode_header(const DataHeader& header);
std::vector<uint8_t> encode(uint32_t stream, const StreamOpen& message);
std::vector<uint8_t> encode(uint32_t stream, const StreamAccept& message);
std::vector<uint8_t> encode(uint32_t stream, const CloseMessage& message);
std::vector<uint8_t> encode(uint32_t stream, const GroupOpen& message);
std::vector<uint8_t> encode(const SnapshotRequest& message);
std::vector<uint8_t> encode(const PictureBegin& message);
std::vector<uint8_t> encode_picture_end();
std::vector<uint8_t> encode(uint32_t stream, const SoundOpen& message);
std::vector<uint8_t> encode_sound_accept(uint32_t stream);
std::vector<uint8_t> encode(uint32_t stream, const Sound& message);

// Per-frame messages: into the caller's buffer, header included, without allocation. Each returns
// the bytes written.
constexpr size_t kFrameBeginBytes = kDataHeaderBytes + 40;
constexpr size_t kFrameEndBytes = kDataHeaderBytes + 32;
constexpr size_t kFrameReadyBytes = kDataHeaderBytes + 40;
constexpr size_t kFrameShowBytes = kDataHeaderBytes + 24;
constexpr size_t kFrameReportBytes = kDataHeaderBytes + 40;
constexpr size_t kGroupReadyBytes = kDataHeaderBytes + 48;
constexpr size_t kGroupVerdictBytes = kDataHeaderBytes + 24;
size_t encode_to(std::span<uint8_t> out, uint32_t stream, const FrameBegin& message);
size_t encode_to(std::span<uint8_t> out, uint32_t stream, const FrameEnd& message);
std::array<uint8_t, kFrameReadyBytes> encode(uint32_t stream, const FrameReady& message);
std::array<uint8_t, kFrameShowBytes> encode(uint32_t stream, const FrameShow& message);
std::array<uint8_t, kFrameReportBytes> encode(uint32_t stream, const FrameReport& message);
std::array<uint8_t, kGroupReadyBytes> encode(uint32_t stream, const GroupReady& message);
std::array<uint8_t, kGroupVerdictBytes> encode(uint32_t stream, const GroupVerdict& message);
// Header, run and table of lengths; the blocks' bytes are sent after it. lengths.size() == count.
size_t encode_to(std::span<uint8_t> out, uint32_t stream, const BlockRun& message,
                 std::span<const uint32_t> lengths);
// Header and first row numbers; the pixels are sent after it.
size_t encode_to(std::span<uint8_t> out, const PictureRows& message, size_t pixel_bytes);

// --- decoding -----------------------------------------------------------------------------------

// The CloseReason that the session ends with, and a sentence.
struct DataError {
  CloseReason reason{};
  std::string text;
};
inline DataError bad_message(std::string text) {
  return {CloseReason::kBadMessage, std::move(text)};
}

template <typename T>
using DataResult = Expected<T, DataError>;

// Checks magic, version, type and body_bytes against the limits of the type.
DataResult<DataHeader> decode_header(std::span<const uint8_t, kDataHeaderBytes> bytes);
DataResult<StreamOpen> decode_stream_open(std::span<const uint8_t> body);
DataResult<StreamAccept> decode_stream_accept(std::span<const uint8_t> body);
DataResult<FrameBegin> decode_frame_begin(std::span<const uint8_t> body);
// The first kBlockRunFixedBytes of the body.
DataResult<BlockRun> decode_block_run(std::span<const uint8_t> fixed);
DataResult<FrameEnd> decode_frame_end(std::span<const uint8_t> body);
DataResult<FrameReport> decode_frame_report(std::span<const uint8_t> body);
DataResult<FrameReady> decode_frame_ready(std::span<const uint8_t> body);
DataResult<FrameShow> decode_frame_show(std::span<const uint8_t> body);
DataResult<SoundOpen> decode_sound_open(std::span<const uint8_t> body);
// Its samples are the body's.
DataResult<Sound> decode_sound(std::span<const uint8_t> body);
DataResult<GroupOpen> decode_group_open(std::span<const uint8_t> body);
DataResult<GroupReady> decode_group_ready(std::span<const uint8_t> body);
DataResult<GroupVerdict> decode_group_verdict(std::span<const uint8_t> body);
DataResult<CloseMessage> decode_close(std::span<const uint8_t> body);
DataResult<SnapshotRequest> decode_snapshot_request(std::span<const uint8_t> body);
DataResult<PictureBegin> decode_picture_begin(std::span<const uint8_t> body);
DataResult<PictureRows> decode_picture_rows(std::span<const uint8_t> fixed);

}  // namespace sail
