#include "sail/media/film/picture_queue.h"

#include <array>

namespace sail {
namespace {

constexpr uint32_t kSmallGrid = 9;  // with fewer blocks, the sample is the whole picture

double pixels_of(Size size) {
  return static_cast<double>(size.width) * size.height;
}

// Samples every fourth block, spread over all columns and rows.
bool in_sample(const BlockGrid& grid, int column, int row) {
  constexpr std::array<int, 4> kShifts = {0, 2, 1, 3};
  if (grid.count() <= kSmallGrid) return true;
  return column % 4 == kShifts[static_cast<size_t>(row % 4)] ||
         (grid.columns() < 4 && row % 4 == 0);
}

}  // namespace

std::optional<double> frame_budget(const CodecSpec& codec, Size frame_size, FrameRate rate) {
  if (!codecs::is_j2k(codec.codec.id)) return std::nullopt;
  constexpr double kBitsOfByte = 8;
  constexpr double kMega = 1e6;
  switch (codec.rate.unit) {
    case CodecRate::Unit::kLossless:
      break;
    case CodecRate::Unit::kBitsPerPixel:
      return codec.rate.value * pixels_of(frame_size) / kBitsOfByte;
    case CodecRate::Unit::kMbitPerS: {
      const double fps =
          rate.denominator > 0 ? static_cast<double>(rate.numerator) / rate.denominator : kUsualFps;
      return codec.rate.value * kMega / kBitsOfByte / fps;
    }
  }
  return std::nullopt;
}

PictureQueue::PictureQueue(const BlockGrid& grid, std::optional<double> budget_bytes)
    : budget_bytes_(budget_bytes), pixels_(pixels_of(grid.frame_size())) {
  double sample_pixels = 0;
  for (int row = 0; row < grid.rows(); ++row) {
    for (int column = 0; column < grid.columns(); ++column) {
      const auto block = static_cast<uint32_t>(all_.size());
      all_.push_back(block);
      if (in_sample(grid, column, row)) {
        const Rect rect = grid.block_rect(column, row);
        sample_pixels += pixels_of({rect.width, rect.height});
        sample_.push_back(block);
      } else {
        rest_.push_back(block);
      }
    }
  }
  sample_share_ = sample_pixels / pixels_;
}

void PictureQueue::begin(std::span<const Picture> pictures, std::span<PictureBlocks> blocks) {
  jobs_.assign(pictures.size(), Job());
  open_jobs_ = pictures.size();
  complete_ = true;
  for (size_t i = 0; i < pictures.size(); ++i) {
    Job& job = jobs_[i];
    job.picture = &pictures[i];
    job.blocks = &blocks[i];
    if (budget_bytes_) {
      job.search.emplace(*budget_bytes_, pixels_, view_of(pictures[i]).bits);
      start(job, Stage::kSample, sample_);
    } else {
      start(job, Stage::kWhole, all_);
    }
  }
}

void PictureQueue::work(PictureEncoder& encoder) {
  std::unique_lock lock(mutex_);
  while (open_jobs_ > 0) {
    Job* const job = find_work();
    if (!job) {
      advanced_.wait(lock);
      continue;
    }
    const size_t block = job->todo[job->begun++];
    lock.unlock();
    const size_t bytes = encoder.encode(*job->picture, block, job->step, *job->blocks);
    lock.lock();
    complete_ = complete_ && bytes > 0;
    job->bytes += bytes;
    if (++job->done == job->todo.size()) advance(*job);
  }
}

PictureQueue::Job* PictureQueue::find_work() {
  for (Job& job : jobs_) {
    if (job.stage != Stage::kDone && job.begun < job.todo.size()) return &job;
  }
  return nullptr;
}

void PictureQueue::start(Job& job, Stage stage, std::span<const uint32_t> todo) {
  job.stage = stage;
  job.todo = todo;
  job.begun = job.done = 0;
  job.bytes = 0;
  if (job.search) job.step = job.search->step();
}

void PictureQueue::advance(Job& job) {
  bool again = false;  // the job has more work
  if (job.stage == Stage::kSample && complete_) {
    job.search->tried(static_cast<double>(job.bytes) / sample_share_);
    again = true;
    if (!job.search->settled()) {
      start(job, Stage::kSample, sample_);
    } else if (job.search->step() != job.step) {
      start(job, Stage::kWhole, all_);
    } else {
      // The blocks of the sample are already encoded with this step.
      const uint64_t bytes = job.bytes;
      start(job, Stage::kWhole, rest_);
      job.bytes = bytes;
      again = !rest_.empty();
    }
  } else if (job.search && complete_ && !job.search->accepts(static_cast<double>(job.bytes))) {
    start(job, Stage::kWhole, all_);
    again = true;
  }
  if (!again) {
    job.stage = Stage::kDone;
    --open_jobs_;
  }
  advanced_.notify_all();
}

}  // namespace sail
