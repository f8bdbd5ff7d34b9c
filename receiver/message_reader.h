// Cuts a data connection's bytes into messages. Asks for exactly the bytes that it needs next, so
// that the bytes of pixel blocks go straight from the socket to their place. Pure.
//
// Takes only the messages that a receiver may get; the first error ends the session.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "sail/wire/data_messages.h"

namespace receiver {

class MessageSink {
 public:
  virtual ~MessageSink() = default;
  // A whole message other than a block run.
  virtual std::optional<sail::DataError> on_message(const sail::DataHeader& header,
                                                    std::span<const uint8_t> body) = 0;
  // A run's head: where do its bytes go? As many as the lengths say, and at least one.
  virtual sail::DataResult<std::span<uint8_t>> on_run(const sail::DataHeader& header,
                                                      const sail::BlockRun& run,
                                                      std::span<const uint32_t> lengths) = 0;
  // They are all there.
  virtual std::optional<sail::DataError> on_run_filled() = 0;
};

class MessageReader {
 public:
  // The sink must outlive this.
  explicit MessageReader(MessageSink& sink) : sink_(sink) { expect_header(); }
  MessageReader(const MessageReader&) = delete;
  MessageReader& operator=(const MessageReader&) = delete;

  // As if nothing had come: what is half read is forgotten.
  void reset() { expect_header(); }
  // The next byte is a message's first.
  bool between_messages() const {
    return state_ == State::kHeader && wanted_.size() == sail::kDataHeaderBytes;
  }
  // Where the next bytes go; never empty.
  std::span<uint8_t> read_buffer() { return wanted_; }
  // That many bytes of read_buffer() were filled. At most one call of the sink comes out of it, as
  // the last thing done.
  std::optional<sail::DataError> on_read(size_t bytes);

 private:
  enum class State { kHeader, kBody, kRunFixed, kRunLengths, kRunBytes };

  // What is to be done when the buffer is full.
  void expect(State state, std::span<uint8_t> buffer);
  void expect_header();
  std::optional<sail::DataError> on_header();
  std::optional<sail::DataError> on_run_fixed();
  std::optional<sail::DataError> on_run_lengths();

  MessageSink& sink_;
  State state_{};
  std::span<uint8_t> wanted_;  // of the buffer, what is not filled yet
  sail::DataHeader header_;
  sail::BlockRun run_;
  std::array<uint8_t, sail::kDataHeaderBytes> buffer_;
  // The longest message that a receiver may get, block runs apart, is one of sound.
  std::array<uint8_t, sail::kSoundFixedBytes + sail::kMaxSoundBytes> body_;
  std::array<uint32_t, sail::kMaxBlocksPerSide> lengths_;
  std::array<uint8_t, sizeof(uint32_t) * sail::kMaxBlocksPerSide> length_bytes_;
};

}  // namespace receiver
