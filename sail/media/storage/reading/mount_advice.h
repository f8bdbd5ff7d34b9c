// Advice for mounted network file systems whose settings make reads slow.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace sail {

// Returns a sentence with the command that fixes it, if `path` lies on a network file system (NFS,
// SMB, Ceph, FUSE and others) with too small a kernel read-ahead. The default is 128 KB; 4 MB and
// more read GlusterFS and NFS 1.5 to 3 times as fast. For files and folders; may block on the disk.
std::optional<std::string> mount_advice(const std::string& path);

// For a device number. devices: the kernel's folder with the settings (/sys/class/bdi).
std::optional<std::string> read_ahead_advice(const std::string& path, dev_t device,
                                             const std::string& devices);

}  // namespace sail
