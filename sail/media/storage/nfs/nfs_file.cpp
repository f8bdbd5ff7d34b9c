#include "sail/media/storage/nfs/nfs_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/time.h>  // libnfs.h does not include it
#include <unistd.h>

#include <nfsc/libnfs.h>

#include <algorithm>
#include <cerrno>
#include <list>
#include <utility>

#include "sail/core/base/c_library.h"
#include "sail/core/base/secret.h"
#include "sail/core/time/clock.h"

namespace sail {
namespace {

// The failure of one request, not of the connection.
NfsFailure failure_of(int error, const char* words) {
  switch (error) {
    case ENOENT:
      return {ErrorCode::kNotFound, "the server has no such file"};
    case EISDIR:
    case ENOTDIR:
      return {ErrorCode::kNotFound, "not a regular file"};
    case EACCES:
    case EPERM:
      return {ErrorCode::kUnauthorized,
              fmt::format("the server denied access to user {}", getuid())};
    case ESTALE:
      return {ErrorCode::kConflict, "the file has changed since it was opened"};
    default:
      return {{}, words != nullptr ? words : "the connection broke"};
  }
}

}  // namespace

struct NfsFile::Connection {
  struct Call {
    Connection* connection = nullptr;
    size_t count = 0;
    Read done;
    std::list<Call>::iterator self;
  };

  Connection(Loop& event_loop, const FileAddress& where, Opened when_opened, Failed when_failed);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  bool begin();
  void read(uint64_t offset, size_t count, Read done);
  void serve(bool readable, bool writable);
  void want();
  void report_failure();
  // Records libnfs's message for the last error.
  void fail_by(int error);
  bool is_over() const { return ending || failure; }

  void probe_next();

  static void mounted(int status, nfs_context* context, void* data, void* self);
  static void looked_at(int status, nfs_context* context, void* data, void* self);
  static void opened_file(int status, nfs_context* context, void* data, void* self);
  static void on_version(int status, nfs_context* context, void* data, void* self);
  static void answered(int status, nfs_context* context, void* data, void* call);
  static void ignored(int, nfs_context*, void*, void*) {}

