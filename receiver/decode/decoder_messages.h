// The messages between the receiver and the process that decodes a carried stream. They are records
// of a fixed length on a socket that keeps them apart; access units and pictures lie in
// PictureMemory. Neither side trusts the other. Pure.
//
// The receiver sends a request, and the next one only after the reply. Before the reply, the
// process sends "working" between two units of the block, so that the receiver can tell work from a
// hang.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "codecs/base/format.h"
#include "receiver/decode/carried_decoding.h"
#include "receiver/frame/picture_memory.h"
#include "sail/core/wire/data/data_messages.h"

namespace receiver {

constexpr size_t kDecoderMessageBytes = 24;
using DecoderMessage = std::array<uint8_t, kDecoderMessageBytes>;

// Decode these access units; write the picture to this place.
struct DecodeRequest {
  uint64_t number = 0;  // from 1; the replies have the same
  size_t unit_bytes = 0;
  size_t place = 0;

  bool operator==(const DecodeRequest&) const = default;
};

struct DecodeReply {
  uint64_t number = 0;
  bool working = false;  // there is no result yet; the other fields are as here
  CarriedOutcome outcome = CarriedOutcome::kNone;
  codecs::PixelFormat format{};  // kI420 or kI422 of a new picture, else 0
  CarriedFault fault{};

  bool operator==(const DecodeReply&) const = default;
};

DecoderMessage encode_request(const DecodeRequest& request);
DecoderMessage encode_reply(const DecodeReply& reply);
// shape: of the memory in which the places are.
sail::DataResult<DecodeRequest> decode_request(std::span<const uint8_t> message,
                                               const PictureMemory::Shape& shape);
sail::DataResult<DecodeReply> decode_reply(std::span<const uint8_t> message);

}  // namespace receiver
