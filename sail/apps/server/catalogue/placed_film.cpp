#include "sail/apps/server/catalogue/placed_film.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <utility>

#include "sail/media/storage/ibp/depot_bytes.h"
#include "sail/media/storage/source_uri.h"

namespace server {

bool is_placed(const std::string& path) {
  return path.ends_with(kPlacedExtension);
}

sail::Result<Placement> placement_of(const std::string& path) {
  const auto exnode = sail::DepotBytes::read_exnode(path);
  if (!exnode) return exnode.error();
  std::set<std::string> disks;
  for (const auto& mapping : exnode->mappings()) disks.insert(sail::address_text(mapping.depot()));
  return Placement{exnode->size(), {disks.begin(), disks.end()}};
}

Spread::Spread(sail::Exnode exnode)
    : exnode_(std::make_shared<const sail::Exnode>(std::move(exnode))) {
  double sum = 0;
  for (const sail::ExnodeMapping& mapping : exnode_->mappings()) {
    const auto bytes = static_cast<double>(mapping.held_bytes());
    shares_[sail::address_text(mapping.depot())] += bytes;
    sum += bytes;
  }
  for (auto& [disk, share] : shares_) share /= std::max(sum, 1.0);
}

sail::Result<Spread> Spread::of(const std::string& path) {
  return sail::DepotBytes::read_exnode(path).map(
      [](const sail::Exnode& exnode) { return Spread(exnode); });
}

Spread::Place Spread::at(uint64_t offset) const {
  const auto holding = exnode_->holding(offset);
  Place place{{}, UINT64_MAX};
  for (const size_t number : holding) {
    const sail::ExnodeMapping& mapping = exnode_->mappings()[number];
    place.disks.push_back(sail::address_text(mapping.depot()));
    place.end = std::min(place.end, mapping.end_from(offset));
  }
  return place;
}

sail::Result<std::unique_ptr<const sail::ByteSource>> open_stored(
    const std::string& path, const std::shared_ptr<sail::DiskLinks>& links) {
  if (!is_placed(path)) return sail::open_bytes(path);
  auto exnode = sail::DepotBytes::read_exnode(path);
  if (!exnode) return std::move(exnode.error());
  return std::make_unique<const sail::DepotBytes>(path, std::move(*exnode), sail::DepotReading(),
                                                  links);
}

size_t PlacePlan::stripes() const {
  return std::min<uint64_t>(stripe, (bytes + kUnitBytes - 1) / kUnitBytes);
}

uint64_t PlacePlan::stripe_bytes(size_t stripe_number) const {
  const uint64_t row = kUnitBytes * stripes();
  const uint64_t last = bytes % row;
  const uint64_t begin = kUnitBytes * stripe_number;
  return bytes / row * kUnitBytes + std::min(last > begin ? last - begin : uint64_t{0}, kUnitBytes);
}

sail::DiskPart PlacePlan::part(size_t stripe_number, size_t copy) const {
  return {disks[(stripe_number + copy) % disks.size()],
          fmt::format("{}-{}of{}-{}", name, stripe_number, stripes(), copy)};
}

sail::Exnode PlacePlan::exnode() const {
  std::vector<sail::ExnodeMapping> mappings;
  for (size_t i = 0; i < stripes(); ++i) {
    const uint64_t begin = i * kUnitBytes;
    const uint64_t part_bytes = stripe_bytes(i);
    const uint64_t rows = (part_bytes + kUnitBytes - 1) / kUnitBytes;
    const uint64_t gaps = (rows - 1) * (stripes() - 1) * kUnitBytes;
    for (size_t copy = 0; copy < copies; ++copy) {
      mappings.push_back({.begin = begin,
                          .bytes = part_bytes + gaps,
                          .at = 0,
                          .read = {},
                          .part = part(i, copy),
                          .unit_bytes = kUnitBytes,
                          .units = stripes()});
    }
  }
  return {std::move(mappings), bytes};
}

}  // namespace server
