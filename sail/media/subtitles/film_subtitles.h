// The subtitles of one film: lists its tracks, reads the chosen one, draws the subtitles of a given
// time. Text that was read once is kept, for seeks and loops. One thread at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/media/storage/reading/byte_source.h"
#include "sail/media/subtitles/subtitle_blend.h"
#include "sail/media/subtitles/subtitle_choice.h"
#include "sail/media/subtitles/subtitle_decoder.h"
#include "sail/media/subtitles/subtitle_renderer.h"

struct AVFormatContext;
struct AVPacket;

namespace sail {

class FilmSubtitles {
 public:
  enum class Beside : uint8_t { kRead, kIgnore };  // text files beside the film
  FilmSubtitles(std::string film, Beside beside, GiveUp give_up);

  // The demuxer that the film is read with from now on. All its subtitle tracks but the chosen one
  // are discarded.
  void open(AVFormatContext& format);
  // The demuxer is about to be destroyed.
  void close();
  // The film's tracks, then the files beside it: the numbers of SubtitleChoice count these.
  std::vector<SubtitleTrackFacts> tracks() const;
  // kNotFound, kLimit, kBadData: nothing is shown then. Errors are complete sentences.
  Result<void> choose(const SubtitleChoice& choice);

  // True if packets of the film are needed.
  bool reads_packets() const { return decoder_ != nullptr; }
  // Returns true if the packet was one of the chosen track. origin_ns: the container time that is
  // film time 0.
  bool take(const AVPacket& packet, int64_t origin_ns);
  // The next packet is from another part of the film.
  void jump();

  // Finds the subtitles to draw at that film time; false: none.
  bool prepare(const SubtitleRenderer::View& view, int64_t at_ns);
  // Draws it. The canvas has the size of the view.
  void blend(const SubtitleCanvas& canvas) { blender_.blend(canvas); }

  // Returns a sentence about a defect, once. There may be several.
  std::optional<std::string> take_complaint();
  // Only the first such sentence of a choice is kept.
  void complain_once(const std::string& sentence);

 private:
  void forget();
  void select_stream();
  Result<void> show_track(size_t number);
  Result<void> show_file(const std::string& name);
  std::string sound_language() const;
  void add(SubtitleCue cue);
  void add_text(const SubtitleCue& cue);
  void prepare_text(const SubtitleRenderer::View& view, int64_t at_ns);
  void prepare_picture(Size picture, int64_t at_ns);

  const std::string film_;
  const Beside beside_;
  const GiveUp give_up_;
  AVFormatContext* format_ = nullptr;
  std::vector<SubtitleTrackFacts> tracks_;  // within the film
  std::vector<int> streams_;                // stream indices of tracks_
  int stream_ = -1;                         // the chosen one; -1: none

  std::unique_ptr<SubtitleDecoder> decoder_;  // decoder of stream_
  std::string header_;
  std::unique_ptr<SubtitleRenderer> renderer_;     // null before the first text
  std::unordered_set<size_t> added_;               // hashes of texts that the renderer has
  size_t bytes_ = 0;                               // kept text, or pictures
  std::deque<SubtitleCue> pictures_;               // sorted by time
  std::optional<std::pair<int64_t, Size>> drawn_;  // the picture in the blender

  SubtitleBlender blender_;
  std::deque<std::string> complaints_;
  bool complained_ = false;
};

}  // namespace sail
