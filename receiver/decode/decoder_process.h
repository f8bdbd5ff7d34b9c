// A process of vitrail-decoder, which decodes one carried stream. The receiver survives whatever
// the access units make the process do: the process has a sandbox and limits, its messages are
// checked, and it is killed if it does not answer. The kernel ends the process with the receiver.
//
// One thread at a time. The process ends with the thread that started it.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>

#include "receiver/decode/decoder_messages.h"
#include "receiver/frame/picture_memory.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/core/text/limits.h"

namespace receiver {

constexpr const char* kDecoderProgram = "vitrail-decoder";

class DecoderProcess {
 public:
  // Wide, because a node with twenty times more work than cores also slows a sound process down.
  struct Limits {
    int silent_ms = 15'000;                 // without a message
    int block_ms = sail::kDecodeTimeoutMs;  // for the units of one frame
  };

  // program: searched in PATH if it has no slash. The memory must outlive the object.
  static sail::Result<std::unique_ptr<DecoderProcess>> start(const std::string& program,
                                                             codecs::CodecId codec,
                                                             sail::Size frame_size,
                                                             const PictureMemory& memory,
                                                             const Limits& limits);
  // Kills the process.
  ~DecoderProcess();
  DecoderProcess(const DecoderProcess&) = delete;
  DecoderProcess& operator=(const DecoderProcess&) = delete;

  // Decodes `unit_bytes` of memory.units(), with this number of units, into a place of the memory.
  // Blocks. A stop, which any thread may request, ends the process. After an error, which says how
  // the process ended, the object is useless.
  sail::Result<DecodeReply> decode(size_t unit_bytes, size_t units, size_t place,
                                   const std::stop_token& stop);
  pid_t pid() const { return pid_; }

 private:
  DecoderProcess(int socket, pid_t pid, const Limits& limits);
  sail::Result<DecoderMessage> receive(int64_t until_ns);
  // Kills the process. Returns `why`, or how the process had ended before.
  sail::Error end(const std::string& why);

  const int socket_;
  pid_t pid_;  // 0: ended
  const Limits limits_;
  uint64_t requests_ = 0;
};

}  // namespace receiver
