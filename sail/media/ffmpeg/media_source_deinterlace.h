// Makes progressive pictures of interlaced frames with libavfilter's bwdif. Progressive films pass
// without libavfilter, which is loaded for the first interlaced frame. bwdif needs the next frame,
// so pictures come one frame late until finish(). One thread at a time. Only for the media_source
// files.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "sail/core/wire/content.h"
#include "sail/media/ffmpeg/media_source_av.h"
#include "sail/media/ffmpeg/media_source_input.h"

struct AVFilterContext;
struct AVFilterGraph;

namespace sail {

class Deinterlacer {
 public:
  // threads: 0: one per core.
  Deinterlacer(Deinterlacing wish, int threads) : wish_(wish), threads_(threads) {}

  // Adds the film's next frame. film_fps: the film's nominal frame rate; 0: unknown.
  void add(Decoded decoded, double film_fps);
  // No frame follows: take() now also returns the pictures that were held back.
  void finish();
  // After a seek: forgets all frames.
  void reset();
  // The next picture; empty: add more frames.
  std::optional<Decoded> take();

  // True if the last interlaced frame became two pictures, one for each field.
  bool by_field() const { return by_field_; }
  // Time before a picture from which decoding must start for that picture to be exact: its
  // interpolation needs the frame before. 0: no frame was interlaced.
  int64_t lead_ns() const { return lead_ns_; }
  // Why frames are passed on unchanged; a sentence about the film. Empty: they are deinterlaced.
  const std::string& fault() const { return fault_; }
  // Interlaced frames that were passed on unchanged, or lost, since the last call.
  uint64_t take_failed();

 private:
  // A frame within the graph. Its number is its time stamp there.
  struct Entered {
    int64_t number = 0;
    int64_t pts_ns = 0;
    int64_t duration_ns = 0;
    bool interlaced = false;
  };
  // The frame properties for which a graph is made.
  struct Shape {
    int width = 0;
    int height = 0;
    int format = 0;
    int space = 0;
    int range = 0;

    bool operator==(const Shape&) const = default;
  };

  struct FreeGraph {
    void operator()(AVFilterGraph* graph) const;
  };

  bool wants_field_rate(const Decoded& decoded, double film_fps) const;
  // Returns an error code of FFmpeg.
  int make_graph(const AVFrame& frame);
  int make_source(const AVFrame& frame);
  // Moves finished pictures out of the graph.
  void collect();
  // Duration of the frame at the front.
  int64_t time_of_two_fields() const;
  void drop_graph();
  // Passes on all further frames unchanged.
  void give_up(const std::string& why);

  const Deinterlacing wish_;
  const int threads_;
  std::unique_ptr<AVFilterGraph, FreeGraph> graph_;  // null: frames are passed on unchanged
  AVFilterContext* source_ = nullptr;                // owned by graph_
  AVFilterContext* sink_ = nullptr;
  Shape shape_;
  bool by_field_ = false;
  int64_t next_number_ = 0;
  std::deque<Entered> entered_;  // frames whose pictures have not come out yet
  std::deque<Decoded> ready_;
  int64_t lead_ns_ = 0;
  std::string fault_;
  uint64_t failed_ = 0;
};

}  // namespace sail
