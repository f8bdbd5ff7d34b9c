#include "sail/media/still/heif_boxes.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace sail {
namespace {

using Bytes = std::span<const uint8_t>;

constexpr size_t kVersionBytes = 4;  // version and flags of a "full box"

// 0 beyond the end.
uint64_t number_at(Bytes bytes, size_t at, size_t count) {
  if (at > bytes.size() || bytes.size() - at < count) return 0;
  uint64_t value = 0;
  for (const uint8_t byte : bytes.subspan(at, count)) value = value << 8 | byte;
  return value;
}

Bytes after(Bytes bytes, uint64_t count) {
  return bytes.subspan(static_cast<size_t>(std::min<uint64_t>(count, bytes.size())));
}

std::string_view text_at(Bytes bytes, size_t at) {
  constexpr size_t kLength = 4;
  if (bytes.size() < at + kLength) return {};
  return {reinterpret_cast<const char*>(bytes.data()) + at, kLength};
}

// Calls `take` with type and body of each box (ISO/IEC 14496-12). The last body may be cut short.
void for_each_box(Bytes boxes, const auto& take) {
  constexpr size_t kHead = 8, kLongHead = 16;
  while (boxes.size() >= kHead) {
    uint64_t size = number_at(boxes, 0, 4);
    const size_t head = size == 1 ? kLongHead : kHead;
    if (size == 1) size = number_at(boxes, kHead, 8);
    if (size == 0) size = boxes.size();  // up to the end
    if (size < head) return;
    const Bytes box = boxes.first(static_cast<size_t>(std::min<uint64_t>(size, boxes.size())));
    take(text_at(box, 4), after(box, head));
    boxes = after(boxes, size);
  }
}

Bytes body_of(Bytes boxes, std::string_view type) {
  Bytes found;
  for_each_box(boxes, [&](std::string_view name, Bytes body) {
    if (name == type && found.empty()) found = body;
  });
  return found;
}

// Adds the numbers of the item's properties, from 1.
void read_associations(Bytes ipma, uint64_t item, std::vector<uint64_t>& properties) {
  if (ipma.size() < kVersionBytes) return;
  const size_t id_bytes = ipma[0] == 0 ? 2 : 4;
  const bool wide = (ipma[3] & 1) != 0;
  uint64_t entries = number_at(ipma, kVersionBytes, 4);
  Bytes rest = after(ipma, kVersionBytes + 4);
  for (; entries > 0 && rest.size() > id_bytes; --entries) {
    const bool ours = number_at(rest, 0, id_bytes) == item;
    const uint64_t count = rest[id_bytes];
    rest = after(rest, id_bytes + 1);
    const size_t each = wide ? 2 : 1;
    const uint64_t mask = wide ? 0x7FFF : 0x7F;  // the first bit says whether it is essential
    for (uint64_t i = 0; ours && i < count; ++i) {
      properties.push_back(number_at(rest, each * i, each) & mask);
    }
    rest = after(rest, each * count);
  }
}

}  // namespace

std::optional<HeifColor> heif_color(Bytes head) {
  const Bytes meta = after(body_of(head, "meta"), kVersionBytes);
  const Bytes pitm = body_of(meta, "pitm");
  if (pitm.size() < kVersionBytes) return std::nullopt;
  const uint64_t primary = number_at(pitm, kVersionBytes, pitm[0] == 0 ? 2 : 4);
  const Bytes iprp = body_of(meta, "iprp");
  std::vector<uint64_t> properties;
  for_each_box(iprp, [&](std::string_view type, Bytes body) {
    if (type == "ipma") read_associations(body, primary, properties);
  });
  HeifColor color;
  bool found = false;
  uint64_t number = 0;
  for_each_box(body_of(iprp, "ipco"), [&](std::string_view type, Bytes body) {
    if (std::ranges::find(properties, ++number) == properties.end()) return;
    if (type == "colr" && text_at(body, 0) == "nclx" && body.size() >= 8) {
      color.primaries = static_cast<unsigned>(number_at(body, 4, 2));
      color.transfer = static_cast<unsigned>(number_at(body, 6, 2));
      found = true;
    }
    if (type == "clli") {
      color.max_cll = static_cast<unsigned>(number_at(body, 0, 2));
      color.max_fall = static_cast<unsigned>(number_at(body, 2, 2));
    }
  });
  return found ? std::optional(color) : std::nullopt;
}

}  // namespace sail
