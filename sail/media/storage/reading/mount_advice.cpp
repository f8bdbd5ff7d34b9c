#include "sail/media/storage/reading/mount_advice.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>

namespace sail {
namespace {

constexpr int kLeastKb = 4096;
constexpr int kAdvisedKb = 16384;
// From statfs(2) and linux/magic.h.
constexpr uint32_t kNetworkFileSystems[] = {0x6969,                              // NFS
                                            0x65735546,                          // FUSE
                                            0x517b,     0xfe534d42, 0xff534d42,  // SMB
                                            0x00c36400,                          // Ceph
                                            0x0bd00bd0,                          // Lustre
                                            0x19830326};                         // BeeGFS

}  // namespace

std::optional<std::string> mount_advice(const std::string& path) {
  struct statfs mount {};
  struct stat file {};
  if (statfs(path.c_str(), &mount) != 0 || stat(path.c_str(), &file) != 0) return std::nullopt;
  const bool far = std::ranges::find(kNetworkFileSystems, static_cast<uint32_t>(mount.f_type)) !=
                   std::end(kNetworkFileSystems);
  if (!far) return std::nullopt;
  return read_ahead_advice(path, file.st_dev, "/sys/class/bdi");
}

std::optional<std::string> read_ahead_advice(const std::string& path, dev_t device,
                                             const std::string& devices) {
  const std::string setting =
      fmt::format("{}/{}:{}/read_ahead_kb", devices, major(device), minor(device));
  int now_kb = 0;
  if (!(std::ifstream(setting) >> now_kb) || now_kb >= kLeastKb) return std::nullopt;
  return fmt::format(
      "{} is on a network file system with a read-ahead of only {} KB: `echo {} | sudo tee {}` "
      "makes reading faster",
      path, now_kb, kAdvisedKb, setting);
}

}  // namespace sail
