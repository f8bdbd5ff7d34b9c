// What a receiver reads of carried streams: access units of senders, and the messages between the
// receiver and the process that decodes them.
#include <algorithm>
#include <span>
#include <vector>

#include "receiver/decode/decoder_messages.h"
#include "sail/core/wire/data/access_units.h"
#include "tests/fuzz/fuzz.h"

// The block of a carried stream's frame. An accepted block encodes to the same bytes.
FUZZ_TARGET(access_units) {
  const std::span<const uint8_t> block(data, size);
  const auto read = sail::decode_units(block);
  if (!read) {
    fuzz::require(!read.error().text.empty(), "a refusal says why");
    return 0;
  }
  fuzz::require(read->units.size() <= sail::kMaxUnits, "the number of units is bounded");
  std::vector<uint8_t> again(sail::kUnitsHeadBytes);
  sail::encode_units_head(std::span(again).first<sail::kUnitsHeadBytes>(), read->head);
  for (const sail::AccessUnit& unit : read->units) {
    fuzz::require(!unit.bytes.empty() && unit.bytes.data() > data &&
                      unit.bytes.data() + unit.bytes.size() <= data + size,
                  "a unit lies in its block");
    again.resize(again.size() + sail::kUnitFieldsBytes);
    sail::encode_unit_fields(std::span(again).last<sail::kUnitFieldsBytes>(), unit);
    again.insert(again.end(), unit.bytes.begin(), unit.bytes.end());
  }
  fuzz::require(std::ranges::equal(again, block), "a block encodes to the bytes that were read");
  return 0;
}

// A message in either direction; the first byte chooses which. An accepted message encodes to the
// same bytes.
FUZZ_TARGET(decoder_messages) {
  using namespace receiver;
  if (size == 0) return 0;
  const std::span<const uint8_t> message(data + 1, size - 1);
  if (data[0] % 2 == 0) {
    constexpr PictureMemory::Shape kShape{.unit_bytes = 1000, .picture_bytes = 4096, .pictures = 6};
    const auto request = decode_request(message, kShape);
    if (!request) return 0;
    fuzz::require(request->unit_bytes <= kShape.unit_bytes && request->place < kShape.pictures,
                  "a request stays within the memory");
    fuzz::require(std::ranges::equal(encode_request(*request), message),
                  "a request encodes to the bytes that were read");
    return 0;
  }
  const auto reply = decode_reply(message);
  if (!reply) return 0;
  const bool is_new = !reply->working && reply->outcome == CarriedOutcome::kNew;
  fuzz::require(is_new == (reply->format == codecs::PixelFormat::kI420 ||
                           reply->format == codecs::PixelFormat::kI422),
                "exactly the new pictures have a format that can be painted");
  fuzz::require(std::ranges::equal(encode_reply(*reply), message),
                "a reply encodes to the bytes that were read");
  return 0;
}
