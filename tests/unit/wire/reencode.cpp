#include "tests/unit/wire/reencode.h"

#include <numeric>

#include "sail/wire/byte_reader.h"
#include "sail/wire/input.h"
#include "sail/wire/overlay.h"
#include "sail/wire/playback.h"
#include "sail/wire/scene_change.h"
#include "sail/wire/thumbnail.h"

namespace sail {
namespace {

template <auto kDecode>
Result<Json> reencode(const Json& body) {
  const auto message = kDecode(body);
  if (!message) return message.error();
  return to_json(*message);
}

constexpr ControlMessage kControlMessages[] = {
    {"hello_receiver", reencode<hello_from_json>},
    {"hello_application", reencode<hello_from_json>},
    {"hello_receiver_result", reencode<receiver_welcome_from_json>},
    {"clock_result", reencode<clock_reading_from_json>},
    {"scene", reencode<scene_from_json>},
    {"scene_change", reencode<scene_change_from_json>},
    {"ready", reencode<ready_from_json>},
    {"go", reencode<go_from_json>},
    {"overlay", reencode<overlay_from_json>},
    {"snapshot", reencode<snapshot_permit_from_json>},
    {"receiver_stats", reencode<receiver_stats_from_json>},
    {"open_stream", reencode<open_stream_from_json>},
    {"open_stream_result", reencode<stream_opened_from_json>},
    {"routes", reencode<routes_from_json>},
    {"event", reencode<app_event_from_json>},
    {"input", reencode<stream_input_from_json>},
    {"input_key", reencode<stream_input_from_json>},
    {"input_wheel", reencode<stream_input_from_json>},
    {"playback", reencode<stream_playback_from_json>},
    {"playback_page", reencode<stream_playback_from_json>},
    {"thumbnails", reencode<thumbnail_request_from_json>},
    {"thumbnail", reencode<thumbnail_from_json>},
    {"stream_stats", reencode<stream_stats_from_json>},
};

using Bytes = std::vector<uint8_t>;

auto wrong_length() {
  return DataError{CloseReason::kBadMessage, "the lengths do not fit"};
}

template <typename Message>
DataResult<Bytes> encoded(uint32_t stream, const DataResult<Message>& message) {
  if (!message) return message.error();
  return encode(stream, *message);
}

template <typename Message>
DataResult<Bytes> encoded(const DataResult<Message>& message) {
  if (!message) return message.error();
  return encode(*message);
}

template <typename Message>
DataResult<Bytes> encoded_per_frame(uint32_t stream, const DataResult<Message>& message) {
  if (!message) return message.error();
  Bytes bytes(kDataHeaderBytes + 64);
  bytes.resize(encode_to(bytes, stream, *message));
  return bytes;
}

DataResult<Bytes> reencode_run(uint32_t stream, std::span<const uint8_t> body) {
  const auto run = decode_block_run(body.first(kBlockRunFixedBytes));
  if (!run) return run.error();
  ByteReader in(body.subspan(kBlockRunFixedBytes));
  std::vector<uint32_t> lengths(run->count);
  for (uint32_t& length : lengths) length = in.u32();
  const size_t sum = std::accumulate(lengths.begin(), lengths.end(), size_t{0});
  if (!in.ok() || sum != in.left()) return wrong_length();
  Bytes bytes(kDataHeaderBytes + block_run_bytes(run->count));
  bytes.resize(encode_to(bytes, stream, *run, lengths));
  const auto blocks = in.bytes(sum);
  bytes.insert(bytes.end(), blocks.begin(), blocks.end());
  return bytes;
}

DataResult<Bytes> reencode_rows(std::span<const uint8_t> body) {
  const auto rows = decode_picture_rows(body.first(kPictureRowsFixedBytes));
  if (!rows) return rows.error();
  const auto pixels = body.subspan(kPictureRowsFixedBytes);
  Bytes bytes(kDataHeaderBytes + kPictureRowsFixedBytes);
  bytes.resize(encode_to(bytes, *rows, pixels.size()));
  bytes.insert(bytes.end(), pixels.begin(), pixels.end());
  return bytes;
}

}  // namespace

std::span<const ControlMessage> control_messages() {
  return kControlMessages;
}

DataResult<Bytes> reencode_data(std::span<const uint8_t> message) {
  if (message.size() < kDataHeaderBytes) return wrong_length();
  const auto header = decode_header(message.first<kDataHeaderBytes>());
  if (!header) return header.error();
  const auto body = message.subspan(kDataHeaderBytes);
  if (body.size() != header->body_bytes) return wrong_length();
  const uint32_t stream = header->stream;
  switch (header->type) {
    case DataType::kStreamOpen:
      return encoded(stream, decode_stream_open(body));
    case DataType::kStreamAccept:
      return encoded(stream, decode_stream_accept(body));
    case DataType::kFrameBegin:
      return encoded_per_frame(stream, decode_frame_begin(body));
    case DataType::kBlockRun:
      return reencode_run(stream, body);
    case DataType::kFrameEnd:
      return encoded_per_frame(stream, decode_frame_end(body));
    case DataType::kFrameReport:
      return encoded(stream, decode_frame_report(body));
    case DataType::kClose:
      return encoded(stream, decode_close(body));
    case DataType::kSnapshotRequest:
      return encoded(decode_snapshot_request(body));
    case DataType::kPictureBegin:
      return encoded(decode_picture_begin(body));
    case DataType::kPictureRows:
      return reencode_rows(body);
    case DataType::kPictureEnd:
      return encode_picture_end();
  }
  return wrong_length();
}

}  // namespace sail
