// One film server's connection to a disk server (PROTOCOL.md, "Disk servers"): authentication, then
// reads and stores. Thread: the loop's.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sail/apps/server/disk/disk_parts.h"
#include "sail/apps/server/disk/disk_stores.h"
#include "sail/apps/server/playout/film_storage.h"
#include "sail/core/auth/key_guard.h"
#include "sail/core/auth/proof.h"
#include "sail/core/loop/loop.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/wire/data/disk_messages.h"

namespace server {

class DiskSession : public sail::TcpReader, public std::enable_shared_from_this<DiskSession> {
 public:
  // State and callbacks shared by all sessions. Must outlive them.
  struct Host {
    sail::Loop& loop;
    std::string folder;
    std::shared_ptr<FilmStorage> storage;
    sail::KeyGuard& guard;
    std::function<sail::Result<void>()>
        admit;  // checks whether one more authenticated session is allowed
    std::function<sail::DiskWelcome()> welcome;
    std::function<void()> on_kept;  // a part has been completed
    std::function<void(uint64_t id, const std::string& why)>
        on_over;  // destroys the session, but not within the call
  };

  DiskSession(Host& host, uint64_t id, std::unique_ptr<sail::TcpConnection> connection,
              int64_t hello_ms);
  ~DiskSession() override;

  // Starts to read requests.
  void begin();
  bool is_in() const { return in_; }
  sail::Address peer() const { return peer_; }

 private:
  struct Wanted {
    uint32_t number = 0;
    sail::DiskRead read;
  };
  // A part open for reading.
  struct Part {
    std::shared_ptr<StreamBytes> bytes;
    std::vector<Wanted> waiting;  // reads that wait until the part is open
    std::shared_ptr<void> opening;
  };
  struct Reading;

  std::span<uint8_t> read_buffer() override;
  void on_read(size_t bytes) override;
  void on_closed(const sail::Error& error) override;

  void take(const sail::DiskHeader& header);
  void take_first(const sail::DiskMessage& message);
  void answer_ask(const sail::DiskAsk& ask);
  void let_in(const std::string& key);
  void begin_read(uint32_t number, sail::DiskRead read);
  void read_part(uint32_t number, const sail::DiskRead& read, const Part& part);
  void read_done(uint32_t number, const std::shared_ptr<Reading>& reading,
                 const sail::Result<void>& read);
  void fail(uint32_t number, const sail::Error& error);
  void answer(uint32_t number, const sail::DiskMessage& message);
  void refuse(const std::string& why, int64_t delay_ms = 0);
  void end(const std::string& why);

  Host& host_;
  const uint64_t id_;
  std::unique_ptr<sail::TcpConnection> connection_;
  const sail::Address peer_;
  sail::Timer timer_;  // time limit until authenticated, or delay before a refusal
  bool in_ = false;
  std::optional<sail::ControlProof> challenge_;

  std::array<uint8_t, sail::kDiskHeaderBytes> head_{};
  size_t head_bytes_ = 0;
  std::optional<sail::DiskHeader> header_;
  std::vector<uint8_t> body_;
  size_t body_bytes_ = 0;

  size_t requests_ = 0;  // requests without an answer yet
  const std::shared_ptr<std::atomic<bool>> unwanted_ = std::make_shared<std::atomic<bool>>(false);
  std::map<std::string, Part> parts_;
  DiskStores stores_;
};

}  // namespace server
