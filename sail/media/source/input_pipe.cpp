#include "sail/media/source/input_pipe.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace sail {
namespace {

constexpr int kAskEveryMs = 50;

}  // namespace

Result<size_t> read_some(int descriptor, std::span<uint8_t> room,
                         const std::function<bool()>& give_up) {
  for (;;) {
    pollfd ready{descriptor, POLLIN, 0};
    const int polled = poll(&ready, 1, kAskEveryMs);
    if (give_up && give_up()) return fail(ErrorCode::kTimeout, "given up");
    if (polled == 0 || (polled < 0 && errno == EINTR)) continue;
    const ssize_t got = read(descriptor, room.data(), room.size());
    if (got >= 0) return static_cast<size_t>(got);
    if (errno == EINTR || errno == EAGAIN) continue;
    return fail(ErrorCode::kIo, fmt::format("cannot read the input: {}", std::strerror(errno)));
  }
}

}  // namespace sail
