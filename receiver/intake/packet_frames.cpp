#include "receiver/intake/packet_frames.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

namespace receiver {
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
