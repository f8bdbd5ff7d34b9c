// A connection to one disk server (PROTOCOL.md, "Disk servers"). It connects on the first request
// and reconnects after a loss. Both ends prove the wall's key first. Many requests are in flight;
// others are queued. When the connection breaks or falls silent, all requests fail, and new ones
// fail at once until the next connection is established, so that no caller waits for a disk server
// known to be away. Thread: the loop's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sail/core/auth/proof.h"
#include "sail/core/auth/wall_key.h"
#include "sail/core/loop/loop.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/wire/data/disk_messages.h"
#include "sail/media/storage/ibp/depot_loads.h"

namespace sail {

struct DiskAnswer {
  LoadOutcome outcome;
  DiskStored stored{};  // for store, write and keep requests
};

class DiskLink : private TcpReader {
 public:
  using Done = std::function<void(const DiskAnswer&)>;
  struct Options {
    std::optional<WallKey> key = {};  // the key to prove; empty: key_for() the server
    // The connection is lost if nothing arrives for this long while answers are due.
    int64_t silence_ms = 1000;
  };

  // on_change: welcome() or is_coming() may have changed.
  DiskLink(Loop& loop, Address disk, Options options, std::function<void()> on_change);
  ~DiskLink() override;
  DiskLink(const DiskLink&) = delete;
  DiskLink& operator=(const DiskLink&) = delete;

  // The data of a `read` goes to `room`, whose size is that of the read. Destroying the returned
  // handle cancels the request: `done` is then not called. `done` is never called from within
  // ask().
  std::shared_ptr<void> ask(const DiskMessage& message, std::span<uint8_t> room, Done done);
  // Like ask(), with the number of a store that was answered.
  std::shared_ptr<void> go_on(uint32_t number, const DiskMessage& message, Done done);
  // The number of the last ask().
  uint32_t number() const { return number_; }
  // Requests that are queued or wait for their answers.
  size_t under_way() const { return asked_.size() + waiting_.size(); }
  // Connects, unless connected, connecting, or failed a moment ago.
  void connect();
  // Empty until authenticated.
  const std::optional<DiskWelcome>& welcome() const { return welcome_; }
  // True while connecting or authenticating.
  bool is_coming() const { return !welcome_ && (connecting_ || connection_); }

 private:
  struct Request;
  struct Ticket;

  std::shared_ptr<void> put(uint32_t number, const DiskMessage& message, std::span<uint8_t> room,
                            Done done);
  void greet(std::unique_ptr<TcpConnection> connection);
  void send_waiting();
  void wait();

  std::span<uint8_t> read_buffer() override;
  void on_read(size_t bytes) override;
  void on_closed(const Error& error) override;
  void begin_body();
  void end_message();
  void answer_challenge(const DiskChallenge& challenge);
  void be_welcome(const DiskWelcome& welcome);
  void answered(uint32_t number, const DiskMessage& message);
  std::shared_ptr<Request> due(uint32_t number) const;
  void finish(const std::shared_ptr<Request>& request, const DiskAnswer& answer);
  static void fail_all(const std::list<std::shared_ptr<Request>>& requests, const Error& error,
                       IbpFault fault);
  void lose(ErrorCode code, const std::string& words, IbpFault fault = IbpFault::kPasses);

  Loop& loop_;
  const Address disk_;
  const Options options_;
  const std::function<void()> on_change_;
  Timer silence_;
  std::shared_ptr<void> connecting_;
  std::unique_ptr<TcpConnection> connection_;
  std::optional<ControlProof> proof_;  // set if this program has a key
  bool proved_ = false;                // the disk server proved its key
  std::optional<DiskWelcome> welcome_;
  std::optional<Error> away_;  // why the last connection was lost; empty once connected again
  IbpFault away_fault_ = IbpFault::kPasses;
  int64_t tried_ns_ = 0;
  Timer refuse_;

  uint32_t number_ = 0;
  std::deque<std::shared_ptr<Request>> waiting_;
  std::list<std::shared_ptr<Request>> asked_;
  std::list<std::shared_ptr<Request>> refused_;  // failed, but `done` not called yet

  std::array<uint8_t, kDiskHeaderBytes> head_{};
  size_t head_bytes_ = 0;
  std::optional<DiskHeader> header_;
  std::vector<uint8_t> small_;         // the body of any message that is not read data
  std::shared_ptr<Request> arriving_;  // the request whose data is arriving
  size_t body_bytes_ = 0;
  size_t progress_ = 0;  // bytes received since the timeout was restarted
};

}  // namespace sail
