// What the files of this folder share about libuv's handles. Not for other folders.
//
// libuv keeps a pointer to a handle until the handle's close callback has run. So each handle lives
// in a block on the heap that owns itself from the handle's initialisation to its close callback;
// our public objects hold a second reference and may go at any time, even inside a callback.
#pragma once

#include <uv.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "sail/net/loop.h"
#include "sail/net/tls.h"

namespace sail {

// Ends the program with a message: for calls that only fail by our own mistake or without memory.
void require(int status, const char* what);

class HandleBlock {
 public:
  HandleBlock() = default;
  virtual ~HandleBlock() = default;
  HandleBlock(const HandleBlock&) = delete;
  HandleBlock& operator=(const HandleBlock&) = delete;

  // Called when libuv has let go of the handle: drops the callbacks, and with them whatever they
  // hold. Without this a callback that holds its own object would never be freed.
  virtual void drop_callbacks() {}

 private:
  friend void own_until_closed(std::shared_ptr<HandleBlock> block, uv_handle_t* handle);
  friend void close_handle(uv_handle_t* handle);
  std::shared_ptr<HandleBlock> self_;
};

// After the uv_…_init of a handle that lives in the block (also when libuv wants a failed one
// closed).
void own_until_closed(std::shared_ptr<HandleBlock> block, uv_handle_t* handle);
// No-op when it is closing already.
void close_handle(uv_handle_t* handle);

// The block of a handle, in a callback of libuv.
template <typename Block>
Block& block_of(const void* handle) {
  return *static_cast<Block*>(
      static_cast<HandleBlock*>(static_cast<const uv_handle_t*>(handle)->data));
}

// A library that has handles of its own on the loop, and needs the loop to turn while it goes.
class LoopGuest {
 public:
  virtual ~LoopGuest() = default;
  // Once a turn from leave_loop() on, until it says that it is gone.
  virtual bool leave() = 0;
};
void leave_loop(Loop& loop, std::shared_ptr<LoopGuest> guest);

struct Loop::Impl {
  uv_loop_t uv{};
  uv_async_t wakeup{};
  // In ~Loop: from now on callbacks are dropped instead of called.
  bool closing = false;

  // The door between threads: Loop::post and Loop::stop.
  std::mutex mutex;
  std::vector<std::function<void()>> tasks;
  bool stop_wanted = false;

  // What the loop's thread took out of `tasks`; kept for its capacity.
  std::vector<std::function<void()>> running;

  std::vector<std::shared_ptr<LoopGuest>> leaving;

  std::vector<uint8_t> read_buffer;  // see TcpConnection::shared_read_buffer()
  size_t lingering = 0;              // connections, see TcpConnection::close_after_writes()

  // Made when it is first needed.
  TlsContext& tls_context();
  std::unique_ptr<TlsContext> tls;
  // What a socket gave, and what makes the next record, of the connection whose turn it is.
  std::span<uint8_t> tls_room();
  std::vector<uint8_t> tls_input;
  std::vector<std::span<const uint8_t>> tls_text;

  void run_tasks();
  // False once all are gone.
  bool guests_leave();
};

inline Loop& loop_of(const uv_handle_t* handle) {
  return *static_cast<Loop*>(handle->loop->data);
}

}  // namespace sail
