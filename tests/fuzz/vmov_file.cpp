// A .vmov file: the file is refused, or each of its frames is either refused or valid.
#include <sys/mman.h>
#include <unistd.h>

#include <numeric>
#include <string>

#include "sail/media/vmov/vmov_reader.h"
#include "tests/fuzz/fuzz.h"

FUZZ_TARGET(vmov_file) {
  using namespace sail;
  const int descriptor = memfd_create("vmov", MFD_CLOEXEC);
  fuzz::require(descriptor >= 0 && write(descriptor, data, size) == static_cast<ssize_t>(size),
                "there is memory for the input");
  const auto reader = VmovReader::open("/proc/self/fd/" + std::to_string(descriptor));
  close(descriptor);
  if (!reader) return 0;
  VmovFrame frame;
  for (size_t i = 0; i < reader->frame_count(); ++i) {
    if (!reader->read(i, frame)) continue;
    const uint64_t sum = std::accumulate(frame.lengths.begin(), frame.lengths.end(), uint64_t{0});
    fuzz::require(sum == frame.bytes.size(), "the lengths are those of the bytes");
    fuzz::require(reader->frame_at(frame.head.pts_ns) == i, "a frame is found by its time");
  }
  return 0;
}
