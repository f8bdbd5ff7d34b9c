#include "sail/media/storage/ibp/disk_links.h"

#include <utility>

namespace sail {

DiskLinks::~DiskLinks() {
  thread_.run([this] { links_.clear(); });
}

DiskLink& DiskLinks::link(const Address& disk) {
  const std::string name = address_text(disk);
  auto& link = links_[name];
  if (!link) {
    link = std::make_unique<DiskLink>(thread_.loop(), disk, options_,
                                      [this, name] { note(name, *links_.at(name)); });
    note(name, *link);
  }
  return *link;
}

std::shared_ptr<void> DiskLinks::read(const DiskPart& part, uint64_t offset,
                                      std::span<uint8_t> bytes, DepotLoads::Done done) {
  return link(part.disk).ask(
      DiskRead{offset, static_cast<uint32_t>(bytes.size()), part.name}, bytes,
      [done = std::move(done)](const DiskAnswer& answer) { done(answer.outcome); });
}

void DiskLinks::note(const std::string& name, const DiskLink& link) {
  constexpr double kBytesOfMb = 1e6;
  Disk disk{name, link.welcome().has_value(), link.is_coming()};
  if (disk.there) {
    disk.peak_mb_per_s = static_cast<double>(link.welcome()->peak_bytes_per_s) / kBytesOfMb;
    disk.free_bytes = link.welcome()->free_bytes;
  }
  const std::lock_guard lock(mutex_);
  disks_[name] = std::move(disk);
}

std::vector<DiskLinks::Disk> DiskLinks::disks() const {
  const std::lock_guard lock(mutex_);
  std::vector<Disk> all;
  for (const auto& [name, disk] : disks_) all.push_back(disk);
  return all;
}

}  // namespace sail