  Loop& loop;
  const FileAddress address;
  Opened opened;
  Failed failed;
  bool ending = false;
  std::optional<NfsFailure> failure;
  int64_t heard_ns = 0;
  size_t looked = 0;  // bytes of the path that have been checked
  std::list<Call> calls;
  nfsfh* file = nullptr;
  std::unique_ptr<nfs_context, FreedBy<nfs_destroy_context>> nfs{nfs_init_context()};
  std::optional<SocketWatch> watch;  // destroyed before the socket is closed
  Timer soon;  // defers failures that must not be reported from within the call
};

NfsFile::Connection::Connection(Loop& event_loop, const FileAddress& where, Opened when_opened,
                                Failed when_failed)
    : loop(event_loop),
      address(where),
      opened(std::move(when_opened)),
      failed(std::move(when_failed)),
      soon(event_loop) {
  if (begin()) return;
  fail_by(EFAULT);
  soon.start(0, 0, [this] { report_failure(); });
}

// NFS 4 exports are folders of one tree, so mounting the root is enough.
bool NfsFile::Connection::begin() {
  if (!nfs) return false;
  // libnfs offers no other way to set the port.
  const std::string settings =
      fmt::format("nfs://host/folder/file?version=4&nfsport={}&autoreconnect=0", address.port);
  nfs_destroy_url(nfs_parse_url_full(nfs.get(), settings.c_str()));
  // The server keeps open state per client name. libnfs's default name would be the same for two
  // films opened within one second.
  nfs4_set_client_name(nfs.get(), ("vitrail " + random_word()).c_str());
  if (nfs_mount_async(nfs.get(), address.host.c_str(), "/", &Connection::mounted, this) < 0) {
    return false;
  }
  watch.emplace(loop, nfs_get_fd(nfs.get()),
                [this](bool readable, bool writable) { serve(readable, writable); });
  want();
  return true;
}

NfsFile::Connection::~Connection() {
  ending = true;
  watch.reset();
  // Sends the close request if that is possible without waiting.
  if (file != nullptr && nfs_close_async(nfs.get(), file, &Connection::ignored, nullptr) == 0 &&
      !failure) {
    nfs_service(nfs.get(), POLLOUT);
  }
}

void NfsFile::Connection::read(uint64_t offset, size_t count, Read done) {
  const auto call = calls.insert(calls.end(), Call{this, count, std::move(done), {}});
  call->self = call;
  if (nfs_pread_async(nfs.get(), file, offset, count, &Connection::answered, &*call) == 0) {
    if (!failure) want();
    return;
  }
  fail_by(EFAULT);
  soon.start(0, 0, [this] { report_failure(); });
}

void NfsFile::Connection::serve(bool readable, bool writable) {
  if (readable) heard_ns = steady_now_ns();
  const int events = (readable ? POLLIN : 0) | (writable ? POLLOUT : 0);
  if (nfs_service(nfs.get(), events) < 0 && !failure) fail_by(EFAULT);
  failure ? report_failure() : want();
}

void NfsFile::Connection::want() {
  const int events = nfs_which_events(nfs.get());
  watch->want((events & POLLIN) != 0, (events & POLLOUT) != 0);
}

void NfsFile::Connection::report_failure() {
  watch.reset();
  const Failed tell = std::move(failed);
  const NfsFailure told = *failure;
  tell(told);  // may destroy this object
}

void NfsFile::Connection::fail_by(int error) {
  if (!failure) failure = failure_of(error, nfs ? nfs_get_error(nfs.get()) : "out of memory");
}

// Checks each part of the path with lstat before libnfs looks it up: when libnfs follows a symbolic
// link, it reads beyond the end of the server's answer.
void NfsFile::Connection::probe_next() {
  const std::string& path = address.path;
  int begun = 0;
  if (looked == path.size()) {
    begun = nfs_open_async(nfs.get(), path.c_str(), O_RDONLY, &Connection::opened_file, this);
  } else {
    looked = std::min(path.find('/', looked + 1), path.size());
    begun =
        nfs_lstat64_async(nfs.get(), path.substr(0, looked).c_str(), &Connection::looked_at, this);
  }
  if (begun < 0) fail_by(EFAULT);
}

void NfsFile::Connection::mounted(int status, nfs_context*, void*, void* self) {
  auto& connection = *static_cast<Connection*>(self);
  if (connection.is_over()) return;
  status < 0 ? connection.fail_by(-status) : connection.probe_next();
}

void NfsFile::Connection::looked_at(int status, nfs_context*, void* data, void* self) {
  auto& connection = *static_cast<Connection*>(self);
  if (connection.is_over()) return;
  if (status < 0) return connection.fail_by(-status);
  const auto mode = static_cast<const nfs_stat_64*>(data)->nfs_mode;
  const std::string& path = connection.address.path;
  if (S_ISLNK(mode)) {
    connection.failure = {ErrorCode::kNotFound, path.substr(0, connection.looked) +
                                                    " is a symbolic link: links are not followed"};
  } else if (connection.looked == path.size() && !S_ISREG(mode)) {
    connection.fail_by(EISDIR);
  } else {
    connection.probe_next();
  }
}

void NfsFile::Connection::opened_file(int status, nfs_context* context, void* data, void* self) {
  auto& connection = *static_cast<Connection*>(self);
  if (connection.is_over()) return;
  if (status >= 0) connection.file = static_cast<nfsfh*>(data);
  if (status < 0 ||
      nfs_fstat64_async(context, connection.file, &Connection::on_version, self) < 0) {
    connection.fail_by(-status);
  }
}

void NfsFile::Connection::on_version(int status, nfs_context*, void* data, void* self) {
  auto& connection = *static_cast<Connection*>(self);
  if (connection.is_over()) return;
  if (status < 0) return connection.fail_by(-status);
  const auto& told = *static_cast<const nfs_stat_64*>(data);
  const auto modified_ns = told.nfs_mtime * kSecondNs + told.nfs_mtime_nsec;
  connection.opened({told.nfs_size, told.nfs_ino, modified_ns});
}

void NfsFile::Connection::answered(int status, nfs_context* context, void* data, void* call) {
  auto& one = *static_cast<Call*>(call);
  auto& connection = *one.connection;
  if (connection.is_over()) return;
  // libnfs's codes for a lost connection and a cancelled request.
  if (status == -EFAULT || status == -EINTR) return connection.fail_by(-status);
  const Read done = std::move(one.done);
  const size_t most = one.count;
  connection.calls.erase(one.self);
  if (status < 0) return done(failure_of(-status, nfs_get_error(context)));
  done(std::span(static_cast<const uint8_t*>(data), std::min(static_cast<size_t>(status), most)));
}

// --- NfsFile -------------------------------------------------------------------------------------

NfsFile::NfsFile(Loop& loop, const FileAddress& address, Opened opened, Failed failed)
    : connection_(
          std::make_unique<Connection>(loop, address, std::move(opened), std::move(failed))) {}

NfsFile::~NfsFile() = default;

void NfsFile::read(uint64_t offset, size_t count, Read done) {
  connection_->read(offset, count, std::move(done));
}

int64_t NfsFile::heard_ns() const {
  return connection_->heard_ns;
}

}  // namespace sail
