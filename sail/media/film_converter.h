// Compresses a film into a .vmov file: decodes pictures, encodes those decoded before and writes
// those encoded before, all at the same time. One thread calls; the work is spread over a pool.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sail/base/worker_pool.h"
#include "sail/media/clip_source.h"
#include "sail/media/picture_queue.h"
#include "sail/media/picture_spec.h"
#include "sail/media/vmov_writer.h"

namespace sail {

struct ConvertOptions {
  std::string input;             // whatever FFmpeg opens, or an image sequence
  std::optional<RawFormat> raw;  // of standard input; nothing: it is as a film's file is
  std::string output;            // of this name, and with .part behind it while it is not whole
  CodecSpec codec;
  std::optional<Size> size;  // nothing: the film's own
  double fps = kUsualFps;    // of image sequences
  ClipRange range;
  int threads = 0;         // 0: one a core
  bool overwrite = false;  // an output that is there, or a part of another film
  std::function<bool()> interrupted;
};

struct ConvertProgress {
  uint64_t frames = 0;    // done, in the file
  uint64_t kept = 0;      // of them, found in the part that was there
  uint64_t expected = 0;  // 0: nobody knows
  uint64_t bytes = 0;     // of the file so far
};

class FilmConverter {
 public:
  // Opens both films. When a part of the same film and options is there, verifies it and goes on
  // behind it.
  static Result<std::unique_ptr<FilmConverter>> open(const ConvertOptions& options);

  // A film whose pictures come from elsewhere: there is nothing to go on with.
  struct Feed {
    std::unique_ptr<Source> source;
    Size whole_size;  // of what the pictures are cut from
    std::shared_ptr<WorkerPool> pool;
  };
  static Result<std::unique_ptr<FilmConverter>> open(const ConvertOptions& options, Feed feed);
  // What is asked for of the film; rgb: its pictures may be cut at any pixel, except for those that
  // keep their depth.
  static Result<ClipSource> open_clip(const ConvertOptions& options, bool rgb);
  static std::shared_ptr<WorkerPool> make_pool(const ConvertOptions& options);

  Size frame_size() const { return clip_.frame_size(); }
  // Whether what is left behind can be gone on with: the input is a file, or files.
  bool resumable() const { return resumable_; }
  // One round of work; false when the film is over. Left off here, the part can be gone on with.
  Result<bool> step();
  // When step() has given false.
  Result<void> finish() { return writer_.finish(); }
  ConvertProgress progress() const;
  // What is wrong with the input though it can be converted: a sentence, once.
  std::optional<std::string> take_complaint() { return clip_.take_complaint(); }

 private:
  // Pictures on their way. Decoded, then encoded, then written: one batch in each state.
  struct Batch {
    std::vector<Picture> pictures;
    std::vector<PictureBlocks> blocks;  // of as many pictures as fit
  };

  FilmConverter(const ConvertOptions& options, bool resumable, ClipSource clip, VmovWriter writer,
                Size whole_size, std::shared_ptr<WorkerPool> pool);
  static Result<std::unique_ptr<FilmConverter>> begin(const ConvertOptions& options,
                                                      ClipSource clip, uint64_t recipe,
                                                      Size whole_size,
                                                      std::shared_ptr<WorkerPool> pool);

  Result<void> check_interrupted() const;
  Result<void> find_place();
  Result<bool> stands_behind_last();
  Result<void> decode(Batch& batch);
  // The pictures' colours, which a film of JPEG 2000 has once for all.
  Result<void> check_color(const Picture& picture) const;
  Result<void> check_encoded() const;
  Result<void> write(Batch& batch);

  std::function<bool()> interrupted_;
  bool overwrite_;
  codecs::CodecId codec_;
  bool resumable_;
  bool one_color_;  // for all pictures
  ClipSource clip_;
  VmovWriter writer_;
  PictureQueue queue_;  // of the batch that is being encoded
  std::shared_ptr<WorkerPool> pool_;
  std::vector<PictureEncoder> encoders_;  // one for each thread
  Batch decoding_;
  Batch encoding_;
  Batch writing_;
  bool ended_ = false;
  uint64_t kept_ = 0;
};

}  // namespace sail
