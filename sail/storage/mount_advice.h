// What a network file system that is mounted here needs, to be as quick as it can be.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace sail {

// A sentence for people with the command that mends it, when the path lies on a network file system
// (NFS, SMB, Ceph, what comes by FUSE) of which the kernel reads too little ahead: 128 KB unless
// somebody says otherwise, where 4 MB and more made reading from GlusterFS and NFS one and a half
// to three times as fast. Files there and folders; waits for the disk.
std::optional<std::string> mount_advice(const std::string& path);

// Of a device's number; devices: where the kernel tells of them (/sys/class/bdi).
std::optional<std::string> read_ahead_advice(const std::string& path, dev_t device,
                                             const std::string& devices);

}  // namespace sail
