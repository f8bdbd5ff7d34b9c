// The disk server: stores parts of films and serves them to film servers on other hosts. Many reads
// are in flight; all readers of a part share one open file. Thread: the loop's; reads run on
// FilmStorage's threads.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "sail/apps/server/disk/disk_session.h"
#include "sail/core/auth/key_guard.h"
#include "sail/core/base/log.h"
#include "sail/core/base/rate_limited_log.h"
#include "sail/core/loop/loop.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/text/limits.h"

namespace server {

struct DiskServerOptions {
  std::string folder;
  sail::Address listen{"127.0.0.1", sail::kDefaultDiskServerPort};
  sail::WallKey key = {};  // without a secret: no authentication
  sail::TlsUse tls = sail::tls_use();
  double peak_mb_per_s = 0;  // read rate of the folder's disk; 0: measured
  int64_t hello_ms = sail::kHelloTimeoutMs;
  FilmStorage::Open open = {};  // opens parts for reading; empty: as a File
};

class DiskServer {
 public:
  // Listens. kNotFound: the folder does not exist. Other errors are those of TcpListener::listen().
  static sail::Result<std::unique_ptr<DiskServer>> start(sail::Loop& loop,
                                                         DiskServerOptions options,
                                                         const sail::Log& log);
  // Waits for the reads in progress.
  ~DiskServer();
  DiskServer(const DiskServer&) = delete;
  DiskServer& operator=(const DiskServer&) = delete;

  sail::Address address() const { return listener_->address(); }

 private:
  DiskServer(sail::Loop& loop, DiskServerOptions options, const sail::Log& log);
  sail::Result<void> listen();
  void accept(std::unique_ptr<sail::TcpConnection> connection);
  void over(uint64_t id, const std::string& why);
  void measure();

  sail::Loop& loop_;
  const DiskServerOptions options_;
  const sail::Log log_;
  sail::RateLimitedLog rate_limited_log_;
  sail::Timer flush_timer_;  // flushes rate_limited_log_
  sail::KeyGuard guard_;
  const std::shared_ptr<int> alive_ = std::make_shared<int>(0);
  DiskSession::Host host_;
  double peak_mb_per_s_;
  std::shared_ptr<void> measuring_;
  uint64_t next_id_ = 1;
  std::map<uint64_t, std::shared_ptr<DiskSession>> sessions_;  // by id, so the oldest comes first
  std::unique_ptr<sail::TcpListener> listener_;
};

}  // namespace server
