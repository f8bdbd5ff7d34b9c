// Messages of the data plane; sail/PROTOCOL.md is the normative text.
//
// A message is a 16-byte header and a body. SAIL connects to a receiver's data port and opens one
// stream per connection; the receiver sends reports back on the same connection. A UI client that
// wants a picture of the tiles opens the same port with a snapshot request. The sound of a stream
// uses a separate connection, so that it never waits behind a frame.
//
// Pure: bytes in, values out. Every decode_* checks each field against limits.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/core/text/ip_address.h"
#include "sail/core/text/limits.h"
#include "sail/core/wire/data/codec_name.h"

namespace sail {

constexpr uint32_t kDataMagic = 0x4c525456;  // "VTRL" in memory order
constexpr size_t kDataHeaderBytes = 16;

enum class DataType : uint8_t {
  kStreamOpen = 1,       // SAIL → receiver: first message of a stream's connection
  kStreamAccept = 2,     // receiver → SAIL: frames may be sent
  kFrameBegin = 3,       // SAIL → receiver
  kBlockRun = 4,         // SAIL → receiver: adjacent blocks of one block row
  kFrameEnd = 5,         // SAIL → receiver
  kFrameReport = 6,      // receiver → SAIL: outcome of a frame
  kClose = 7,            // either: a reason, then the connection ends
  kSnapshotRequest = 8,  // UI → receiver: first message of a snapshot connection
  kPictureBegin = 9,     // receiver → UI: one tile's picture follows
  kPictureRows = 10,     // receiver → UI
  kPictureEnd = 11,      // receiver → UI: no further tile
  kFrameReady = 12,      // receiver → SAIL: the whole frame has arrived
  kFrameShow = 13,       // SAIL → receiver: presentation time of a frame
  kSoundOpen = 14,       // SAIL → receiver: first message of a sound connection
  kSoundAccept = 15,     // receiver → SAIL: sound may be sent
  kSound = 16,           // SAIL → receiver: samples with their presentation time
  kGroupOpen = 17,       // SAIL → receiver: first message of a group member
  kGroupReady = 18,      // SAIL → receiver: a member's vote for a presentation time
  kGroupDecision = 19,   // receiver → SAIL: the decision for all members
  kMulticastJoin = 20,   // SAIL → receiver: packets of the stream also come to a multicast group
  kMulticastState = 21,  // receiver → SAIL: whether packets of that group arrive
  kMemoryOffer = 22,     // SAIL → receiver: memory for blocks was handed over
  kMemoryState = 23,     // receiver → SAIL: whether the receiver reads that memory
  kBlockPlaces = 24,     // SAIL → receiver: adjacent blocks of one block row in that memory
};
const char* data_type_name(DataType type);  // e.g. "stream_open"

struct DataHeader {
  DataType type{};
  uint32_t stream = 0;  // stream number; 0 in snapshot messages
  uint32_t body_bytes = 0;
};

// Why a data session ended.
enum class CloseReason : uint16_t {
  kNormal = 0,         // the stream ended
  kBadMagic = 1,       // not this protocol
  kBadVersion = 2,     // unsupported protocol version
  kBadMessage = 3,     // the protocol forbids this length, field or message order
  kUnknownStream = 4,  // unknown stream, or wrong secret
  kUnsupported = 5,    // unsupported codec
  kLimit = 6,          // a limit was exceeded
  kTimeout = 7,        // an expected message did not arrive in time
  kReplaced = 8,       // a newer connection took over the stream
  kShutdown = 9,       // the process is ending
};
const char* close_reason_name(CloseReason reason);

struct StreamOpen {
  uint64_t secret = 0;  // from the manager, the same for SAIL and the receivers
  StreamCodec codec;
  Size frame_size;
  Size block_size;
  // 0: frames are sent on this connection. Otherwise frames are sent over UDP to the same port
  // number, in FEC symbols of this many bytes (packets.h); reports and close stay here.
  uint16_t symbol_bytes = 0;
  // Packets in both directions are encrypted with the key in StreamAccept.
  bool sealed = false;
  // Without packets: SAIL asks for a name by which it can hand over memory (memory_handover.h).
  bool shares = false;
};

using PacketKey = std::array<uint8_t, 16>;

struct StreamAccept {
  // Maximum number of unreported frames: SAIL never has more in flight.
  uint16_t frames_in_flight = 0;
  uint64_t packet_secret = 0;  // identifies this connection's packets; 0: no packets
  // Encryption key of the packets. In answer to StreamOpen::shares: the name at which SAIL can hand
  // over memory. Zeros: neither.
  PacketKey packet_key{};
};

struct FrameBegin {
  uint64_t frame = 0;        // counts from 1 in each stream
  uint64_t epoch = 0;        // epoch of the routing map that routed the frame
  int64_t submitted_ns = 0;  // wall time at which the application submitted the frame
  // Reference frame: an earlier frame of this connection that arrived whole. Blocks that are not
  // sent keep the receiver's current content. 0: no reference.
  uint64_t base = 0;
  // How often the picture is halved. DXT and raw: halved before it is cut into blocks. JPEG 2000:
  // each block carries only the part of its codestream that the halved picture needs.
  uint8_t reduction = 0;
  // JPEG 2000, carried streams: meaning of the components. Raw: as codecs::is_planar(). Else the
  // default.
  codecs::PictureColor color{};
  // Playout delay: receivers have the frame ready for the swap this long after submitted_ns, not
  // sooner. Over UDP, lost packets are repaired until then. 0: as soon as it is whole.
  uint32_t delay_us = 0;
};

// Blocks [first_column, first_column + count) of a block row. The body holds the fixed part, a
// table of block lengths, and the blocks' bytes one after another. Fixed part and table take
// block_run_bytes(count).
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

// In BlockPlaces, each entry of the table is a place in place of a length, and no bytes follow.
struct BlockPlace {
  uint64_t offset = 0;  // in the memory
  uint32_t length = 0;
};
constexpr size_t block_places_bytes(uint16_t count) {
  return kBlockRunFixedBytes + size_t{12} * count;
}

struct FrameEnd {
  uint64_t frame = 0;
  int64_t encoded_ns = 0;    // wall time: last block encoded
  int64_t sent_ns = 0;       // wall time: last block handed to the socket
  uint32_t block_count = 0;  // number of blocks sent
};

enum class FrameOutcome : uint8_t {
  kShown = 1,
  kDropped = 2,
};
enum class DropCause : uint8_t {
  kNone = 0,
  kSuperseded = 1,  // a later frame was shown instead
  kOldEpoch = 2,    // routed for a layout that is no longer shown
  kIncomplete = 3,  // blocks or the reference frame are missing: send a whole frame next
  kHidden = 4,      // the window is not on this receiver any more
  kLost = 5,        // packets were lost and not repaired in time
  kFrozen = 6,      // people have frozen the window
  kUndecoded = 7,   // the picture of a carried stream could not be decoded, or not yet
};

struct FrameReport {
  uint64_t frame = 0;
  uint64_t epoch = 0;
  FrameOutcome outcome{};
  DropCause cause{};         // of a shown frame: kOldEpoch if it was sent for a former layout
  int64_t assembled_ns = 0;  // wall time: last block arrived; 0: never
  int64_t swapped_ns = 0;    // wall time: swap on this receiver's last tile; 0 when dropped
};

// When displays start a new picture. Each starts one per period: the first display at at_ns, the
// last at most spread_ns later. The spread is 0 for one display and for genlocked displays.
struct Refresh {
  int64_t at_ns = 0;       // a recent refresh; wall time unless stated otherwise
  uint32_t period_ns = 0;  // 0: unknown, or not the same for all displays
  uint32_t spread_ns = 0;  // at most the period
  bool operator==(const Refresh&) const = default;
};
constexpr uint32_t kMaxRefreshNs = 1'000'000'000;
constexpr uint32_t kMinRefreshNs = 1'000'000;

// The whole frame has arrived and, if necessary, was decoded.
struct FrameReady {
  uint64_t frame = 0;
  uint64_t epoch = 0;
  int64_t render_ns = 0;  // longest recent time from frame_show until painted
  Refresh refresh{};      // refresh of the receiver's displays
};

// The frame is swapped at this instant and older frames of the stream are dropped. All receivers of
// the routing map get the same decision.
struct FrameShow {
  uint64_t frame = 0;  // 0: none, only the layout of the epoch takes effect
  uint64_t epoch = 0;
  int64_t at_ns = 0;  // wall time; 0: never, this frame is dropped as well
};

struct SoundOpen {
  uint64_t secret = 0;  // the stream's secret
};

struct Sound {
  int64_t at_ns = 0;  // wall time at which the first sample is heard
  uint32_t rate = 0;  // sample rate in Hz
  uint8_t channels = 0;
  bool restart = false;  // discard all samples sent before and not heard yet
  // 16-bit little-endian samples, channels interleaved. May be empty only with `restart`.
  std::span<const uint8_t> samples{};

