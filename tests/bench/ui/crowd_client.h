// One of many UI clients: follows the manager's state with minimal work, so that a crowd of clients
// in one thread measures the manager and not itself. Runs on the loop thread.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/socket/tcp.h"
#include "sail/core/wire/rpc.h"
#include "tests/support/wall_state.h"

namespace bench {

// Parses notifications "changed", which all clients get alike, once for all of them.
class CrowdChanges {
 public:
  // Returns the parameters; null: the line is invalid.
  std::shared_ptr<const sail::Json> read(std::string_view line);

 private:
  struct Known {
    std::string line;
    std::shared_ptr<const sail::Json> params;
  };
  std::deque<Known> known_;  // The latest lines.
};

class CrowdClient : private sail::TcpReader {
 public:
  struct Handlers {
    std::function<void()> on_ready;  // the state is known
    std::function<void(const sail::Json& params)> on_changed;
    std::function<void(const sail::Error&)> on_error;  // an error reply, or the end of the session
  };
  // changes must outlive this object.
  CrowdClient(sail::Loop& loop, const sail::Address& manager, CrowdChanges& changes,
              Handlers handlers);

  // Sends a request without waiting for the answer.
  void send(std::string_view method, const sail::Json& params);

  bool ready() const { return ready_; }
  bool lost() const { return !connection_; }
  // Applies what was received until now: costly.
  const test::WallState& state();
  uint64_t changed_bytes() const { return changed_bytes_; }
  uint64_t gaps() const { return gaps_; }

 private:
  void connected(sail::Result<std::unique_ptr<sail::TcpConnection>> connection);
  std::span<uint8_t> read_buffer() override { return buffer_; }
  void on_read(size_t bytes) override;
  void on_closed(const sail::Error& error) override;
  void hear(std::string_view line);
  void hear_changed(std::string_view line);
  void begin(std::string_view state);
  void subscribe();

  CrowdChanges& changes_;
  Handlers handlers_;
  std::shared_ptr<void> connecting_;
  std::unique_ptr<sail::TcpConnection> connection_;
  std::array<uint8_t, 65536> buffer_{};
  sail::LineFramer framer_;
  test::WallState state_;
  std::string answer_;                                    // state to begin with; empty: in state_
  std::vector<std::shared_ptr<const sail::Json>> later_;  // changes that state_ lacks
  uint64_t revision_ = 0;
  bool ready_ = false;
  int64_t next_id_ = 1;
  int64_t subscribing_ = 0;  // id of the pending request
  uint64_t changed_bytes_ = 0;
  uint64_t gaps_ = 0;
};

}  // namespace bench
