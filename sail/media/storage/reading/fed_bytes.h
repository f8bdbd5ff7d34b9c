// A source whose bytes another process feeds through a socket. A process that parses untrusted data
// can thus be sandboxed without access to the storage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>

#include "sail/core/base/result.h"
#include "sail/media/storage/reading/byte_source.h"

namespace sail {

class FedBytes : public ByteSource {
 public:
  // socket: of a ByteFeed; the caller keeps ownership. kIo: the feeder is gone.
  static Result<std::unique_ptr<const ByteSource>> open(std::string name, int socket);

  const std::string& name() const override { return name_; }
  Result<uint64_t> size() const override { return size_; }
  Result<void> read(uint64_t offset, std::span<uint8_t> bytes) const override;
  Depth depth() const override { return {1, 1}; }

 private:
  FedBytes(std::string name, int socket, uint64_t size)
      : name_(std::move(name)), socket_(socket), size_(size) {}

  const std::string name_;
  const int socket_;
  const uint64_t size_;
  mutable std::mutex turn_;  // one request with its answer at a time
};

class ByteFeed {
 public:
  static constexpr size_t kMostBytes = size_t{1} << 20;  // per request

  // Feeds from a thread of its own. kIo.
  static Result<std::unique_ptr<ByteFeed>> start(std::unique_ptr<const ByteSource> source);
  // Waits for the read in progress.
  ~ByteFeed();
  ByteFeed(const ByteFeed&) = delete;
  ByteFeed& operator=(const ByteFeed&) = delete;

  // The socket for the process to be fed; valid until handed_over().
  int socket() const { return theirs_; }
  // The other process has the socket: closes this one's copy, so that feeding ends when that
  // process exits.
  void handed_over();

 private:
  ByteFeed(std::unique_ptr<const ByteSource> source, uint64_t size, int ours, int theirs);
  void feed();

  const std::unique_ptr<const ByteSource> source_;
  const uint64_t size_;
  const int ours_;
  int theirs_;
  std::thread thread_;
};

}  // namespace sail
