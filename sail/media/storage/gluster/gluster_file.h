// A file of a GlusterFS volume, which need not be mounted. The only file here that uses libgfapi,
// which has its own threads and switches to other bricks if a volume has replicas. Its logging is
// disabled. Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "sail/core/base/result.h"
#include "sail/media/storage/reading/file_address.h"

struct glfs;
struct glfs_fd;

namespace sail {

class GlusterFile {
 public:
  // name: for messages. Blocks for as long as libgfapi does, up to half an hour. kNotFound,
  // kUnauthorized: the server's answer. kIo: unreachable.
  static Result<std::shared_ptr<GlusterFile>> open(const std::string& name,
                                                   const FileAddress& address);
  // Returns at once: a detached thread closes the volume, which takes libgfapi ten seconds.
  ~GlusterFile();
  GlusterFile(const GlusterFile&) = delete;
  GlusterFile& operator=(const GlusterFile&) = delete;

  uint64_t size() const { return size_; }
  // The number of bytes now in `bytes`, 0 at the end of the file; or the error.
  using Done = std::function<void(Result<size_t>)>;
  // done: called once, on a libgfapi thread or on the calling thread. The file and `bytes` must
  // stay valid until then.
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
