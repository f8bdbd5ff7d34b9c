// Shared helpers for libuv handles; for sail/core only.
//
// libuv keeps a pointer to a handle until the handle's close callback has run. So each handle lives
// in a heap block that owns itself from the handle's initialisation to its close callback. Our
// public objects hold a second reference and may be destroyed at any time, even inside a callback.
#pragma once

#include <uv.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "sail/core/loop/loop.h"
#include "sail/core/tls/tls.h"

namespace sail {

// Aborts with a message on a negative status. For calls that fail only by a programming error or
// without memory.
void require(int status, const char* what);

class HandleBlock {
 public:
  HandleBlock() = default;
  virtual ~HandleBlock() = default;
  HandleBlock(const HandleBlock&) = delete;
  HandleBlock& operator=(const HandleBlock&) = delete;

  // Called when libuv has closed the handle. Drops the callbacks and everything that they own;
  // otherwise a callback that owns its own object would never be freed.
  virtual void drop_callbacks() {}

 private:
  friend void own_until_closed(std::shared_ptr<HandleBlock> block, uv_handle_t* handle);
  friend void close_handle(uv_handle_t* handle);
  std::shared_ptr<HandleBlock> self_;
};

// Call after uv_…_init of a handle in the block, also after a failed one if libuv requires that the
// handle is closed.
void own_until_closed(std::shared_ptr<HandleBlock> block, uv_handle_t* handle);
// Does nothing if the handle is closing already.
void close_handle(uv_handle_t* handle);

// Returns the block of a handle, in a libuv callback.
template <typename Block>
Block& block_of(const void* handle) {
  return *static_cast<Block*>(
      static_cast<HandleBlock*>(static_cast<const uv_handle_t*>(handle)->data));
}

// A library with its own handles on the loop that needs loop iterations to shut down.
class LoopGuest {
 public:
  virtual ~LoopGuest() = default;
  // Called once per loop iteration after leave_loop(), until it returns true (shut down).
  virtual bool leave() = 0;
};
void leave_loop(Loop& loop, std::shared_ptr<LoopGuest> guest);

struct Loop::Impl {
  uv_loop_t uv{};
  uv_async_t wakeup{};
  // Set in ~Loop: callbacks are then dropped instead of called.
  bool closing = false;

  // Shared between threads: used by Loop::post and Loop::stop.
  std::mutex mutex;
  std::vector<std::function<void()>> tasks;
  bool stop_wanted = false;

  // Tasks taken out of `tasks` by the loop's thread; kept for its capacity.
  std::vector<std::function<void()>> running;

  std::vector<std::shared_ptr<LoopGuest>> leaving;

  std::vector<uint8_t> read_buffer;  // see TcpConnection::shared_read_buffer()
  size_t lingering = 0;              // connections, see TcpConnection::close_after_writes()

  // Created on first use.
  TlsContext& tls_context();
  std::unique_ptr<TlsContext> tls;
  // Scratch buffers for the current connection: socket input, and parts of its next record.
  std::span<uint8_t> tls_room();
  std::vector<uint8_t> tls_input;
  std::vector<std::span<const uint8_t>> tls_text;

  std::shared_ptr<void> tcp_writes;  // see TcpConnection::Impl::free_writes()

  void run_tasks();
  // Returns false once all guests are gone.
  bool guests_leave();
};

inline Loop& loop_of(const uv_handle_t* handle) {
  return *static_cast<Loop*>(handle->loop->data);
}

}  // namespace sail
