// Films of the folder that lie on disk servers: "opera.vmov.xnd" is the exNode of the film
// "opera.vmov", which need not be in the folder itself. Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sail/base/result.h"
#include "sail/storage/byte_source.h"
#include "sail/storage/disk_links.h"
#include "sail/storage/exnode.h"

namespace server {

constexpr const char* kPlacedEnding = ".xnd";

// By the name of its file.
bool is_placed(const std::string& path);

struct Placement {
  uint64_t bytes = 0;              // of the film
  std::vector<std::string> disks;  // HOST:PORT, in alphabetical order
};
sail::Result<Placement> placement_of(const std::string& path);

// By disk server (HOST:PORT): what part of a film's reading is its to do, all parts together 1.
using DiskShares = std::map<std::string, double>;

// On which disk servers which bytes of a film lie.
class Spread {
 public:
  Spread() = default;  // on none
  explicit Spread(sail::Exnode exnode);
  // Of a film that is_placed().
  static sail::Result<Spread> of(const std::string& path);

  // Of copies each does the same.
  const DiskShares& shares() const { return shares_; }
  struct Place {
    std::vector<std::string> disks;  // that hold the byte; none: it is in a hole
    uint64_t end = 0;                // up to where they hold what comes
  };
  Place at(uint64_t offset) const;

 private:
  std::shared_ptr<const sail::Exnode> exnode_;
  DiskShares shares_;
};

// A film's bytes, wherever they lie. links: to the disk servers; none: it has its own.
sail::Result<std::unique_ptr<const sail::ByteSource>> open_stored(
    const std::string& path, const std::shared_ptr<sail::DiskLinks>& links = {});

// How a film is spread: its units of 1 MiB in turn over as many stripes, and each of them with all
// its copies on disks of their own.
struct PlacePlan {
  static constexpr uint64_t kUnitBytes = uint64_t{1} << 20;

  uint64_t bytes = 0;  // of the film, at least one
  std::string name;    // of its parts
  std::vector<sail::Address> disks;
  size_t stripe = 1;  // both at most as many as there are disks
  size_t copies = 1;

  // There may be fewer units than stripes were asked for.
  size_t stripes() const;
  uint64_t stripe_bytes(size_t stripe_number) const;
  sail::DiskPart part(size_t stripe_number, size_t copy) const;
  sail::Exnode exnode() const;
};

}  // namespace server
