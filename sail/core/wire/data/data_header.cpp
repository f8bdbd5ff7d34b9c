#include <fmt/core.h>

#include <string>
#include <utility>

#include "sail/core/wire/data/byte_reader.h"
#include "sail/core/wire/data/data_layout.h"
#include "sail/core/wire/data/data_messages.h"

namespace sail {
namespace {

using namespace data_layout;

struct BodyLimits {
  size_t min;
  size_t max;
};

BodyLimits body_limits(DataType type) {
  const auto exactly = [](size_t bytes) { return BodyLimits{bytes, bytes}; };
  switch (type) {
    case DataType::kStreamOpen:
      return exactly(kStreamOpenBody);
    case DataType::kStreamAccept:
      return exactly(kStreamAcceptBody);
    case DataType::kFrameBegin:
      return exactly(kFrameBeginBody);
    case DataType::kBlockRun:
      return {block_run_bytes(1), kMaxMessageBody};
    case DataType::kFrameEnd:
      return exactly(kFrameEndBody);
    case DataType::kFrameReport:
      return exactly(kFrameReportBody);
    case DataType::kClose:
      return {kCloseFixedBytes, kCloseFixedBytes + kMaxCloseText};
    case DataType::kSnapshotRequest:
      return exactly(kSnapshotRequestBody);
    case DataType::kPictureBegin:
      return {kPictureBeginFixedBytes + 1,
              kPictureBeginFixedBytes + kMaxWindows * kWindowFrameBytes + kMaxNameLength};
    case DataType::kPictureRows:
      return {kPictureRowsFixedBytes + kBgraBytes, kMaxMessageBody};
    case DataType::kPictureEnd:
    case DataType::kSoundAccept:
      return exactly(0);
    case DataType::kSoundOpen:
      return exactly(kSoundOpenBody);
    case DataType::kSound:
      return {kSoundFixedBytes, kSoundFixedBytes + kMaxSoundBytes};
    case DataType::kFrameReady:
      return exactly(kFrameReadyBody);
    case DataType::kFrameShow:
      return exactly(kFrameShowBody);
    case DataType::kGroupOpen:
      return exactly(kGroupOpenBody);
    case DataType::kGroupReady:
      return exactly(kGroupReadyBody);
    case DataType::kGroupDecision:
      return exactly(kGroupDecisionBody);
    case DataType::kMulticastJoin:
      return exactly(kMulticastJoinBody);
    case DataType::kMulticastState:
      return {kMulticastStateFixedBytes, kMulticastStateFixedBytes + kMaxCloseText};
    case DataType::kMemoryOffer:
      return exactly(kMemoryOfferBody);
    case DataType::kMemoryState:
      return {kMemoryStateFixedBytes, kMemoryStateFixedBytes + kMaxCloseText};
    case DataType::kBlockPlaces:
      return {block_places_bytes(1), block_places_bytes(kMaxBlocksPerSide)};
  }
  return exactly(0);
}

bool known(uint8_t type) {
  return type >= static_cast<uint8_t>(DataType::kStreamOpen) &&
         type <= static_cast<uint8_t>(DataType::kBlockPlaces);
}

bool of_a_stream(DataType type) {
  return type <= DataType::kFrameReport || type >= DataType::kFrameReady;
}

auto data_error(CloseReason reason, std::string text) {
  return DataError{reason, std::move(text)};
}

}  // namespace

DataResult<DataHeader> decode_header(std::span<const uint8_t, kDataHeaderBytes> bytes) {
  ByteReader in(bytes);
  if (in.u32() != kDataMagic) {
    return data_error(CloseReason::kBadMagic, "the bytes are not a data message");
  }
  if (const int version = in.u8(); version != kDataProtocol) {
    return data_error(
        CloseReason::kBadVersion,
        fmt::format("unsupported version {} of the data protocol: this program uses {}", version,
                    kDataProtocol));
  }
  const uint8_t type = in.u8();
  const uint16_t reserved = in.u16();
  if (!known(type)) {
    return data_error(CloseReason::kBadMessage, fmt::format("unknown message type {}", type));
  }
  const DataHeader header{static_cast<DataType>(type), in.u32(), in.u32()};
  const char* name = data_type_name(header.type);
  if (reserved != 0) {
    return data_error(CloseReason::kBadMessage,
                      fmt::format("{}: a reserved field is not zero", name));
  }
  if (header.type != DataType::kClose && (header.stream != 0) != of_a_stream(header.type)) {
    return data_error(CloseReason::kBadMessage,
                      fmt::format("{}: invalid stream number {}", name, header.stream));
  }
  const BodyLimits limits = body_limits(header.type);
  if (header.body_bytes > kMaxMessageBody) {
    return data_error(CloseReason::kLimit,
                      fmt::format("{}: a body of {} bytes exceeds the limit of {}", name,
                                  header.body_bytes, kMaxMessageBody));
  }
  if (header.body_bytes < limits.min || header.body_bytes > limits.max) {
    return data_error(
        CloseReason::kBadMessage,
        fmt::format("{}: a body of {} bytes has the wrong length", name, header.body_bytes));
  }
  return header;
}

}  // namespace sail
