// Assembles frames from a stream's messages (TCP or packets), and reports them to a host.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "receiver/intake/frame_assembler.h"
#include "receiver/intake/message_reader.h"
#include "receiver/intake/shared_blocks.h"
#include "sail/core/wire/data/data_messages.h"
#include "sail/core/wire/data/packets.h"

namespace receiver {

class FrameIntake final : public MessageSink {
 public:
  class Host {
   public:
    virtual ~Host() = default;
    virtual void frame_whole(std::unique_ptr<Frame> frame) = 0;
    // Not all blocks of the frame arrived. The host must report it to the sender.
    virtual void frame_incomplete(std::unique_ptr<Frame> frame) = 0;
    // Packets of the frame were lost. The host must report that. `frame`: what arrived, or null.
    virtual void frame_lost(const FrameSource& source, const FrameKey& key,
                            std::unique_ptr<Frame> frame) = 0;
  };

  // The host must outlive this object.
  FrameIntake(const FrameSource& source, int frames_in_flight, Host& host);

  // Only messages of the stream's frames are valid; any other is an error.
  std::optional<sail::DataError> on_message(const sail::DataHeader& header,
                                            std::span<const uint8_t> body) override;
  sail::DataResult<std::span<uint8_t>> on_run(const sail::DataHeader& header,
                                              const sail::BlockRun& run,
                                              std::span<const uint32_t> lengths) override;
  std::optional<sail::DataError> on_run_filled() override;

  // Blocks may lie in memory that the sender hands over. Fails with kIo.
  sail::Result<sail::MemoryName> listen_for_memory();
  // Takes the memory; fails with a sentence for the sender.
  sail::Result<void> take_memory(const sail::MemoryOffer& offer);

  // The rest of the frame, or all of it, will not arrive.
  std::optional<sail::DataError> lose(const FrameKey& key);

  // Returns the frame that has begun and not ended; empty optional: none.
  const std::optional<sail::FrameBegin>& current() const { return current_; }
  // Returns the frame begun or lost last.
  FrameKey newest() const { return assembler_.newest(); }
  // Returns the frame that the next may build on; zeros: none.
  FrameKey whole() const { return assembler_.whole(); }

  void count_reported() { assembler_.count_reported(); }
  // Returns the number of frames begun or lost without a report to the peer.
  int unreported() const { return assembler_.unreported(); }
  void recycle(std::unique_ptr<Frame> frame) { assembler_.recycle(std::move(frame)); }

 private:
  std::optional<sail::DataError> on_frame_begin(std::span<const uint8_t> body);
  std::optional<sail::DataError> on_block_places(std::span<const uint8_t> body);
  std::optional<sail::DataError> on_frame_end(std::span<const uint8_t> body);

  const FrameSource source_;
  Host& host_;
  FrameAssembler assembler_;
  std::optional<sail::FrameBegin> current_;
  std::unique_ptr<SharedBlocks> shared_;  // null: the sender did not ask for it
  std::vector<sail::BlockPlace> places_;  // these two are kept for their capacity
  std::vector<uint32_t> lengths_;
};

// Parses the messages of frames that arrive as packets. The packets name the frame; messages of
// other frames are errors. Pure, except for the assembly time, which comes from the clock.
class PacketFrames {
 public:
  // The intake must outlive this object.
  explicit PacketFrames(FrameIntake& intake) : intake_(intake), reader_(intake) {}

  // Take a frame's next bytes, its end, or the loss of its rest. An error ends the connection.
  std::optional<sail::DataError> take(const sail::FrameName& name, std::span<const uint8_t> bytes);
  std::optional<sail::DataError> complete(const sail::FrameName& name);
  std::optional<sail::DataError> lose(const sail::FrameName& name);

 private:
  FrameIntake& intake_;
  MessageReader reader_;
  FrameKey before_;  // the frame before the one being read
};

}  // namespace receiver
