#include "sail/media/storage/ibp/exnode.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sail/core/auth/proof.h"
#include "sail/core/wire/data/disk_messages.h"

namespace sail {
namespace {

constexpr std::string_view kBegin = "vitrail://";

constexpr size_t kDigits = ExnodeMapping::kHeadBytes - 1;

}  // namespace

bool names_disk_part(std::string_view text) {
  return text.starts_with(kBegin);
}

Result<DiskPart> parse_disk_part(std::string_view text) {
  const Error wrong =
      fail(ErrorCode::kInvalidParams,
           "the address of a part on a disk server must be vitrail://HOST:PORT/NAME");
  if (!names_disk_part(text)) return wrong;
  text.remove_prefix(kBegin.size());
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos || !is_disk_part(text.substr(slash + 1))) return wrong;
  auto disk = parse_address(std::string(text.substr(0, slash)), {"", kDefaultDiskServerPort});
  if (!disk || disk->host.empty()) return wrong;
  return DiskPart{std::move(*disk), std::string(text.substr(slash + 1))};
}

std::string disk_part_text(const DiskPart& part) {
  return fmt::format("{}{}/{}", kBegin, address_text(part.disk), part.name);
}

bool ExnodeMapping::holds(uint64_t place) const {
  if (place < begin || place >= end()) return false;
  return unit_bytes == 0 || (place - begin) / unit_bytes % units == 0;
}

uint64_t ExnodeMapping::held_bytes() const {
  if (unit_bytes == 0) return bytes;
  const uint64_t row = unit_bytes * units;
  return bytes / row * unit_bytes + std::min(bytes % row, unit_bytes);
}

uint64_t ExnodeMapping::end_from(uint64_t place) const {
  if (unit_bytes == 0 || units == 1) return end();
  return std::min(end(), place - (place - begin) % unit_bytes + unit_bytes);
}

IbpPart ExnodeMapping::stored(uint64_t from, uint64_t to) const {
  if (unit_bytes > 0) {
    const uint64_t row = (from - begin) / unit_bytes / units;
    return {at + row * unit_bytes + (from - begin) % unit_bytes, to - from};
  }
  if (checked_bytes == 0) return {at + (from - begin), to - from};
  const uint64_t first = (from - begin) / checked_bytes;
  const uint64_t behind = (to - 1 - begin) / checked_bytes + 1;
  const uint64_t data = std::min(behind * checked_bytes, bytes) - first * checked_bytes;
  return {at + first * (checked_bytes + kHeadBytes), data + (behind - first) * kHeadBytes};
}

Result<void> ExnodeMapping::unpack(uint64_t from, std::span<const uint8_t> stored,
                                   std::span<uint8_t> to) const {
  uint64_t place = (from - begin) / checked_bytes * checked_bytes + begin;
  while (stored.size() > kHeadBytes) {
    const auto data = stored.subspan(kHeadBytes)
                          .first(std::min<uint64_t>(checked_bytes, stored.size() - kHeadBytes));
    const std::string_view digits(reinterpret_cast<const char*>(stored.data()), kDigits);
    if (digits != md5_text(data)) {
      return fail(ErrorCode::kBadData, "wrong checksum: the stored bytes are damaged");
    }
    const uint64_t skipped = std::max(from, place) - place;
    const uint64_t done = place + skipped - from;
    const size_t count = std::min<size_t>(data.size() - skipped, to.size() - done);
    std::ranges::copy(data.subspan(skipped, count), to.begin() + static_cast<ptrdiff_t>(done));
    place += data.size();
    stored = stored.subspan(kHeadBytes + data.size());
  }
  return {};
}

Exnode::Exnode(std::vector<ExnodeMapping> mappings, std::optional<uint64_t> size)
    : mappings_(std::move(mappings)) {
  std::erase_if(mappings_, [](const ExnodeMapping& mapping) { return mapping.bytes == 0; });
  std::ranges::stable_sort(mappings_, {}, &ExnodeMapping::begin);
  uint64_t end = 0;
  for (const ExnodeMapping& mapping : mappings_) {
    end = std::max(end, mapping.end());
    ends_.push_back(end);
  }
  size_ = size.value_or(end);
}

std::vector<size_t> Exnode::holding(uint64_t place) const {
  std::vector<size_t> found;
  const auto behind = std::ranges::upper_bound(mappings_, place, {}, &ExnodeMapping::begin);
  for (auto i = static_cast<size_t>(behind - mappings_.begin()); i > 0 && ends_[i - 1] > place;
       --i) {
    if (mappings_[i - 1].holds(place)) found.push_back(i - 1);
  }
  std::ranges::reverse(found);
  return found;
}

uint64_t Exnode::hole_end(uint64_t place) const {
  uint64_t end = size_;
  for (const ExnodeMapping& mapping : mappings_) {
    uint64_t next = mapping.begin;
    if (next <= place && mapping.unit_bytes > 0) {
      const uint64_t row = mapping.unit_bytes * mapping.units;
      next += ((place - next) / row + 1) * row;
    }
    if (next > place && next < mapping.end()) end = std::min(end, next);
  }
  return end;
}

std::string Exnode::text() const {
  std::string text = fmt::format(
      "<?xml version=\"1.0\"?>\n<exnode xmlns:exnode=\"http://loci.cs.utk.edu/exnode\">\n"
      "<exnode:metadata name=\"size\" type=\"integer\">{}</exnode:metadata>\n",
      size_);
  for (const ExnodeMapping& mapping : mappings_) {
    const auto number = [&](const char* name, uint64_t value) {
      text += fmt::format("<exnode:metadata name=\"{}\" type=\"integer\">{}</exnode:metadata>\n",
                          name, value);
    };
    text += "<exnode:mapping>\n";
    number("exnode_offset", mapping.begin);
    number("logical_length", mapping.bytes);
    number("alloc_offset", mapping.at);
    text += fmt::format(
        "<exnode:function name=\"stripe\">"
        "<exnode:argument name=\"unit\" type=\"integer\">{}</exnode:argument>"
        "<exnode:argument name=\"count\" type=\"integer\">{}</exnode:argument>"
        "</exnode:function>\n<exnode:read>{}</exnode:read>\n</exnode:mapping>\n",
        mapping.unit_bytes, mapping.units, disk_part_text(*mapping.part));
  }
  return text + "</exnode>\n";
}

}  // namespace sail
