#include "sail/core/wire/data/access_units.h"

#include <utility>

#include "sail/core/wire/data/body_fields.h"
#include "sail/core/wire/data/byte_writer.h"

namespace sail {
namespace {

constexpr uint8_t kKeyMark = 1;
constexpr uint8_t kReferenceMark = 2;

}  // namespace

void encode_units_head(std::span<uint8_t, kUnitsHeadBytes> to, const UnitsHead& head) {
  ByteWriter out(to);
  out.i64(head.shows_ns);
  out.u8(static_cast<uint8_t>(head.reorder));
  out.u8(static_cast<uint8_t>(head.ahead));
  out.u8(head.last ? 1 : 0);
  out.u8(0);
  out.u32(0);
}

void encode_unit_fields(std::span<uint8_t, kUnitFieldsBytes> to, const AccessUnit& unit) {
  ByteWriter out(to);
  out.u64(unit.number);
  out.i64(unit.time_ns);
  out.u32(static_cast<uint32_t>(unit.bytes.size()));
  out.u8(static_cast<uint8_t>((unit.key ? kKeyMark : 0) | (unit.reference ? kReferenceMark : 0)));
  out.u8(0);
  out.u16(0);
}

DataResult<UnitsBlock> decode_units(std::span<const uint8_t> block,
                                    std::vector<AccessUnit> memory) {
  BodyFields in("access units", block);
  UnitsBlock read{.head = {}, .units = std::move(memory)};
  read.units.clear();
  read.head.shows_ns = static_cast<int64_t>(in.any64());
  read.head.reorder = in.number<uint8_t>("reorder", 0, kMaxUnitReorder);
  read.head.ahead = in.number<uint8_t>("ahead", 0, kMaxUnitsAhead);
  read.head.last = in.number<uint8_t>("last", 0, 1) != 0;
  in.reserved<uint8_t>();
  in.reserved<uint32_t>();
  uint64_t before = 0;
  while (in.left() > 0) {
    if (read.units.size() == kMaxUnits) {
      in.mistake(CloseReason::kBadMessage, "a frame has too many units");
      break;
    }
    AccessUnit unit;
    unit.number = in.number<uint64_t>("number", before + 1, kMaxCounter);
    unit.time_ns = static_cast<int64_t>(in.any64());
    const auto length = in.number<uint32_t>("length", 1, kMaxMessageBody);
    const auto marks = in.number<uint8_t>("marks", 0, kKeyMark | kReferenceMark);
    in.reserved<uint8_t>();
    in.reserved<uint16_t>();
    if (length > in.left()) {
      in.mistake(CloseReason::kBadMessage, "a unit is longer than the block");
      break;
    }
    unit.key = (marks & kKeyMark) != 0;
    unit.reference = (marks & kReferenceMark) != 0;
    unit.bytes = in.take_bytes(length);
    before = unit.number;
    read.units.push_back(unit);
  }
  return in.finish(std::move(read));
}

}  // namespace sail
