// Films of the folder whose data lies on disk servers. "opera.vmov.xnd" is the exNode of the film
// "opera.vmov", which need not be in the folder itself. Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/media/storage/ibp/disk_links.h"
#include "sail/media/storage/ibp/exnode.h"
#include "sail/media/storage/reading/byte_source.h"

namespace server {

constexpr const char* kPlacedExtension = ".xnd";

// Decided by the file's name.
bool is_placed(const std::string& path);

struct Placement {
  uint64_t bytes = 0;              // size of the film
  std::vector<std::string> disks;  // HOST:PORT, sorted
};
sail::Result<Placement> placement_of(const std::string& path);

// The share of a film's reads per disk server (HOST:PORT); the shares add up to 1.
using DiskShares = std::map<std::string, double>;

// Tells which disk servers hold which bytes of a film.
class Spread {
 public:
  Spread() = default;  // on no disk server
  explicit Spread(sail::Exnode exnode);
  // For a film that is_placed().
  static sail::Result<Spread> of(const std::string& path);

  // All replicas count equally.
  const DiskShares& shares() const { return shares_; }
  struct Place {
    std::vector<std::string> disks;  // servers that hold the byte; none: a hole
    uint64_t end = 0;                // end of the contiguous bytes held by these servers
  };
  Place at(uint64_t offset) const;

 private:
  std::shared_ptr<const sail::Exnode> exnode_;
  DiskShares shares_;
};

// Opens a film's data, from the folder or from disk servers. links: connections to share; null: the
// source creates its own.
sail::Result<std::unique_ptr<const sail::ByteSource>> open_stored(
    const std::string& path, const std::shared_ptr<sail::DiskLinks>& links = {});

// How a film is distributed: units of 1 MiB go round robin to `stripes()` stripes; each copy of a
// stripe is a part on another disk server.
struct PlacePlan {
  static constexpr uint64_t kUnitBytes = uint64_t{1} << 20;

  uint64_t bytes = 0;  // size of the film, at least 1
  std::string name;    // prefix of its parts' names
  std::vector<sail::Address> disks;
  size_t stripe = 1;  // stripe and copies: at most the number of disks
  size_t copies = 1;

  // Less than `stripe` if the film has fewer units.
  size_t stripes() const;
  uint64_t stripe_bytes(size_t stripe_number) const;
  sail::DiskPart part(size_t stripe_number, size_t copy) const;
  sail::Exnode exnode() const;
};

}  // namespace server
