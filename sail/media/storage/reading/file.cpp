#include "sail/media/storage/reading/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace sail {
namespace {

constexpr mode_t kMode = 0666;  // minus the umask

Error io_error(const char* what, const std::string& name) {
  return fail(ErrorCode::kIo, fmt::format("cannot {} {}: {}", what, name, std::strerror(errno)));
}

}  // namespace

File::File(std::string name, int descriptor) : name_(std::move(name)), descriptor_(descriptor) {}

File::File(File&& other) noexcept
    : name_(std::move(other.name_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

File::~File() {
  if (descriptor_ >= 0) close(descriptor_);
}

Result<File> File::open_to_read(const std::string& name) {
  File file(name, open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.descriptor_ < 0) return io_error("open", name);
  struct stat status {};
  if (fstat(file.descriptor_, &status) != 0) return io_error("read", name);
  if (!S_ISREG(status.st_mode)) {
    return fail(ErrorCode::kIo, fmt::format("{} is not a regular file", name));
  }
  return file;
}

Result<File> File::open_to_write(const std::string& name) {
  File file(name, open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kMode));
  if (file.descriptor_ < 0) return io_error("write", name);
  if (flock(file.descriptor_, LOCK_EX | LOCK_NB) != 0) {
    return fail(ErrorCode::kConflict, fmt::format("another program is already writing {}", name));
  }
  return file;
}

Result<uint64_t> File::size() const {
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) return io_error("read", name_);
  return static_cast<uint64_t>(status.st_size);
}

Result<void> File::read(uint64_t offset, std::span<uint8_t> bytes) const {
  while (!bytes.empty()) {
    const ssize_t got = pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (got < 0) {
      if (errno == EINTR) continue;
      return fail(ErrorCode::kIo, fmt::format("cannot read {} at byte {}: {}", name_, offset,
                                              std::strerror(errno)));
    }
    if (got == 0) {
      return fail(ErrorCode::kBadData, fmt::format("{} ends at byte {}", name_, offset));
    }
    offset += static_cast<uint64_t>(got);
    bytes = bytes.subspan(static_cast<size_t>(got));
  }
  return {};
}

Result<void> File::write(uint64_t offset, std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t put = pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (put < 0) {
      if (errno == EINTR) continue;
      return io_error("write", name_);
    }
    offset += static_cast<uint64_t>(put);
    bytes = bytes.subspan(static_cast<size_t>(put));
  }
  return {};
}

Result<void> File::cut(uint64_t size) {
  if (ftruncate(descriptor_, static_cast<off_t>(size)) != 0) return io_error("shorten", name_);
  return {};
}

void File::forget() const {
  posix_fadvise(descriptor_, 0, 0, POSIX_FADV_DONTNEED);
}

Result<void> File::sync() {
  if (fsync(descriptor_) != 0) return io_error("write", name_);
  return {};
}

}  // namespace sail
