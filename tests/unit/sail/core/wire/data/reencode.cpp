#include "tests/unit/sail/core/wire/data/reencode.h"

#include <numeric>

#include "sail/core/wire/application_messages.h"
#include "sail/core/wire/data/byte_reader.h"
#include "sail/core/wire/data/repeated_messages.h"
#include "sail/core/wire/data/thumbnail.h"
#include "sail/core/wire/group.h"
#include "sail/core/wire/hello_messages.h"
#include "sail/core/wire/input.h"
#include "sail/core/wire/overlay.h"
#include "sail/core/wire/playback.h"
#include "sail/core/wire/power.h"
#include "sail/core/wire/receiver_messages.h"
#include "sail/core/wire/scene_change.h"
#include "sail/core/wire/sound.h"
#include "sail/core/wire/standby.h"
#include "sail/core/wire/stats.h"

namespace sail {
namespace {

template <typename Message>
Result<Json> reencode(const Json& body) {
  const auto message = message_from_json<Message>(body);
  if (!message) return message.error();
  return to_json(*message);
}

// A receiver's welcome with the additional fields for recorders.
Result<Json> reencode_record_result(const Json& body) {
  auto welcome = reencode<ReceiverWelcome>(body);
  const auto sound = reencode<RecordSound>(body);
  if (!sound) return sound.error();
  if (welcome) welcome->update(*sound);
  return welcome;
}

constexpr ControlMessage kControlMessages[] = {
    {"challenge", reencode<Challenge>},
    {"challenge_result", reencode<ChallengeAnswer>},
    {"hello_receiver", reencode<Hello>},
    {"hello_application", reencode<Hello>},
    {"hello_receiver_result", reencode<ReceiverWelcome>},
    {"record", reencode<Record>},
    {"record_result", reencode_record_result},
    {"stand_by", reencode<StandBy>},
    {"stand_by_result", reencode<Journal>},
    {"standby", reencode<StandbyNews>},
    {"journal", reencode<JournalNews>},
    {"clock_result", reencode<ClockReading>},
    {"clock_stats", reencode<ClockStats>},
    {"host_stats", reencode<HostStats>},
    {"scene", reencode<Scene>},
    {"scene_change", reencode<SceneChange>},
    {"epoch_ready", reencode<EpochReady>},
    {"take_effect", reencode<TakeEffect>},
    {"go", reencode<Go>},
    {"overlay", reencode<Overlay>},
    {"snapshot", reencode<SnapshotPermit>},
    {"power", reencode<PowerRequest>},
    {"power_result", reencode<PowerAnswer>},
    {"sound_mix", reencode<SoundMix>},
    {"sound_levels", reencode<SoundLevels>},
    {"sound_routes", reencode<SoundRoutes>},
    {"receiver_stats", reencode<ReceiverStats>},
    {"open_stream", reencode<OpenStream>},
    {"open_stream_result", reencode<StreamOpened>},
    {"routes", reencode<Routes>},
    {"group", reencode<GroupMembership>},
    {"data_port", reencode<DataPort>},
    {"group_absent", reencode<GroupAbsent>},
    {"group_tables", reencode<CoordinatedGroups>},
    {"event", reencode<AppEvent>},
    {"input", reencode<StreamInput>},
    {"input_key", reencode<StreamInput>},
    {"input_wheel", reencode<StreamInput>},
    {"playback", reencode<StreamPlayback>},
    {"playback_tracks", reencode<StreamPlayback>},
    {"playback_page", reencode<StreamPlayback>},
    {"thumbnails", reencode<ThumbnailRequest>},
    {"thumbnail", reencode<Thumbnail>},
    {"stream_stats", reencode<StreamStats>},
};

using Bytes = std::vector<uint8_t>;

auto wrong_length() {
  return DataError{CloseReason::kBadMessage, "the lengths do not fit"};
}

template <typename Message>
DataResult<Bytes> encoded(uint32_t stream, const DataResult<Message>& message) {
  if (!message) return message.error();
  const auto bytes = encode(stream, *message);
  return Bytes(bytes.begin(), bytes.end());
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

DataResult<Bytes> reencode_places(uint32_t stream, std::span<const uint8_t> body) {
  std::vector<BlockPlace> places;
  const auto run = decode_block_places(body, places);
  if (!run) return run.error();
  Bytes bytes(kDataHeaderBytes + block_places_bytes(run->count));
  bytes.resize(encode_to(bytes, stream, *run, places));
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
    case DataType::kFrameReady:
      return encoded(stream, decode_frame_ready(body));
    case DataType::kFrameShow:
      return encoded(stream, decode_frame_show(body));
    case DataType::kSoundOpen:
      return encoded(stream, decode_sound_open(body));
    case DataType::kSoundAccept:
      return encode_sound_accept(stream);
    case DataType::kSound:
      return encoded(stream, decode_sound(body));
    case DataType::kGroupOpen:
      return encoded(stream, decode_group_open(body));
    case DataType::kGroupReady:
      return encoded(stream, decode_group_ready(body));
    case DataType::kGroupDecision:
      return encoded(stream, decode_group_decision(body));
    case DataType::kMulticastJoin:
      return encoded(stream, decode_multicast_join(body));
    case DataType::kMulticastState:
      return encoded(stream, decode_multicast_state(body));
    case DataType::kMemoryOffer:
      return encoded(stream, decode_memory_offer(body));
    case DataType::kMemoryState:
      return encoded(stream, decode_memory_state(body));
    case DataType::kBlockPlaces:
      return reencode_places(stream, body);
  }
  return wrong_length();
}

std::optional<std::vector<uint8_t>> reencode_packet(std::span<const uint8_t> datagram,
                                                    size_t symbol_bytes) {
  const auto header = decode_packet_header(datagram);
  if (!header) return std::nullopt;
  std::vector<uint8_t> again(kMaxPacketBytes);
  switch (header->type) {
    case PacketType::kSource:
    case PacketType::kParity: {
      const auto packet = decode_frame_packet(datagram, symbol_bytes);
      if (!packet) return std::nullopt;
      again.resize(encode_to(again, *header, packet->packet));
      again.insert(again.end(), packet->bytes.begin(), packet->bytes.end());
      return again;
    }
    case PacketType::kProbe: {
      const auto probe = decode_probe(datagram);
      if (!probe) return std::nullopt;
      again.resize(encode_to(again, *header, *probe));
      return again;
    }
    case PacketType::kFeedback: {
      Feedback feedback;
      if (!decode_feedback(datagram, feedback)) return std::nullopt;
      again.resize(encode_to(again, *header, feedback));
      return again;
    }
    case PacketType::kMessages: {
      std::span<const uint8_t> text = datagram.subspan(kPacketHeaderBytes);
      const auto said = cut_messages(text);
      if (!said) return std::nullopt;
      again.resize(encode_to(again, *header, std::span<const uint8_t>()));
      for (const MessageBuffer::Message& message : *said) {
        const auto message_again = reencode_data(text.first(message.bytes()));
        if (!message_again) return std::nullopt;
        again.insert(again.end(), message_again->begin(), message_again->end());
        text = text.subspan(message.bytes());
      }
      return again;
    }
  }
  return std::nullopt;
}

}  // namespace sail
