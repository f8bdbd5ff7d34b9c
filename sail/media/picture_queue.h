// Encodes a batch of pictures on several threads, block by block. Lossy JPEG 2000 is held to a
// number of bytes a frame: each picture's step is searched for on a sample of its blocks, then all
// of them are coded with it (StepSearch).
//
// Threads that find no block to encode wait for those that encode the last ones of a sample: what
// comes next depends on them. A mutex guards that book-keeping, since work is handed out between
// threads that come and go as WorkerPool's items.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "sail/media/film_time.h"
#include "sail/media/picture_encoder.h"
#include "sail/media/step_search.h"

namespace sail {

// Bytes of a frame; nothing: they are what they are. A film without a rate has kUsualFps.
std::optional<double> frame_budget(const CodecSpec& codec, Size frame_size, FrameRate rate);

class PictureQueue {
 public:
  PictureQueue(const BlockGrid& grid, std::optional<double> budget_bytes);

  // As many blocks as pictures, of the grid's size. They stay until all calls of work() are over.
  void begin(std::span<const Picture> pictures, std::span<PictureBlocks> blocks);
  // Encodes until all is done. Any thread, each with an encoder of its own.
  void work(PictureEncoder& encoder);
  // Afterwards: whether each block of each picture was encoded.
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
    float step = 0;  // of the blocks under way
  };

  void start(Job& job, Stage stage, std::span<const uint32_t> todo);
  // When all blocks of its stage are done.
  void advance(Job& job);
  Job* find_work();

  double sample_share_ = 1;  // of the frame's pixels
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
