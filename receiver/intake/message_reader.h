// Parses a data connection's byte stream into messages. Requests exactly the bytes that it needs
// next, so that blocks go straight from the socket to their destination. Pure.
//
// Accepts only messages that a receiver may get. The first error ends the session.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "sail/core/wire/data/data_messages.h"

namespace receiver {

class MessageSink {
 public:
  virtual ~MessageSink() = default;
  // A complete message other than a block run.
  virtual std::optional<sail::DataError> on_message(const sail::DataHeader& header,
                                                    std::span<const uint8_t> body) = 0;
  // The header of a block run arrived. Returns the buffer for its bytes, the sum of the lengths.
  virtual sail::DataResult<std::span<uint8_t>> on_run(const sail::DataHeader& header,
                                                      const sail::BlockRun& run,
                                                      std::span<const uint32_t> lengths) = 0;
  // All bytes of the run arrived.
  virtual std::optional<sail::DataError> on_run_filled() = 0;
};

class MessageReader {
 public:
  // The sink must outlive the reader.
  explicit MessageReader(MessageSink& sink) : sink_(sink) { expect_header(); }
  MessageReader(const MessageReader&) = delete;
  MessageReader& operator=(const MessageReader&) = delete;

  // Discards a partial message; the next byte begins a new one.
  void reset() { expect_header(); }
  // Returns true if the next byte begins a message.
  bool between_messages() const {
    return state_ == State::kHeader && wanted_.size() == sail::kDataHeaderBytes;
  }
  // Returns the buffer for the next bytes; never empty.
  std::span<uint8_t> read_buffer() { return wanted_; }
  // read_buffer() was filled with this many bytes. Calls the sink at most once, as its last action.
  std::optional<sail::DataError> on_read(size_t bytes);

 private:
  enum class State { kHeader, kBody, kRunFixed, kRunLengths, kRunBytes };

  // Sets the buffer to fill next and what it will contain.
  void expect(State state, std::span<uint8_t> buffer);
  void expect_header();
  std::optional<sail::DataError> on_header();
  std::optional<sail::DataError> on_run_fixed();
  std::optional<sail::DataError> on_run_lengths();

  MessageSink& sink_;
  State state_{};
  std::span<uint8_t> wanted_;  // the rest of the buffer, not filled yet
  sail::DataHeader header_;
  sail::BlockRun run_;
  std::array<uint8_t, sail::kDataHeaderBytes> buffer_;
  // The longest message, apart from block runs, names the places of a row of blocks.
  std::array<uint8_t, sail::block_places_bytes(sail::kMaxBlocksPerSide)> body_;
  std::array<uint32_t, sail::kMaxBlocksPerSide> lengths_;
  std::array<uint8_t, sizeof(uint32_t) * sail::kMaxBlocksPerSide> length_bytes_;
};

}  // namespace receiver
