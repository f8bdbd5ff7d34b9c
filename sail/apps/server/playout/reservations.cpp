#include "sail/apps/server/playout/reservations.h"

#include <algorithm>
#include <set>
#include <utility>

namespace server {
namespace {

// The sum of the connected disk servers' peak rates; 0 (unknown) if one of them reported none or is
// still connecting.
double peak_of(const std::vector<sail::DiskLinks::Disk>& disks) {
  double mb_per_s = 0;
  for (const auto& disk : disks) {
    if (disk.coming || (disk.there && disk.peak_mb_per_s <= 0)) return 0;
    mb_per_s += disk.there ? disk.peak_mb_per_s : 0;
  }
  return mb_per_s;
}

// Disk servers that were lost or never reached.
std::set<std::string> away_of(const std::vector<sail::DiskLinks::Disk>& disks) {
  std::set<std::string> away;
  for (const auto& disk : disks) {
    if (!disk.there && !disk.coming) away.insert(disk.name);
  }
  return away;
}

}  // namespace

Reservations::Reservations(std::shared_ptr<FilmStorage> storage,
                           std::shared_ptr<sail::DiskLinks> links, double stated_mb_per_s,
                           double share)
    : storage_(std::move(storage)),
      links_(std::move(links)),
      stated_(stated_mb_per_s > 0),
      share_(share) {
  if (stated_) set_peak(stated_mb_per_s);
}

void Reservations::set_peak(double mb_per_s) {
  peak_mb_per_s_ = mb_per_s;
  storage_->set_peak(mb_per_s);
}

sail::Result<Promise> Reservations::reserve(const std::string& title, const FilmNeed& need) {
  if (auto admitted = admit(title, need); !admitted) return std::move(admitted.error());
  claim(need);
  return promises_.add(need);
}

sail::Result<void> Reservations::change(const std::string& title, FilmNeed& reserved,
                                        double mb_per_s) {
  FilmNeed more = reserved;
  more.mb_per_s = mb_per_s - reserved.mb_per_s;
  if (auto admitted = admit(title, more); !admitted) return admitted;
  reserved.mb_per_s = mb_per_s;
  claim(reserved);
  return {};
}

sail::Result<void> Reservations::admit(const std::string& title, const FilmNeed& need) const {
  if (!need.promised()) return {};
  if (need.shares.empty()) return server::admit(folder(), title, need.mb_per_s);
  for (const auto& [disk, mb_per_s] : need.by_disk(away_of(links_->disks()))) {
    auto admitted = server::admit(load_of(disk), title, mb_per_s);
    if (!admitted) return admitted;
  }
  return {};
}

void Reservations::claim(const FilmNeed& need) {
  storage_->claim(need.stream, {need.mb_per_s * kBytesOfMb, !need.promised()});
}

// --- loads ---------------------------------------------------------------------------------------

SourceLoad Reservations::load_of(const std::string& disk) const {
  SourceLoad load{
      .peak_mb_per_s = peak_mb_per_s_, .stated = stated_, .share = share_, .disk = disk};
  const auto known = links_->disks();
  if (!disk.empty()) {
    const auto its = std::ranges::find(known, disk, &sail::DiskLinks::Disk::name);
    load.stated = false;
    load.peak_mb_per_s = its == known.end() ? 0 : its->peak_mb_per_s;
    storage_->set_peak_of(disk, load.peak_mb_per_s);
  }
  const std::set<std::string> away = away_of(known);
  for (const FilmNeed& need : promises_.all()) {
    if (disk.empty() && need.shares.empty()) load.add(need.mb_per_s, !need.promised());
    const DiskShares rates = need.by_disk(away);
    if (rates.contains(disk)) load.add(rates.at(disk), !need.promised());
  }
  return load;
}

std::vector<Reservations::DiskLoad> Reservations::disks() const {
  std::vector<DiskLoad> all;
  for (sail::DiskLinks::Disk& disk : links_->disks()) all.push_back({disk, load_of(disk.name)});
  return all;
}

SourceLoad Reservations::all_disks() const {
  SourceLoad load{.peak_mb_per_s = peak_of(links_->disks()), .share = share_};
  for (const FilmNeed& need : promises_.all()) {
    if (!need.shares.empty()) load.add(need.mb_per_s, !need.promised());
  }
  return load;
}

}  // namespace server
