// A connection to one disk server (PROTOCOL.md, "Disk servers"), made when something is asked for
// and made anew when it was lost. Both ends prove the wall's key before anything else. Many
// requests are under way at a time; others wait for their turn. When the connection breaks or falls
// silent, all of them fail, and others fail at once until the next connection is there: nobody
// waits for a disk server that is known to be away. Thread: the loop's.
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

#include "sail/net/loop.h"
#include "sail/net/proof.h"
#include "sail/net/tcp.h"
#include "sail/net/wall_key.h"
#include "sail/storage/depot_loads.h"
#include "sail/wire/disk_messages.h"

namespace sail {

struct DiskAnswer {
  LoadOutcome outcome;
  DiskStored stored{};  // of stores, writes and keeps
};

class DiskLink : private TcpReader {
 public:
  using Done = std::function<void(const DiskAnswer&)>;
  struct Options {
    std::optional<WallKey> key = {};  // to prove; nothing: key_for() the server
    // Nothing comes for that long though something is due: the connection is lost.
    int64_t silence_ms = 1000;
  };

  // on_change: what welcome() or is_coming() gives is another one.
  DiskLink(Loop& loop, Address disk, Options options, std::function<void()> on_change);
  ~DiskLink() override;
  DiskLink(const DiskLink&) = delete;
  DiskLink& operator=(const DiskLink&) = delete;

  // What `read` brings goes to `room`, which is as large as is read. Destroying what is returned
  // cancels: then `done` does not come. `done` never comes from within.
  std::shared_ptr<void> ask(const DiskMessage& message, std::span<uint8_t> room, Done done);
  // The same with the number of a store that was answered.
  std::shared_ptr<void> go_on(uint32_t number, const DiskMessage& message, Done done);
  // Of the last ask().
  uint32_t number() const { return number_; }
  // Requests that wait for their answers, or to be sent.
  size_t under_way() const { return asked_.size() + waiting_.size(); }
  // Connects, unless it has, or failed to a moment ago.
  void connect();
  // Nothing while it is not let in.
  const std::optional<DiskWelcome>& welcome() const { return welcome_; }
  // Whether it may be let in yet.
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
  std::optional<ControlProof> proof_;  // while it is being proved
  bool proved_ = false;                // by the disk server
  std::optional<DiskWelcome> welcome_;
  std::optional<Error> away_;  // why the last connection was lost, until there is one again
  IbpFault away_fault_ = IbpFault::kPasses;
  int64_t tried_ns_ = 0;
  Timer refuse_;

  uint32_t number_ = 0;
  std::deque<std::shared_ptr<Request>> waiting_;
  std::list<std::shared_ptr<Request>> asked_;
  std::list<std::shared_ptr<Request>> refused_;  // not told of yet

  std::array<uint8_t, kDiskHeaderBytes> head_{};
  size_t head_bytes_ = 0;
  std::optional<DiskHeader> header_;
  std::vector<uint8_t> small_;         // bodies but those that are read
  std::shared_ptr<Request> arriving_;  // whose bytes come
  size_t body_bytes_ = 0;
  size_t progress_ = 0;  // since the silence began
};

}  // namespace sail
