// Bytes of a source that another process has: it feeds through a socket what is asked for. So who
// looks into bytes that may be anything needs no right to reach where they are kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>

#include "sail/base/result.h"
#include "sail/storage/byte_source.h"

namespace sail {

class FedBytes : public ByteSource {
 public:
  // socket: a ByteFeed's; it stays the caller's. kIo: nobody feeds.
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
  mutable std::mutex turn_;  // one asks and is answered, then the next
};

class ByteFeed {
 public:
  static constexpr size_t kMostBytes = size_t{1} << 20;  // at a time

  // Feeds from a thread of its own. kIo.
  static Result<std::unique_ptr<ByteFeed>> start(std::unique_ptr<const ByteSource> source);
  // Waits for the read that is under way.
  ~ByteFeed();
  ByteFeed(const ByteFeed&) = delete;
  ByteFeed& operator=(const ByteFeed&) = delete;

  // For who is fed, until handed_over().
  int socket() const { return theirs_; }
  // Who is fed has it: the feeding ends with them.
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