  size_t count() const { return samples.size() / (size_t{2} * channels); }
};
constexpr size_t kSoundFixedBytes = 16;

// The stream in the header joins a group that this receiver coordinates.
struct GroupOpen {
  uint64_t secret = 0;  // the group's secret, from the manager
};

// A member's vote for the frame with presentation time `present_ns`.
enum class GroupVote : uint8_t {
  kReady = 1,        // all of the stream's receivers have the frame
  kLayoutReady = 2,  // as kReady, but a layout's first frame: the manager decides when it is shown
  kLayoutAt = 3,     // the layout's frame is shown at at_ns
  kWithdrawn = 4,    // withdraws all votes of this member
};
struct GroupReady {
  int64_t present_ns = 0;  // wall time
  int64_t at_ns = 0;       // wall time; only for kLayoutAt
  int64_t lead_ns = 0;     // the decision must reach the member this long before presentation
  GroupVote vote{};
  // Number of members with new routing maps in this layout; only for kLayoutReady.
  uint32_t members = 0;
  Refresh refresh{};  // refresh of all displays that show the member
};

enum class DecisionKind : uint8_t {
  kJoined = 1,
  kShow = 2,  // show the frame at at_ns
  kDrop = 3,  // drop this frame and all earlier ones not shown yet
  // Reply to kLayoutReady: all members have the frame, and none shows it before kLayoutAt.
  kLayoutGranted = 4,
  kHeartbeat = 5,
};
struct GroupDecision {
  int64_t present_ns = 0;  // wall time
  int64_t at_ns = 0;       // wall time; only for kShow
  DecisionKind kind{};
  // Members send only the first frame of each span of this much wall time; 0: all frames.
  uint32_t spacing_us = 0;
};
constexpr uint32_t kMaxGroupSpacingUs = 1'000'000;

// From now on packets of the stream may come to this multicast group, with this secret and key;
// earlier ones are not valid any more.
struct MulticastJoin {
  uint64_t secret = 0;
  PacketKey key{};
  IpAddress group;  // none: leave the group
  uint16_t port = 0;
};

struct MulticastState {
  uint64_t secret = 0;  // as in MulticastJoin
  bool hears = false;   // a packet has arrived; else the group could not be joined
  std::string text{};   // why not, at most kMaxCloseText bytes
};

constexpr uint64_t kMaxSharedBytes = uint64_t{1} << 40;
struct MemoryOffer {
  uint64_t bytes = 0;  // size of the memory, 1 to kMaxSharedBytes
};

struct MemoryState {
  bool reads = false;  // blocks may be in the memory from now on
  std::string text{};  // why not, at most kMaxCloseText bytes
};

struct CloseMessage {
  CloseReason reason{};
  std::string text;  // at most kMaxCloseText bytes
};

struct SnapshotRequest {
  uint64_t secret = 0;  // from the manager's snapshot verb
  int64_t at_ns = 0;    // wall time: capture the tiles as shown at this instant
};

// The picture that the display shows: the tile's own pixels, after rotation.
struct PictureBegin {
  std::string tile;
  Size size;
  int64_t taken_ns = 0;  // wall time
  struct WindowFrame {
    uint32_t window = 0;
    uint64_t frame = 0;  // the frame of that window on the tile
  };
  std::vector<WindowFrame> windows;
};

// Rows [first_row, first_row + rows) of the tile. The pixels follow in the body: B, G, R, 255.
struct PictureRows {
  uint32_t first_row = 0;
  uint32_t rows = 0;
};
constexpr size_t kPictureRowsFixedBytes = 8;

// --- encoding -----------------------------------------------------------------------------------
//
// Callers must respect the limits that decoding checks.

// Rare messages, header included.
std::array<uint8_t, kDataHeaderBytes> encode_header(const DataHeader& header);
std::vector<uint8_t> encode(uint32_t stream, const StreamOpen& message);
std::vector<uint8_t> encode(uint32_t stream, const StreamAccept& message);
std::vector<uint8_t> encode(uint32_t stream, const CloseMessage& message);
std::vector<uint8_t> encode(uint32_t stream, const GroupOpen& message);
std::vector<uint8_t> encode(uint32_t stream, const MulticastJoin& message);
std::vector<uint8_t> encode(uint32_t stream, const MulticastState& message);
std::vector<uint8_t> encode(uint32_t stream, const MemoryOffer& message);
std::vector<uint8_t> encode(uint32_t stream, const MemoryState& message);
std::vector<uint8_t> encode(const SnapshotRequest& message);
std::vector<uint8_t> encode(const PictureBegin& message);
std::vector<uint8_t> encode_picture_end();
std::vector<uint8_t> encode(uint32_t stream, const SoundOpen& message);
std::vector<uint8_t> encode_sound_accept(uint32_t stream);
std::vector<uint8_t> encode(uint32_t stream, const Sound& message);

// Per-frame messages without allocation, header included. encode_to() writes into the caller's
// buffer and returns the number of bytes written.
constexpr size_t kFrameBeginBytes = kDataHeaderBytes + 40;
constexpr size_t kFrameEndBytes = kDataHeaderBytes + 32;
constexpr size_t kFrameReadyBytes = kDataHeaderBytes + 40;
constexpr size_t kFrameShowBytes = kDataHeaderBytes + 24;
constexpr size_t kFrameReportBytes = kDataHeaderBytes + 40;
constexpr size_t kGroupReadyBytes = kDataHeaderBytes + 48;
constexpr size_t kGroupDecisionBytes = kDataHeaderBytes + 24;
size_t encode_to(std::span<uint8_t> out, uint32_t stream, const FrameBegin& message);
size_t encode_to(std::span<uint8_t> out, uint32_t stream, const FrameEnd& message);
std::array<uint8_t, kFrameReadyBytes> encode(uint32_t stream, const FrameReady& message);
std::array<uint8_t, kFrameShowBytes> encode(uint32_t stream, const FrameShow& message);
std::array<uint8_t, kFrameReportBytes> encode(uint32_t stream, const FrameReport& message);
std::array<uint8_t, kGroupReadyBytes> encode(uint32_t stream, const GroupReady& message);
std::array<uint8_t, kGroupDecisionBytes> encode(uint32_t stream, const GroupDecision& message);
// Writes header, fixed part and table of lengths; the caller sends the blocks' bytes after it.
// lengths.size() must equal `count`.
size_t encode_to(std::span<uint8_t> out, uint32_t stream, const BlockRun& message,
                 std::span<const uint32_t> lengths);
// Writes a whole message. places.size() must equal `count`.
size_t encode_to(std::span<uint8_t> out, uint32_t stream, const BlockRun& run,
                 std::span<const BlockPlace> places);
// Writes header and row numbers; the caller sends the pixels after it.
size_t encode_to(std::span<uint8_t> out, const PictureRows& message, size_t pixel_bytes);

// --- decoding -----------------------------------------------------------------------------------

// The close reason for ending the session, and a message.
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
// Takes the first kBlockRunFixedBytes of the body.
DataResult<BlockRun> decode_block_run(std::span<const uint8_t> fixed);
DataResult<FrameEnd> decode_frame_end(std::span<const uint8_t> body);
DataResult<FrameReport> decode_frame_report(std::span<const uint8_t> body);
DataResult<FrameReady> decode_frame_ready(std::span<const uint8_t> body);
DataResult<FrameShow> decode_frame_show(std::span<const uint8_t> body);
DataResult<SoundOpen> decode_sound_open(std::span<const uint8_t> body);
// The samples refer to the body.
DataResult<Sound> decode_sound(std::span<const uint8_t> body);
DataResult<GroupOpen> decode_group_open(std::span<const uint8_t> body);
DataResult<GroupReady> decode_group_ready(std::span<const uint8_t> body);
DataResult<GroupDecision> decode_group_decision(std::span<const uint8_t> body);
DataResult<MulticastJoin> decode_multicast_join(std::span<const uint8_t> body);
DataResult<MulticastState> decode_multicast_state(std::span<const uint8_t> body);
DataResult<MemoryOffer> decode_memory_offer(std::span<const uint8_t> body);
DataResult<MemoryState> decode_memory_state(std::span<const uint8_t> body);
// Replaces `places` by the places of the run's blocks.
DataResult<BlockRun> decode_block_places(std::span<const uint8_t> body,
                                         std::vector<BlockPlace>& places);
DataResult<CloseMessage> decode_close(std::span<const uint8_t> body);
DataResult<SnapshotRequest> decode_snapshot_request(std::span<const uint8_t> body);
DataResult<PictureBegin> decode_picture_begin(std::span<const uint8_t> body);
DataResult<PictureRows> decode_picture_rows(std::span<const uint8_t> fixed);

}  // namespace sail
