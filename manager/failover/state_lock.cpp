#include "manager/failover/state_lock.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>

#include "sail/core/base/descriptor.h"
#include "sail/core/base/private_file.h"
#include "sail/core/time/clock.h"

namespace manager {

sail::Result<void> lock_state_folder(const std::filesystem::path& folder, int64_t patience_ms) {
  constexpr auto kPause = std::chrono::milliseconds(20);
  if (auto made = sail::make_private_folder(folder); !made) return made;
  const std::string path = folder / "lock";
  // Writable: NFS locks no other file.
  sail::Descriptor file(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR));
  const int64_t until_ns = sail::steady_now_ns() + patience_ms * sail::kMillisecondNs;
  while (file.get() < 0 || flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (file.get() < 0 || errno != EWOULDBLOCK) {
      return sail::fail(sail::ErrorCode::kIo,
                        fmt::format("cannot lock {}: {}", path, std::strerror(errno)));
    }
    if (sail::steady_now_ns() >= until_ns) {
      return sail::fail(
          sail::ErrorCode::kConflict,
          fmt::format("another manager uses the state folder {}: end that manager, or "
                      "give this one a folder of its own (--state DIR)",
                      folder.string()));
    }
    std::this_thread::sleep_for(kPause);
  }
  (void)file.take();  // closed by the end of the process
  return {};
}

}  // namespace manager
