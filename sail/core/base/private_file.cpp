#include "sail/core/base/private_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "sail/core/base/descriptor.h"

namespace sail {
namespace {

namespace fs = std::filesystem;

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

// If it returns false, errno has the reason.
bool write_whole(Descriptor file, std::string_view text, Lasting lasting) {
  return write_all(file.get(), text) &&
         (lasting == Lasting::kThisBoot || ::fsync(file.get()) == 0) &&
         ::close(file.take()) == 0;  // some file systems report a full disk only on close
}

// Makes the new directory entry durable. Errors are ignored: not every file system supports this.
void sync_folder(const fs::path& folder) {
  const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.get() >= 0) ::fsync(opened.get());
}

Error cannot(const char* what, const fs::path& path, int error) {
  return fail(ErrorCode::kIo,
              fmt::format("cannot {} {}: {}", what, path.string(), std::strerror(error)));
}

}  // namespace

Result<void> make_private_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder.parent_path(), error);
  if (::mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST) {
    return cannot("make", folder, errno);
  }
  if (::chmod(folder.c_str(), S_IRWXU) != 0) return cannot("restrict access to", folder, errno);
  return {};
}

Result<void> write_private_file(const fs::path& path, std::string_view text, Lasting lasting) {
  std::string part = path.string() + ".XXXXXX";  // mkostemp() makes a unique name and mode 0600
  const int file = ::mkostemp(part.data(), O_CLOEXEC);
  if (file < 0) return cannot("write", path, errno);
  if (write_whole(Descriptor(file), text, lasting) && ::rename(part.c_str(), path.c_str()) == 0) {
    if (lasting == Lasting::kAnyCrash) sync_folder(path.parent_path());
    return {};
  }
  const int error = errno;
  ::unlink(part.c_str());
  return cannot("write", path, error);
}

Result<std::string> read_file(const fs::path& path, size_t most_bytes) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) {
    const int number = errno;
    Error error = cannot("read", path, number);
    if (number == ENOENT) error.code = ErrorCode::kNotFound;
    return error;
  }
  // One byte more shows that the file ends there. The size of some files is unknown, such as those
  // of the system and pipes.
  constexpr size_t kLeast = 4096;
  struct stat status {};
  const bool sized = ::fstat(file.get(), &status) == 0;
  const size_t most = most_bytes + 1;
  const size_t size = sized ? static_cast<size_t>(status.st_size) + 1 : 0;
  std::string text(std::min(std::max(size, kLeast), most), '\0');
  size_t length = 0;
  while (true) {
    if (length == text.size()) text.resize(std::min(2 * length, most));
    if (length == text.size()) break;
    const ssize_t read = ::read(file.get(), text.data() + length, text.size() - length);
    if (read < 0 && errno == EINTR) continue;
    if (read < 0) return cannot("read", path, errno);
    if (read == 0) break;
    length += static_cast<size_t>(read);
  }
  text.resize(length);
  return text;
}

Result<fs::path> set_aside(const fs::path& path, std::string_view suffix) {
  const std::string aside = fmt::format("{}.{}", path.string(), suffix);
  fs::path free = aside;
  for (int number = 2; ::access(free.c_str(), F_OK) == 0; ++number) {
    free = fmt::format("{}-{}", aside, number);
  }
  if (::rename(path.c_str(), free.c_str()) != 0) return cannot("rename", path, errno);
  return free;
}

}  // namespace sail
