// A file whose bytes lie on IBP depots or disk servers, as its exNode says: many LOADs at a time,
// of which each goes to a replica that works and has little to do. What fails there is asked of the
// next one, and counted; when no replica is left, the error names the place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "sail/storage/byte_source.h"
#include "sail/storage/exnode.h"

namespace sail {

class DiskLinks;

struct DepotPatience {
  int rounds = 3;  // of all replicas of a place, that brought nothing
  // A silent depot is named before a film is given up for which nothing came (15 s).
  int64_t silence_ms = 4000;
  int64_t pause_ms = 200;  // after the first round; twice as long after each other
};

struct DepotReading {
  size_t loads = 64;                    // at a time, at most
  size_t load_bytes = size_t{1} << 20;  // at most; a block with its checksum is never parted
  DepotPatience patience{};
};

class DepotBytes : public ByteSource {
 public:
  // name: for people. disks: whose thread and connections it shares with others; none: it has its
  // own.
  DepotBytes(std::string name, Exnode exnode, const DepotReading& reading = {},
             std::shared_ptr<DiskLinks> disks = {});
  // A file of this host that is an exNode.
  static Result<Exnode> read_exnode(const std::string& path);
  // "lors:///path/of/file.xnd": a file of this host, of which only the bytes come from elsewhere.
  // "ibp://host:port/key/typekey/READ": an allocation; where it ends is asked for, unless &size=
  // tells. Both with ?threads=N&bs=BYTES&timeout=SECONDS. kInvalidParams: not so. kBadData, kLimit:
  // it is no exNode that can be read. kTimeout: given up.
  static Result<std::unique_ptr<const ByteSource>> open(const std::string& uri,
                                                        const GiveUp& give_up,
                                                        const DepotPatience& patience = {});
  static bool names_one(const std::string& scheme) { return scheme == "lors" || scheme == "ibp"; }
  ~DepotBytes() override;

  const std::string& name() const override { return name_; }
  Result<uint64_t> size() const override { return size_; }
  // Of several errors kBadData is that no depot has those bytes.
  Result<void> read(uint64_t offset, std::span<uint8_t> bytes) const override;
  std::unique_ptr<ByteReads> reads() const override;
  Depth depth() const override;

 private:
  class Host;
  const std::string name_;
  const uint64_t size_;
  const size_t loads_;
  std::unique_ptr<Host> host_;
};

}  // namespace sail
