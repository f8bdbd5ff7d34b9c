#include "receiver/intake/frame_intake.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "sail/core/time/clock.h"

namespace receiver {

using sail::DataError;
using sail::DataType;

FrameIntake::FrameIntake(const FrameSource& source, int frames_in_flight, Host& host)
    : source_(source), host_(host), assembler_(source, frames_in_flight) {}

std::optional<DataError> FrameIntake::on_message(const sail::DataHeader& header,
                                                 std::span<const uint8_t> body) {
  if (header.stream != source_.stream) return sail::bad_message("a message for another stream");
  if (header.type == DataType::kFrameBegin) return on_frame_begin(body);
  if (header.type == DataType::kBlockPlaces) return on_block_places(body);
  if (header.type == DataType::kFrameEnd) return on_frame_end(body);
  return sail::bad_message(
      fmt::format("unexpected {} message from an application", data_type_name(header.type)));
}

std::optional<DataError> FrameIntake::on_frame_begin(std::span<const uint8_t> body) {
  auto message = sail::decode_frame_begin(body);
  if (!message) return std::move(message.error());
  auto incomplete = assembler_.begin(*message);
  if (!incomplete) return std::move(incomplete.error());
  current_ = *message;
  if (*incomplete) host_.frame_incomplete(*std::move(incomplete));
  return std::nullopt;
}

sail::Result<sail::MemoryName> FrameIntake::listen_for_memory() {
  auto shared = SharedBlocks::listen();
  if (!shared) return std::move(shared.error());
  shared_ = *std::move(shared);
  return shared_->name();
}

sail::Result<void> FrameIntake::take_memory(const sail::MemoryOffer& offer) {
  if (shared_) return shared_->take(offer);
  return sail::fail(sail::ErrorCode::kInvalidRequest, "no memory was asked for");
}

std::optional<DataError> FrameIntake::on_block_places(std::span<const uint8_t> body) {
  const auto run = sail::decode_block_places(body, places_);
  if (!run) return run.error();
  if (!shared_) return sail::bad_message("blocks in memory that was not handed over");
  lengths_.clear();
  for (const sail::BlockPlace& place : places_) lengths_.push_back(place.length);
  auto room = assembler_.place(*run, lengths_);
  if (!room) return std::move(room.error());
  if (auto error = shared_->read(places_, *room)) return error;
  assembler_.placed();
  return std::nullopt;
}

std::optional<DataError> FrameIntake::on_frame_end(std::span<const uint8_t> body) {
  auto message = sail::decode_frame_end(body);
  if (!message) return std::move(message.error());
  auto ended = assembler_.end(*message);
  if (!ended) return std::move(ended.error());
  current_.reset();
  if (!ended->whole) {
    host_.frame_incomplete(std::move(ended->frame));
    return std::nullopt;
  }
  ended->frame->set_assembled_ns(sail::steady_now_ns());
  host_.frame_whole(std::move(ended->frame));
  return std::nullopt;
}

sail::DataResult<std::span<uint8_t>> FrameIntake::on_run(const sail::DataHeader& header,
                                                         const sail::BlockRun& run,
                                                         std::span<const uint32_t> lengths) {
  if (header.stream != source_.stream) return sail::bad_message("blocks for another stream");
  return assembler_.place(run, lengths);
}

std::optional<DataError> FrameIntake::on_run_filled() {
  assembler_.placed();
  return std::nullopt;
}

std::optional<DataError> FrameIntake::lose(const FrameKey& key) {
  auto lost = assembler_.lose(key);
  if (!lost) return std::move(lost.error());
  current_.reset();
  host_.frame_lost(source_, key, *std::move(lost));
  return std::nullopt;
}

namespace {

using sail::DataError;
using sail::FrameName;

FrameKey key_of(const FrameName& name) {
  return {.epoch = name.epoch, .number = name.frame};
}

DataError torn(const FrameName& name) {
  return {sail::CloseReason::kBadMessage,
          fmt::format("the packets of frame {} do not contain a valid frame", name.frame)};
}

}  // namespace

std::optional<DataError> PacketFrames::take(const FrameName& name, std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    const std::span<uint8_t> place = reader_.read_buffer();
    const size_t count = std::min(place.size(), bytes.size());
    std::memcpy(place.data(), bytes.data(), count);
    bytes = bytes.subspan(count);
    if (auto error = reader_.on_read(count)) return error;
    const FrameKey newest = intake_.newest();
    if (newest != key_of(name) && newest != before_) return torn(name);
  }
  return std::nullopt;
}

std::optional<DataError> PacketFrames::complete(const FrameName& name) {
  if (intake_.current() || !reader_.between_messages() || intake_.newest() != key_of(name)) {
    return torn(name);
  }
  before_ = key_of(name);
  return std::nullopt;
}

std::optional<DataError> PacketFrames::lose(const FrameName& name) {
  reader_.reset();
  before_ = key_of(name);
  return intake_.lose(before_);
}

}  // namespace receiver
