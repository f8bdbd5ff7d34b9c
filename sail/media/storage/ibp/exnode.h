// An exNode: maps the bytes of a file to IBP depots, in the format of LoRS; or to disk servers, by
// our own function "stripe". Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/address/address.h"
#include "sail/core/base/result.h"
#include "sail/media/storage/ibp/ibp.h"

namespace sail {

// The address of a part of a film on a disk server.
struct DiskPart {
  Address disk;
  std::string name;  // is_disk_part() is true

  bool operator==(const DiskPart&) const = default;
};

bool names_disk_part(std::string_view text);
// Parses "vitrail://host:port/name". kInvalidParams if malformed.
Result<DiskPart> parse_disk_part(std::string_view text);
std::string disk_part_text(const DiskPart& part);

struct ExnodeMapping {
  static constexpr uint64_t kHeadBytes = 33;  // of a checksum: 32 digits and a separator

  uint64_t begin = 0;  // the first file offset
  uint64_t bytes = 0;  // the extent in the file, to the end of the last byte held
  uint64_t at = 0;     // the offset in the allocation
  // Function "checksum": data bytes per checksum, fewer in the last block; 0: no checksums.
  uint64_t checked_bytes = 0;
  IbpCapability read;
  std::optional<DiskPart> part{};  // set if the data lies on a disk server
  // Function "stripe": this mapping holds the first of every `units` units of the file from `begin`
  // on, stored one after another; unit_bytes 0: the mapping holds all bytes.
  uint64_t unit_bytes = 0;
  uint64_t units = 1;

  const Address& depot() const { return part ? part->disk : read.depot; }
  uint64_t end() const { return begin + bytes; }
  bool holds(uint64_t place) const;
  uint64_t held_bytes() const;
  // The end of the contiguous bytes held from `place` on. holds(place) must be true.
  uint64_t end_from(uint64_t place) const;
  // The range to request from the depot so that it includes the file's bytes [from, to). The
  // mapping must hold these bytes contiguously.
  IbpPart stored(uint64_t from, uint64_t to) const;
  // Extracts the file's bytes from the data that stored(from, to) requested. kBadData: a checksum
  // is wrong.
  Result<void> unpack(uint64_t from, std::span<const uint8_t> stored, std::span<uint8_t> to) const;
};

class Exnode {
 public:
  static constexpr size_t kMostBytes = size_t{64} << 20;  // bytes of XML
  static constexpr size_t kMostMappings = 100'000;
  static constexpr uint64_t kLongestFile = uint64_t{1} << 50;
  static constexpr uint64_t kMostCheckedBytes = uint64_t{16} << 20;
  static constexpr uint64_t kLeastUnit = 512;
  static constexpr uint64_t kMostUnit = uint64_t{1} << 30;
  static constexpr uint64_t kMostUnits = 1024;

  // Mappings may come in any order, overlap, and leave holes. size: the file's length; empty: the
  // end of the last mapping.
  Exnode(std::vector<ExnodeMapping> mappings, std::optional<uint64_t> size);
  // kBadData: not an exNode, or a mapping is wrong or uses a function other than "identity",
  // "checksum", or "stripe" for disk servers. kLimit: too large.
  static Result<Exnode> parse(std::string_view xml);
  // Writes the XML that parse() reads. All mappings must be to disk servers.
  std::string text() const;

  uint64_t size() const { return size_; }
  const std::vector<ExnodeMapping>& mappings() const { return mappings_; }
  // The indices of the mappings that hold that byte, in order; empty: a hole.
  std::vector<size_t> holding(uint64_t place) const;
  // The end of the hole that contains `place`.
  uint64_t hole_end(uint64_t place) const;

 private:
  std::vector<ExnodeMapping> mappings_;  // sorted by `begin`
  std::vector<uint64_t> ends_;           // the largest end of mappings 0 to i
  uint64_t size_ = 0;
};

}  // namespace sail
