// The program: decodes and shows the received video and plays its sound, until either side ends.
// Runs on one thread; the link and libsail have their own threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sail/apps/guest/guest_chunks.h"
#include "sail/apps/guest/guest_link.h"
#include "sail/apps/program/even_times.h"
#include "sail/apps/program/program_shell.h"
#include "sail/apps/program/wall_window.h"
#include "sail/media/ffmpeg/media_source_chunks.h"
#include "sail/media/ffmpeg/sound/media_source_opus.h"

namespace sail {

// Decodes the sound of a shared page and submits it with its presentation time. One thread.
class SharedSound {
 public:
  // Returns an error if too many consecutive packets cannot be decoded.
  Result<void> play(const QueuedSound& sound, WallWindow& window);

 private:
  std::unique_ptr<OpusDecoder> decoder_;  // null before the first packet
  EvenTimes times_;
  int failures_ = 0;
};

class GuestShow final : ProgramShell {
 public:
  using OpenLink = std::function<Result<std::unique_ptr<GuestLink>>()>;
  GuestShow(const char* name, const ShellOptions& options, OpenLink open);

  // Returns the exit code.
  int run();

 private:
  static constexpr int64_t kSettleNs = 200'000'000;
  static constexpr int kMostFailures = 30;  // chunks from a key frame on, without a decoded picture

  Result<void> begin();
  void take_chunks();
  void take_sounds();
  Result<void> decode(const QueuedChunk& chunk);
  void show();
  Result<void> open_window();
  void obey(const sail_event& event) override;
  // Ends the program and sends the sender the reason.
  void fail_for(const std::string& why);

  const ShellOptions options_;
  const OpenLink open_;
  std::unique_ptr<GuestLink> link_;
  std::vector<QueuedChunk> chunks_;  // received in one step
  ChunkGate gate_;
  std::unique_ptr<ChunkDecoder> decoder_;  // null: nothing can be decoded yet
  uint32_t format_ = 0;                    // format that decoder_ decodes
  int failures_ = 0;
  std::optional<Picture> picture_;  // the newest picture
  bool dirty_ = false;              // the picture is not on the wall yet
  SharedSound sound_;
};

}  // namespace sail
