// An exNode: where on depots the bytes of a file lie, as LoRS writes it; and where on disk servers,
// as the film server writes it, by a function of its own. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sail/base/result.h"
#include "sail/storage/disk_part.h"
#include "sail/storage/ibp.h"

namespace sail {

struct ExnodeMapping {
  static constexpr uint64_t kHeadBytes = 33;  // of a checksum: 32 digits and a separator

  uint64_t begin = 0;  // of the file's bytes that it holds
  uint64_t bytes = 0;  // to the end of the last of them
  uint64_t at = 0;     // where they begin in the allocation
  // Function "checksum": so many of them lie behind each checksum, fewer at the end; 0: there are
  // none.
  uint64_t checked_bytes = 0;
  IbpCapability read;
  std::optional<DiskPart> part{};  // then it lies there
  // Function "stripe": of every so many units of the file from `begin` on it holds the first, one
  // behind the other; 0 bytes: it holds all.
  uint64_t unit_bytes = 0;
  uint64_t units = 1;

  const Address& depot() const { return part ? part->disk : read.depot; }
  uint64_t end() const { return begin + bytes; }
  bool holds(uint64_t place) const;
  uint64_t held_bytes() const;
  // Where what it holds from there on without a gap ends. It holds that place.
  uint64_t end_from(uint64_t place) const;
  // What to ask the depot for, so that the file's bytes [from, to) are among it. The mapping holds
  // them without a gap.
  IbpPart stored(uint64_t from, uint64_t to) const;
  // From what stored(from, to) brought: those bytes. kBadData: a checksum is wrong.
  Result<void> unpack(uint64_t from, std::span<const uint8_t> stored, std::span<uint8_t> to) const;
};

class Exnode {
 public:
  static constexpr size_t kMostBytes = size_t{64} << 20;  // of XML
  static constexpr size_t kMostMappings = 100'000;
  static constexpr uint64_t kLongestFile = uint64_t{1} << 50;
  static constexpr uint64_t kMostCheckedBytes = uint64_t{16} << 20;
  static constexpr uint64_t kLeastUnit = 512;
  static constexpr uint64_t kMostUnit = uint64_t{1} << 30;
  static constexpr uint64_t kMostUnits = 1024;

  // Mappings may come in any order, overlap, and leave holes. size: where the file ends; nothing:
  // where the last mapping does.
  Exnode(std::vector<ExnodeMapping> mappings, std::optional<uint64_t> size);
  // kBadData: it is none, or mappings of it are wrong or by functions other than "identity" and
  // "checksum", and "stripe" for disk servers. kLimit: it is too large.
  static Result<Exnode> parse(std::string_view xml);
  // What parse() reads. For mappings to disk servers.
  std::string text() const;

  uint64_t size() const { return size_; }
  const std::vector<ExnodeMapping>& mappings() const { return mappings_; }
  // The numbers of the mappings that hold that byte, in order; none: it is in a hole.
  std::vector<size_t> holding(uint64_t place) const;
  // Where the hole ends.
  uint64_t hole_end(uint64_t place) const;

 private:
  std::vector<ExnodeMapping> mappings_;  // by their beginnings
  std::vector<uint64_t> ends_;           // the last end of the mappings up to there
  uint64_t size_ = 0;
};

}  // namespace sail
