#include "sail/media/storage/reading/fed_bytes.h"

#include <fmt/core.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>
#include <vector>

#include "sail/core/base/environment.h"

namespace sail {
namespace {

// Both ends run on one machine and in one version, so structs are sent as they lie in memory. The
// feeder first sends the size. It answers each request with kGood and the bytes, or with kBad.
struct Request {
  uint64_t offset = 0;
  uint64_t bytes = 0;
};
constexpr uint8_t kGood = 1;
constexpr uint8_t kBad = 0;

template <typename Value>
std::span<uint8_t> bytes_of(Value& value) {
  return {reinterpret_cast<uint8_t*>(&value), sizeof value};
}

// Uses only read() and write(), which a sandboxed process may still call. Returns false if the
// other end is gone.
template <typename Move>
bool move_all(std::span<uint8_t> bytes, const Move& move) {
  while (!bytes.empty()) {
    const ssize_t moved = move(bytes.data(), bytes.size());
    if (moved < 0 && errno == EINTR) continue;
    if (moved <= 0) return false;
    bytes = bytes.subspan(static_cast<size_t>(moved));
  }
  return true;
}

bool take(int socket, std::span<uint8_t> bytes) {
  return move_all(bytes, [socket](uint8_t* to, size_t count) { return read(socket, to, count); });
}

bool ask(int socket, Request request) {
  return move_all(bytes_of(request), [socket](const uint8_t* from, size_t count) {
    return write(socket, from, count);
  });
}

// MSG_NOSIGNAL: no SIGPIPE when the other end is gone.
bool give(int socket, std::span<uint8_t> bytes) {
  return move_all(bytes, [socket](const uint8_t* from, size_t count) {
    return send(socket, from, count, MSG_NOSIGNAL);
  });
}

}  // namespace

Result<std::unique_ptr<const ByteSource>> FedBytes::open(std::string name, int socket) {
  uint64_t size = 0;
  if (!take(socket, bytes_of(size)))
    return fail(ErrorCode::kIo,
                name + ": the process that supplies the data closed the connection");
  return std::unique_ptr<const ByteSource>(new FedBytes(std::move(name), socket, size));
}

Result<void> FedBytes::read(uint64_t offset, std::span<uint8_t> bytes) const {
  if (offset > size_ || bytes.size() > size_ - offset) {
    return fail(ErrorCode::kBadData, fmt::format("{} ends at byte {}", name_, size_));
  }
  const std::lock_guard turn(turn_);
  while (!bytes.empty()) {
    const auto part = bytes.first(std::min(bytes.size(), ByteFeed::kMostBytes));
    uint8_t answer = kBad;
    const bool answered = ask(socket_, {offset, part.size()}) && take(socket_, bytes_of(answer));
    if (!answered || answer != kGood || !take(socket_, part)) {
      return fail(ErrorCode::kIo, fmt::format("cannot read {} at byte {}", name_, offset));
    }
    bytes = bytes.subspan(part.size());
    offset += part.size();
  }
  return {};
}

Result<std::unique_ptr<ByteFeed>> ByteFeed::start(std::unique_ptr<const ByteSource> source) {
  const auto size = source->size();
  if (!size) return size.error();
  std::array<int, 2> ends{-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return fail(ErrorCode::kIo, source->name() + ": cannot create a socket pair");
  }
  return std::unique_ptr<ByteFeed>(new ByteFeed(std::move(source), *size, ends[0], ends[1]));
}

ByteFeed::ByteFeed(std::unique_ptr<const ByteSource> source, uint64_t size, int ours, int theirs)
    : source_(std::move(source)), size_(size), ours_(ours), theirs_(theirs), thread_([this] {
        feed();
      }) {}

ByteFeed::~ByteFeed() {
  shutdown(ours_, SHUT_RDWR);
  thread_.join();
  close(ours_);
  handed_over();
}

void ByteFeed::handed_over() {
  if (theirs_ >= 0) close(std::exchange(theirs_, -1));
}

void ByteFeed::feed() {
  name_this_thread("feed");
  uint64_t size = size_;
  std::vector<uint8_t> room;
  Request request;
  bool on = give(ours_, bytes_of(size));
  while (on && take(ours_, bytes_of(request))) {
    // The requesting process parses untrusted data, so its requests are checked.
    const bool fits = request.bytes <= kMostBytes && request.offset <= size_ &&
                      request.bytes <= size_ - request.offset;
    room.resize(fits ? request.bytes : 0);
    uint8_t answer = fits && source_->read(request.offset, room) ? kGood : kBad;
    on = give(ours_, bytes_of(answer)) && (answer == kBad || give(ours_, room));
  }
}

}  // namespace sail
