#include "receiver/decode/decoder_messages.h"

#include "sail/core/text/limits.h"
#include "sail/core/wire/data/body_fields.h"
#include "sail/core/wire/data/byte_writer.h"

namespace receiver {
namespace {

// Limit for pictures that do not have the frame's size; FFmpeg's own limit is lower.
constexpr uint32_t kLargestSide = 65536;

bool consistent(const DecodeReply& reply) {
  const bool is_new = reply.outcome == CarriedOutcome::kNew;
  const bool yuv =
      reply.format == codecs::PixelFormat::kI420 || reply.format == codecs::PixelFormat::kI422;
  const bool no_format = reply.format == codecs::PixelFormat{};
  const bool sized = reply.fault.kind == CarriedFault::Kind::kOtherSize;
  const bool has_size = reply.fault.picture != sail::Size{};
  if (reply.working) {
    return reply == DecodeReply{.number = reply.number, .working = true};
  }
  return (is_new ? yuv : no_format) && sized == has_size;
}

}  // namespace

DecoderMessage encode_request(const DecodeRequest& request) {
  DecoderMessage message{};
  sail::ByteWriter out(message);
  out.u64(request.number);
  out.u32(static_cast<uint32_t>(request.unit_bytes));
  out.u32(static_cast<uint32_t>(request.place));
  out.u64(0);
  return message;
}

DecoderMessage encode_reply(const DecodeReply& reply) {
  DecoderMessage message{};
  sail::ByteWriter out(message);
  out.u64(reply.number);
  out.u8(reply.working ? 1 : 0);
  out.u8(static_cast<uint8_t>(reply.outcome));
  out.u8(static_cast<uint8_t>(reply.format));
  out.u8(static_cast<uint8_t>(reply.fault.kind));
  out.u32(static_cast<uint32_t>(reply.fault.picture.width));
  out.u32(static_cast<uint32_t>(reply.fault.picture.height));
  out.u32(0);
  return message;
}

sail::DataResult<DecodeRequest> decode_request(std::span<const uint8_t> message,
                                               const PictureMemory::Shape& shape) {
  sail::BodyFields in("decode request", message);
  DecodeRequest request;
  request.number = in.number<uint64_t>("number", 1, sail::kMaxCounter);
  request.unit_bytes = in.number<uint32_t>("unit_bytes", 0, shape.unit_bytes);
  request.place = in.number<uint32_t>("place", 0, shape.pictures - 1);
  in.reserved<uint64_t>();
  return in.finish(request);
}

sail::DataResult<DecodeReply> decode_reply(std::span<const uint8_t> message) {
  sail::BodyFields in("decode reply", message);
  DecodeReply reply;
  reply.number = in.number<uint64_t>("number", 1, sail::kMaxCounter);
  reply.working = in.number<uint8_t>("working", 0, 1) != 0;
  reply.outcome = static_cast<CarriedOutcome>(
      in.number<uint8_t>("outcome", 0, static_cast<uint64_t>(CarriedOutcome::kNone)));
  reply.format = static_cast<codecs::PixelFormat>(
      in.number<uint8_t>("format", 0, static_cast<uint64_t>(codecs::PixelFormat::kRgbDeep)));
  reply.fault.kind = static_cast<CarriedFault::Kind>(
      in.number<uint8_t>("fault", 0, static_cast<uint64_t>(CarriedFault::kLast)));
  reply.fault.picture.width = in.side<uint32_t>("width", 0, kLargestSide);
  reply.fault.picture.height = in.side<uint32_t>("height", 0, kLargestSide);
  in.reserved<uint32_t>();
  if (!consistent(reply)) {
    in.mistake(sail::CloseReason::kBadMessage, "its fields contradict each other");
  }
  return in.finish(reply);
}

}  // namespace receiver
