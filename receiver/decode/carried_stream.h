// The receiver's side of a carried stream: lets a process decode its access units, and starts the
// process again if it ends or hangs. Then, decoding begins at a key picture, so the stream's sender
// must send the units since the last one again.
//
// One thread at a time; time is steady.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

#include "receiver/decode/decoder_process.h"
#include "receiver/frame/decoded_blocks.h"
#include "sail/core/wire/data/access_units.h"

namespace receiver {

class CarriedStream final : public DecoderState {
 public:
  struct Options {
    std::string program;  // vitrail-decoder
    DecoderProcess::Limits limits{};
  };
  // The memory must outlive this object.
  CarriedStream(codecs::CodecId codec, sail::Size frame_size, const PictureMemory& memory,
                Options options);

  struct Decoded {
    CarriedOutcome outcome = CarriedOutcome::kNone;
    std::string why{};              // why there is no picture; follows "one", see fault_text()
    bool needs_key = false;         // the next frame must have no base
    bool lost_its_decoder = false;  // `why` says how
  };
  // Decodes the units of a frame's block. A new picture is in `plain`, which must be a place of the
  // memory. To be called for each frame, in order. Blocks while the process works; a stop, which
  // any thread may request, ends the process, and the stream with it.
  Decoded decode(std::span<const uint8_t> block, PlainBlock& plain, int64_t now_ns,
                 const std::stop_token& stop = {});
  // The process; 0: there is none.
  pid_t pid() const { return process_ ? process_->pid() : 0; }

 private:
  // Starts the process if the units allow it. Returns why not.
  std::optional<Decoded> begin(const sail::UnitsBlock& units, int64_t now_ns);
  Decoded lose(const sail::Error& error, int64_t now_ns);
  // Whether to ask for a key picture now.
  bool ask(int64_t now_ns);

  const codecs::CodecId codec_;
  const sail::Size frame_size_;
  const PictureMemory& memory_;
  const Options options_;
  std::unique_ptr<DecoderProcess> process_;
  int losses_ = 0;  // in quick succession
  int64_t started_ns_ = 0;
  int64_t retry_ns_ = 0;  // the process is not started before this time
  int64_t ask_ns_ = 0;    // a key picture is not asked for before this time
};

}  // namespace receiver
