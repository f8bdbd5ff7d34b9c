#include "sail/media/storage/gluster/gluster_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glusterfs/api/glfs.h>

#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>

namespace sail {
namespace {

constexpr int kNoLog = 0;

Error failure_of(int error) {
  switch (error) {
    case ENOENT:
      return fail(ErrorCode::kNotFound, "the volume has no such file");
    case EISDIR:
    case ENOTDIR:
      return fail(ErrorCode::kNotFound, "it is no file");
    case EACCES:
    case EPERM:
      return fail(ErrorCode::kUnauthorized,
                  fmt::format("the server refuses it to user {}", getuid()));
    default:
      return fail(ErrorCode::kIo, std::strerror(error));
  }
}

}  // namespace

struct GlusterFile::Call {
  Done done;

  static void answered(glfs_fd*, ssize_t got, struct glfs_stat*, struct glfs_stat*, void* call) {
    const int error = errno;
    const std::unique_ptr<Call> one(static_cast<Call*>(call));
    one->done(got < 0 ? Result<size_t>(failure_of(error)) : static_cast<size_t>(got));
  }
};

void GlusterFile::EndVolume::operator()(glfs* volume) const {
  glfs_fini(volume);
}

void GlusterFile::EndFile::operator()(glfs_fd* file) const {
  glfs_close(file);
}

Result<std::shared_ptr<GlusterFile>> GlusterFile::open(const std::string& name,
                                                       const FileAddress& address) {
  const auto cannot = [&name](const Error& why) {
    return fail(why.code, fmt::format("cannot open {}: {}", name, why.message));
  };
  const size_t slash = address.path.find('/', 1);
  if (slash == std::string::npos || slash == 1) {
    return fail(ErrorCode::kInvalidParams, name + " is not " + kGluster.form);
  }
  const std::string volume = address.path.substr(1, slash - 1);
  const std::string path = address.path.substr(slash);
  const std::shared_ptr<GlusterFile> there(new GlusterFile());
  there->volume_.reset(glfs_new(volume.c_str()));
  glfs* at = there->volume_.get();
  if (at == nullptr || glfs_set_logging(at, "/dev/null", kNoLog) != 0 ||
      glfs_set_volfile_server(at, "tcp", address.host.c_str(), address.port) != 0) {
    return cannot(failure_of(errno));
  }
  if (glfs_init(at) != 0) {
    if (errno != ENOENT) return cannot(failure_of(errno));
    return cannot(fail(ErrorCode::kNotFound, "the server has no volume " + volume));
  }
  // Only regular files are opened: opening a pipe would wait for a writer.
  struct stat status {};
  if (glfs_stat(at, path.c_str(), &status) != 0) return cannot(failure_of(errno));
  if (!S_ISREG(status.st_mode)) return cannot(failure_of(EISDIR));
  there->file_.reset(glfs_open(at, path.c_str(), O_RDONLY));
  if (!there->file_ || glfs_fstat(there->file_.get(), &status) != 0) {
    return cannot(failure_of(errno));
  }
  there->size_ = static_cast<uint64_t>(status.st_size);
  return there;
}

GlusterFile::~GlusterFile() {
  std::thread([volume = std::move(volume_), file = std::move(file_)]() mutable {
    file.reset();
    volume.reset();
  }).detach();
}

void GlusterFile::read(uint64_t offset, std::span<uint8_t> bytes, Done done) {
  auto call = std::make_unique<Call>(Call{std::move(done)});
  if (glfs_pread_async(file_.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset), 0,
                       &Call::answered, call.get()) != 0) {
    return call->done(failure_of(errno));
  }
  (void)call.release();  // answered() takes ownership
}

}  // namespace sail
