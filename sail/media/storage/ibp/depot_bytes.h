// A file stored on IBP depots or disk servers, located by its exNode. Many LOADs are in flight;
// each goes to a working replica with the least load. A failed LOAD is repeated at the next replica
// and counted. When no replica is left, the error names the offset.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "sail/media/storage/ibp/exnode.h"
#include "sail/media/storage/reading/byte_source.h"

namespace sail {

class DiskLinks;

struct DepotTimeouts {
  int rounds = 3;  // rounds over all replicas of an offset without progress
  // Short enough that the error names the silent depot before the film is given up (15 s).
  int64_t silence_ms = 4000;
  int64_t pause_ms = 200;  // after the first round; doubles after each further round
};

struct DepotReading {
  size_t loads = 64;                    // in flight, at most
  size_t load_bytes = size_t{1} << 20;  // at most; a block with its checksum is never split
  DepotTimeouts timeouts{};
};

class DepotBytes : public ByteSource {
 public:
  // name: for messages. disks: shares its thread and connections; null: the object creates its own.
  DepotBytes(std::string name, Exnode exnode, const DepotReading& reading = {},
             std::shared_ptr<DiskLinks> disks = {});
  // Reads an exNode from a file of this host.
  static Result<Exnode> read_exnode(const std::string& path);
  // "lors:///path/of/file.xnd": an exNode on this host, whose data lies elsewhere.
  // "ibp://host:port/key/typekey/READ": one allocation; its end is probed unless size= is given.
  // Both take ?threads=N&bs=BYTES&timeout=SECONDS. kInvalidParams: malformed. kBadData, kLimit: not
  // a readable exNode. kTimeout: give_up returned true.
  static Result<std::unique_ptr<const ByteSource>> open(const std::string& uri,
                                                        const GiveUp& give_up,
                                                        const DepotTimeouts& timeouts = {});
  static bool names_one(const std::string& scheme) { return scheme == "lors" || scheme == "ibp"; }
  ~DepotBytes() override;

  const std::string& name() const override { return name_; }
  Result<uint64_t> size() const override { return size_; }
  // kBadData means that no depot has those bytes.
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
