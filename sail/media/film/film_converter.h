// Compresses a film into a .vmov file. Decoding, encoding of earlier pictures and writing of still
// earlier ones happen in parallel. One thread calls; the work runs on a thread pool.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sail/core/base/worker_pool.h"
#include "sail/core/wire/content.h"
#include "sail/media/film/clip_source.h"
#include "sail/media/film/film_shard.h"
#include "sail/media/film/picture_queue.h"
#include "sail/media/source/picture_spec.h"
#include "sail/media/subtitles/subtitle_choice.h"
#include "sail/media/vmov/vmov_writer.h"

namespace sail {

struct ConvertOptions {
  std::string input;             // anything that FFmpeg opens, or an image sequence
  std::optional<RawFormat> raw;  // format of standard input; empty: a container
  std::string output;            // the file's name; ".part" is appended until it is complete
  CodecSpec codec;
  std::optional<Size> size;  // empty: the film's size
  double fps = kUsualFps;    // frame rate of image sequences
  Deinterlacing deinterlacing = Deinterlacing::kAuto;
  MissingAction missing = MissingAction::kHold;
  std::optional<SubtitleChoice> subtitles;  // empty: forced subtitles
  ClipRange range;
  std::optional<ShardChoice> shard = {};  // empty: all pictures
  int threads = 0;                        // 0: one per core
  bool overwrite = false;  // replace an existing output, or a partial file of another film
  std::function<bool()> interrupted;
};

struct ConvertProgress {
  uint64_t frames = 0;    // in the file
  uint64_t kept = 0;      // frames reused from the partial file
  uint64_t expected = 0;  // 0: unknown
  uint64_t bytes = 0;     // size of the file so far
  uint64_t left_out = 0;  // missing, damaged or not deinterlaced pictures of the input
};

class FilmConverter {
 public:
  // Opens input and output. If a partial file of the same film and options exists, verifies it and
  // continues after it.
  static Result<std::unique_ptr<FilmConverter>> open(const ConvertOptions& options);

  // Pictures from another source. Such a conversion cannot be resumed.
  struct Feed {
    std::unique_ptr<Source> source;
    Size whole_size;  // size of the picture before it was cut
    std::shared_ptr<WorkerPool> pool;
  };
  static Result<std::unique_ptr<FilmConverter>> open(const ConvertOptions& options, Feed feed);
  // Opens the requested range of the film. rgb: 8-bit pictures become BGRA, so that they can be cut
  // at any pixel; deeper ones keep their format.
  static Result<ClipSource> open_clip(const ConvertOptions& options, bool rgb,
                                      ClipShard shard = {});
  static std::shared_ptr<WorkerPool> make_pool(const ConvertOptions& options);

  Size frame_size() const { return clip_.frame_size(); }
  // True if an interrupted conversion can be resumed: the input is a file, or files.
  bool resumable() const { return resumable_; }
  // One round of work; false when the film is complete. The conversion may be interrupted between
  // rounds.
  Result<bool> step();
  // Call after step() has returned false.
  Result<void> finish() { return writer_.finish(); }
  ConvertProgress progress() const;
  // Returns a sentence about a defect of the input, once. There may be several.
  std::optional<std::string> take_complaint() { return clip_.take_complaint(); }

 private:
  // A batch is decoded, then encoded, then written. There is one batch in each of these states.
  struct Batch {
    std::vector<Picture> pictures;
    std::vector<PictureBlocks> blocks;  // for as many pictures as fit into a batch
  };

  FilmConverter(const ConvertOptions& options, bool resumable, ClipSource clip, VmovWriter writer,
                Size whole_size, std::shared_ptr<WorkerPool> pool);
  static Result<std::unique_ptr<FilmConverter>> begin(const ConvertOptions& options,
                                                      ClipSource clip, const VmovHeader& header,
                                                      Size whole_size,
                                                      std::shared_ptr<WorkerPool> pool);

  Result<void> check_interrupted() const;
  Result<void> find_place();
  Result<bool> stands_behind_last();
  Result<void> decode(Batch& batch);
  // Checks that the colour is that of the first picture: a JPEG 2000 film has only one.
  Result<void> check_color(const Picture& picture) const;
  Result<void> check_encoded() const;
  Result<void> write(Batch& batch);

  std::function<bool()> interrupted_;
  bool overwrite_;
  codecs::CodecId codec_;
  bool resumable_;
  bool one_color_;  // all pictures must have the same colour
  ClipSource clip_;
  VmovWriter writer_;
  PictureQueue queue_;  // for the batch being encoded
  std::shared_ptr<WorkerPool> pool_;
  std::vector<PictureEncoder> encoders_;  // one per thread
  Batch decoding_;
  Batch encoding_;
  Batch writing_;
  bool ended_ = false;
  uint64_t kept_ = 0;
  uint64_t left_out_ = 0;
};

}  // namespace sail
