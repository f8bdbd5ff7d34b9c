// Encodes a batch of pictures on several threads, block by block. For lossy JPEG 2000 with a rate,
// each picture's quantiser step is searched on a sample of its blocks; then all blocks are encoded
// with it (StepSearch).
//
// A thread that finds no work waits until the last blocks of a sample are done, because the next
// step depends on them. A mutex guards this state: the threads are WorkerPool items without a queue
// of their own.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "sail/media/film/step_search.h"
#include "sail/media/source/film_time.h"
#include "sail/media/source/picture_encoder.h"

namespace sail {

// Bytes per frame; empty: unlimited. Without a frame rate, kUsualFps is assumed.
std::optional<double> frame_budget(const CodecSpec& codec, Size frame_size, FrameRate rate);

class PictureQueue {
 public:
  PictureQueue(const BlockGrid& grid, std::optional<double> budget_bytes);

  // pictures and blocks have the same length; both must stay valid until all calls of work() have
  // returned.
  void begin(std::span<const Picture> pictures, std::span<PictureBlocks> blocks);
  // Encodes until the batch is complete. Call from any number of threads, each with its own
  // encoder.
  void work(PictureEncoder& encoder);
  // Call after work(): true if all blocks of all pictures were encoded.
  bool complete() const { return complete_; }

 private:
  enum class Stage : uint8_t { kSample, kWhole, kDone };

  struct Job {
    const Picture* picture = nullptr;
    PictureBlocks* blocks = nullptr;
    std::optional<StepSearch> search;
    Stage stage = Stage::kWhole;
    std::span<const uint32_t> todo;
    size_t begun = 0;
    size_t done = 0;
    uint64_t bytes = 0;
    float step = 0;  // quantisation step of the blocks being encoded
  };

  void start(Job& job, Stage stage, std::span<const uint32_t> todo);
  // Called when all blocks of the job's stage are done.
  void advance(Job& job);
  Job* find_work();

  double sample_share_ = 1;  // fraction of the frame's pixels
  std::vector<uint32_t> sample_;
  std::vector<uint32_t> rest_;
  std::vector<uint32_t> all_;
  std::optional<double> budget_bytes_;
  double pixels_ = 0;

  std::mutex mutex_;
  std::condition_variable advanced_;
  std::vector<Job> jobs_;
  size_t open_jobs_ = 0;
  bool complete_ = true;
};

}  // namespace sail
