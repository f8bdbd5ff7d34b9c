#include "sail/core/socket/tls_stream.h"

#include <algorithm>
#include <utility>

#include "sail/core/loop/handle.h"

namespace sail {
namespace {

constexpr size_t kChunkRecords = 16;
// Chunks of a connection in flight: the system has data to send while the loop does other work.
constexpr size_t kMostChunks = 2;
constexpr size_t kMostDoneFirst = 1024;           // completed writes kept at the front of the queue
constexpr size_t kMostHandshakeBytes = 16 << 10;  // from a peer; usually less than 2 KiB

}  // namespace

TlsStream::TlsStream(TcpConnection::Impl& connection, TlsSession::Side side)
    : connection_(connection), session_(connection.loop().impl().tls_context(), side, loose_) {}

// ---- reading ----

void TlsStream::begin(std::function<void(Result<void>)> shaken) {
  on_shaken_ = std::move(shaken);
  connection_.read_socket();
  take_input();
}

std::span<uint8_t> TlsStream::room() {
  return connection_.loop().impl().tls_room();
}

void TlsStream::received(size_t bytes) {
  if (!shaken_) handshake_bytes_ += bytes;
  session_.set_input(connection_.loop().impl().tls_room().first(bytes));
  take_input();
  // All input was read, unless the reader has stopped.
  const std::span<const uint8_t> left = session_.input();
  held_.assign(left.begin(), left.end());
  session_.set_input(held_);
}

void TlsStream::resume() {
  if (!reads()) return;
  take_input();
  if (reads()) connection_.read_socket();
}

bool TlsStream::reads() const {
  return connection_.reader != nullptr && !connection_.closing();
}

void TlsStream::take_input() {
  while (!connection_.closing()) {
    if (shaken_ ? !give_to_reader() : !shake()) return;
  }
}

bool TlsStream::shake() {
  const Result<bool> done = session_.handshake();
  send_loose();
  if (!done) {
    connection_.end(done.error());
    return false;
  }
  if (!*done) {
    if (handshake_bytes_ > kMostHandshakeBytes) {
      connection_.end({ErrorCode::kLimit, "the TLS handshake is too long"});
    }
    return false;
  }
  shaken_ = true;
  if (on_shaken_) {
    connection_.stop_socket();  // until there is a reader
    std::exchange(on_shaken_, nullptr)({});
  }
  if (!connection_.closing()) pump();
  return true;
}

bool TlsStream::give_to_reader() {
  if (!reads()) return false;
  const Result<size_t> size = session_.read(connection_.reader->read_buffer());
  send_loose();
  if (!size) {
    connection_.end(size.error());
    return false;
  }
  if (*size == 0) return false;
  connection_.reader->on_read(*size);
  return true;
}

void TlsStream::ended(const Error& error) {
  if (on_shaken_) std::exchange(on_shaken_, nullptr)(error);
}

// ---- writing ----

void TlsStream::write(std::unique_ptr<Write> write) {
  for (const std::span<const uint8_t>& part : write->parts) queued_bytes_ += part.size();
  queue_.push_back(std::move(write));
  pump();
}

void TlsStream::shut() {
  shutting_ = true;
  pump();
}

void TlsStream::take_leave() {
  const bool all_gone =
      queued_bytes_ == 0 && uv_stream_get_write_queue_size(connection_.stream()) == 0;
  if (all_gone && !connection_.loop().impl().closing) send_close_notify();
}

void TlsStream::send_close_notify() {
  if (failed_ || std::exchange(close_notify_sent_, true)) return;
  session_.close();
  send_loose();
}

void TlsStream::pump() {
  while (shaken_ && !failed_ && first_ < queue_.size() && chunks_out_ < kMostChunks) {
    auto chunk = take_chunk();
    failed_ = !fill(*chunk);
    failed_ ? fail_soon(std::move(chunk), UV_EPROTO) : send(std::move(chunk));
  }
  // A queue that never becomes empty must not grow at its front.
  if (first_ == queue_.size() || first_ > kMostDoneFirst) {
    queue_.erase(queue_.begin(), queue_.begin() + static_cast<ptrdiff_t>(std::exchange(first_, 0)));
  }
  if (shutting_ && (queue_.empty() || !shaken_)) finish_shut();
}

bool TlsStream::fill(Chunk& chunk) {
  constexpr size_t kFrameBytes = 64;  // of a record, with a KeyUpdate before it
  chunk.records.reserve(std::min(queued_bytes_, kChunkRecords * kTlsRecordBytes) +
                        kChunkRecords * kFrameBytes);
  for (size_t record = 0; record < kChunkRecords && first_ < queue_.size(); ++record) {
    const auto text = next_text(chunk.whole);
    if (!text.empty() && !session_.write(text, chunk.records)) return false;
  }
  return true;
}

std::span<const std::span<const uint8_t>> TlsStream::next_text(
    std::vector<std::unique_ptr<Write>>& whole) {
  std::vector<std::span<const uint8_t>>& text = connection_.loop().impl().tls_text;
  text.clear();
  size_t room = kTlsRecordBytes;
  // Collect all writes that end in this record, so that none waits for a later record.
  while (first_ < queue_.size()) {
    Write& write = *queue_[first_];
    if (write.next_part == write.parts.size()) {
      whole.push_back(std::move(queue_[first_++]));
      continue;
    }
    if (room == 0) break;
    std::span<const uint8_t>& part = write.parts[write.next_part];
    const std::span<const uint8_t> taken = part.first(std::min(part.size(), room));
    if (!taken.empty()) text.push_back(taken);
    room -= taken.size();
    queued_bytes_ -= taken.size();
    part = part.subspan(taken.size());
    if (part.empty()) ++write.next_part;
  }
  return text;
}

void TlsStream::send_loose() {
  if (loose_.empty()) return;
  auto chunk = take_chunk();
  chunk->records.assign(loose_.begin(), loose_.end());
  loose_.clear();
  send(std::move(chunk));
}

std::unique_ptr<TlsStream::Chunk> TlsStream::take_chunk() {
  if (free_chunks_.empty()) return std::make_unique<Chunk>();
  std::unique_ptr<Chunk> chunk = std::move(free_chunks_.back());
  free_chunks_.pop_back();
  return chunk;
}

void TlsStream::send(std::unique_ptr<Chunk> chunk) {
  const uv_buf_t buffer{reinterpret_cast<char*>(chunk->records.data()), chunk->records.size()};
  chunk->request.data = chunk.get();
  const auto on_sent = [](uv_write_t* request, int status) {
    auto& connection = block_of<TcpConnection::Impl>(request->handle);
    connection.tls->sent(std::unique_ptr<Chunk>(static_cast<Chunk*>(request->data)), status);
  };
  if (uv_write(&chunk->request, connection_.stream(), &buffer, 1, on_sent) == 0) {
    static_cast<void>(chunk.release());  // owned by libuv until sent()
    ++chunks_out_;
    return;
  }
  fail_soon(std::move(chunk), UV_EPIPE);
}

void TlsStream::fail_soon(std::unique_ptr<Chunk> chunk, int status) {
  ++chunks_out_;
  const auto unsent = std::make_shared<std::unique_ptr<Chunk>>(std::move(chunk));
  connection_.loop().post([weak = connection_.weak_from_this(), unsent, status] {
    if (const auto connection = weak.lock()) {
      return connection->tls->sent(std::move(*unsent), status);
    }
    for (const std::unique_ptr<Write>& write : (*unsent)->whole) {
      if (write->done) write->done(false);
    }
  });
}

void TlsStream::sent(std::unique_ptr<Chunk> chunk, int status) {
  --chunks_out_;
  std::vector<std::unique_ptr<Write>> whole = std::move(chunk->whole);
  chunk->records.clear();
  if (connection_.loop().impl().closing) return;
  for (std::unique_ptr<Write>& write : whole) connection_.complete(std::move(write), status == 0);
  whole.clear();
  chunk->whole = std::move(whole);  // kept for its capacity
  free_chunks_.push_back(std::move(chunk));
  if (status < 0) return connection_.broke(status);
  if (!connection_.closing()) pump();
}

void TlsStream::drop_writes() {
  std::exchange(on_shaken_, nullptr);
  std::vector<std::unique_ptr<Write>> dropped = std::exchange(queue_, {});
  const size_t first = std::exchange(first_, 0);
  queued_bytes_ = 0;
  if (connection_.loop().impl().closing) return;
  for (size_t i = first; i < dropped.size(); ++i)
    connection_.complete(std::move(dropped[i]), false);
}

void TlsStream::finish_shut() {
  shutting_ = false;
  send_close_notify();
  connection_.shut_socket();
}

}  // namespace sail
