// A file of a GlusterFS volume, which this host need not have mounted. The only file here that
// knows libgfapi: it has threads of its own, goes on to other bricks by itself where a volume has
// copies, and is kept from writing logs. Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "sail/base/result.h"
#include "sail/storage/file_address.h"

struct glfs;
struct glfs_fd;

namespace sail {

class GlusterFile {
 public:
  // name: for people. Waits for as long as libgfapi does, which may be half an hour. kNotFound,
  // kUnauthorized: the server says so. kIo: it cannot be reached.
  static Result<std::shared_ptr<GlusterFile>> open(const std::string& name,
                                                   const FileAddress& address);
  // Waits for nothing: libgfapi takes ten seconds to let go of a volume, in a thread of that time.
  ~GlusterFile();
  GlusterFile(const GlusterFile&) = delete;
  GlusterFile& operator=(const GlusterFile&) = delete;

  uint64_t size() const { return size_; }
  // How many bytes there are in `bytes` now, 0 where the file ends; or why not.
  using Done = std::function<void(Result<size_t>)>;
  // done: once, in a thread of libgfapi's, or in this one. File and bytes stay until then.
  void read(uint64_t offset, std::span<uint8_t> bytes, Done done);

 private:
  struct EndVolume {
    void operator()(glfs* volume) const;
  };
  struct EndFile {
    void operator()(glfs_fd* file) const;
  };
  struct Call;
  GlusterFile() = default;

  std::unique_ptr<glfs, EndVolume> volume_;
  std::unique_ptr<glfs_fd, EndFile> file_;
  uint64_t size_ = 0;
};

}  // namespace sail
