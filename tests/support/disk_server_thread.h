// A disk server on its own thread.
#pragma once

#include <memory>
#include <utility>

#include "sail/apps/server/disk/disk_server.h"
#include "sail/media/storage/reading/loop_thread.h"

namespace test {

class DiskServerThread {
 public:
  // port 0: chosen by the system; else reuses the port of a former server.
  explicit DiskServerThread(server::DiskServerOptions options, uint16_t port = 0) {
    options.listen = {"127.0.0.1", port};
    thread_.run([&] {
      server_ = std::move(server::DiskServer::start(thread_.loop(), std::move(options),
                                                    sail::Log("test", sail::LogLevel::kOff))
                              .value());
      address_ = server_->address();
    });
  }
  ~DiskServerThread() { stop(); }
  DiskServerThread(const DiskServerThread&) = delete;
  DiskServerThread& operator=(const DiskServerThread&) = delete;

  // Stops at once, like a crash.
  void stop() {
    thread_.run([this] { server_.reset(); });
  }
  const sail::Address& address() const { return address_; }

 private:
  sail::LoopThread thread_;
  std::unique_ptr<server::DiskServer> server_;  // used on the thread only
  sail::Address address_;
};

}  // namespace test
