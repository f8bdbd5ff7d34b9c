#include "sail/core/base/sealed_memory.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace sail {
namespace {

constexpr int kSizeSeals = F_SEAL_SHRINK | F_SEAL_GROW;

Error system_error(const char* what) {
  return {ErrorCode::kIo, fmt::format("cannot {} shared memory: {}", what, std::strerror(errno))};
}

}  // namespace

Result<std::unique_ptr<SealedMemory>> SealedMemory::create(const char* purpose, size_t bytes,
                                                           Others others) {
  // The system would end the process by SIGXFSZ.
  rlimit file_size{};
  if (getrlimit(RLIMIT_FSIZE, &file_size) == 0 && bytes > file_size.rlim_cur) {
    return fail(
        ErrorCode::kIo,
        fmt::format("shared memory of {} bytes needs a larger limit of file sizes (ulimit -f)",
                    bytes));
  }
  Descriptor descriptor(memfd_create(purpose, MFD_CLOEXEC | MFD_ALLOW_SEALING));
  const int file = descriptor.get();
  if (file < 0 || ftruncate(file, static_cast<off_t>(bytes)) != 0) return system_error("create");
  auto memory = map(std::move(descriptor), bytes);
  if (!memory) return memory;
  // The mapping that exists stays writable.
  const int write_seal = others == Others::kRead ? F_SEAL_FUTURE_WRITE : 0;
  if (fcntl(file, F_ADD_SEALS, kSizeSeals | F_SEAL_SEAL | write_seal) != 0) {
    return system_error("seal");
  }
  return memory;
}

Result<std::unique_ptr<SealedMemory>> SealedMemory::attach(Descriptor descriptor, size_t bytes) {
  if (auto checked = check(descriptor, bytes); !checked) return checked.error();
  return map(std::move(descriptor), bytes);
}

Result<void> SealedMemory::check(const Descriptor& descriptor, size_t bytes) {
  struct stat status {};
  const int seals = fcntl(descriptor.get(), F_GET_SEALS);
  const bool sealed = seals >= 0 && (seals & kSizeSeals) == kSizeSeals;
  if (sealed && fstat(descriptor.get(), &status) == 0 &&
      status.st_size == static_cast<off_t>(bytes)) {
    return {};
  }
  return fail(ErrorCode::kBadData, "the shared memory is not as announced");
}

Result<std::unique_ptr<SealedMemory>> SealedMemory::map(Descriptor descriptor, size_t bytes) {
  void* start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor.get(), 0);
  if (start == MAP_FAILED) return system_error("map");
  return std::unique_ptr<SealedMemory>(
      new SealedMemory(std::move(descriptor), {static_cast<uint8_t*>(start), bytes}));
}

SealedMemory::~SealedMemory() {
  munmap(bytes_.data(), bytes_.size());
}

}  // namespace sail
