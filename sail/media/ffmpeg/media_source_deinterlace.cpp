#include "sail/media/ffmpeg/media_source_deinterlace.h"

#include <fmt/format.h>

#include <utility>

#include "sail/core/base/c_library.h"
#include "sail/media/source/film_time.h"

extern "C" {
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
}

namespace sail {
namespace {

// The eye notices when 50 or 60 fields a second become 25 or 30 pictures. Larger and faster films
// keep their rate, because walls and links would have to carry twice as much.
constexpr double kMostFieldFps = 30.5;
constexpr Size kMostFieldSize{1920, 1088};  // H.264 and MPEG-2 code 1080 rows as 1088
constexpr int64_t kContextFrames = 2;       // one frame is needed; time stamps may be rounded

// libavfilter brings libraries for speech, graphics cards and algebra, some of which start threads
// when loaded. So it is loaded for the first interlaced frame, and stays loaded.
struct FilterLibrary {
  decltype(&avfilter_get_by_name) get_by_name = nullptr;
  decltype(&avfilter_graph_alloc) graph_alloc = nullptr;
  decltype(&avfilter_graph_free) graph_free = nullptr;
  decltype(&avfilter_graph_alloc_filter) graph_alloc_filter = nullptr;
  decltype(&avfilter_graph_create_filter) graph_create_filter = nullptr;
  decltype(&avfilter_graph_config) graph_config = nullptr;
  decltype(&avfilter_init_str) init_str = nullptr;
  decltype(&avfilter_link) link = nullptr;
  decltype(&av_buffersrc_parameters_alloc) parameters_alloc = nullptr;
  decltype(&av_buffersrc_parameters_set) parameters_set = nullptr;
  decltype(&av_buffersrc_add_frame_flags) add_frame = nullptr;
  decltype(&av_buffersink_get_frame) get_frame = nullptr;
};

std::optional<FilterLibrary> load_filters() {
  const LoadedLibrary loaded("libavfilter.so." AV_STRINGIFY(LIBAVFILTER_VERSION_MAJOR));
  FilterLibrary library;
  const bool whole = loaded.find("avfilter_get_by_name", library.get_by_name) &&
                     loaded.find("avfilter_graph_alloc", library.graph_alloc) &&
                     loaded.find("avfilter_graph_free", library.graph_free) &&
                     loaded.find("avfilter_graph_alloc_filter", library.graph_alloc_filter) &&
                     loaded.find("avfilter_graph_create_filter", library.graph_create_filter) &&
                     loaded.find("avfilter_graph_config", library.graph_config) &&
                     loaded.find("avfilter_init_str", library.init_str) &&
                     loaded.find("avfilter_link", library.link) &&
                     loaded.find("av_buffersrc_parameters_alloc", library.parameters_alloc) &&
                     loaded.find("av_buffersrc_parameters_set", library.parameters_set) &&
                     loaded.find("av_buffersrc_add_frame_flags", library.add_frame) &&
                     loaded.find("av_buffersink_get_frame", library.get_frame);
  return whole ? std::optional(library) : std::nullopt;
}

// Empty: libavfilter is not installed.
const std::optional<FilterLibrary>& filters() {
  static const std::optional<FilterLibrary> library = load_filters();
  return library;
}

}  // namespace

void Deinterlacer::FreeGraph::operator()(AVFilterGraph* graph) const {
  filters()->graph_free(&graph);
}

void Deinterlacer::add(Decoded decoded, double film_fps) {
  AVFrame& frame = *decoded.frame;
  const bool interlaced = wish_ != Deinterlacing::kOff && is_interlaced(frame);
  const Shape shape{frame.width, frame.height, frame.format, frame.colorspace, frame.color_range};
  if (shape != shape_) finish();
  if (!graph_ && fault_.empty() && interlaced) {
    shape_ = shape;
    by_field_ = wants_field_rate(decoded, film_fps);
    if (!filters()) {
      give_up("libavfilter is not installed");
    } else if (const int made = make_graph(frame); made < 0) {
      give_up(words_of(made));
    }
  }
  if (!graph_) {
    if (interlaced) ++failed_;
    ready_.push_back(std::move(decoded));
    return;
  }
  if (interlaced) lead_ns_ = kContextFrames * decoded.duration_ns;
  entered_.push_back({.number = next_number_,
                      .pts_ns = decoded.pts_ns,
                      .duration_ns = decoded.duration_ns,
                      .interlaced = interlaced});
  frame.pts = next_number_++;
  const int added = filters()->add_frame(source_, &frame, 0);
  if (added < 0) return give_up(words_of(added));
  collect();
}

void Deinterlacer::finish() {
  if (graph_ && filters()->add_frame(source_, nullptr, 0) >= 0) collect();
  drop_graph();
}

void Deinterlacer::reset() {
  drop_graph();
  ready_.clear();
}

std::optional<Decoded> Deinterlacer::take() {
  if (ready_.empty()) return std::nullopt;
  std::optional<Decoded> picture = std::move(ready_.front());
  ready_.pop_front();
  return picture;
}

uint64_t Deinterlacer::take_failed() {
  return std::exchange(failed_, 0);
}

bool Deinterlacer::wants_field_rate(const Decoded& decoded, double film_fps) const {
  if (wish_ != Deinterlacing::kAuto) return wish_ == Deinterlacing::kField;
  if (film_fps <= 0 && decoded.duration_ns > 0) {
    film_fps = 1e9 / static_cast<double>(decoded.duration_ns);
  }
  return film_fps <= kMostFieldFps && decoded.frame->width <= kMostFieldSize.width &&
         decoded.frame->height <= kMostFieldSize.height;
}

int Deinterlacer::make_graph(const AVFrame& frame) {
  const FilterLibrary& library = *filters();
  graph_.reset(library.graph_alloc());
  if (!graph_) return AVERROR(ENOMEM);
  graph_->nb_threads = threads_;
  if (const int made = make_source(frame); made < 0) return made;
  const AVFilter* bwdif = library.get_by_name("bwdif");
  if (bwdif == nullptr) return AVERROR_FILTER_NOT_FOUND;
  const std::string settings =
      fmt::format("mode={}:parity=auto:deint=interlaced", by_field_ ? "send_field" : "send_frame");
  AVFilterContext* filter = nullptr;
  int done =
      library.graph_create_filter(&filter, bwdif, "bwdif", settings.c_str(), nullptr, graph_.get());
  if (done >= 0) {
    done = library.graph_create_filter(&sink_, library.get_by_name("buffersink"), "out", nullptr,
                                       nullptr, graph_.get());
  }
  if (done >= 0) done = library.link(source_, 0, filter, 0);
  if (done >= 0) done = library.link(filter, 0, sink_, 0);
  return done < 0 ? done : library.graph_config(graph_.get(), nullptr);
}

int Deinterlacer::make_source(const AVFrame& frame) {
  const FilterLibrary& library = *filters();
  source_ = library.graph_alloc_filter(graph_.get(), library.get_by_name("buffer"), "in");
  AVBufferSrcParameters* parameters = library.parameters_alloc();
  if (source_ == nullptr || parameters == nullptr) {
    av_freep(&parameters);
    return AVERROR(ENOMEM);
  }
  parameters->format = frame.format;
  parameters->width = frame.width;
  parameters->height = frame.height;
  parameters->time_base = {1, 1};
  parameters->sample_aspect_ratio = frame.sample_aspect_ratio;
#if LIBAVFILTER_VERSION_INT >= AV_VERSION_INT(9, 16, 100)
  parameters->color_space = frame.colorspace;
  parameters->color_range = frame.color_range;
#endif
  const int set = library.parameters_set(source_, parameters);
  av_freep(&parameters);
  return set < 0 ? set : library.init_str(source_, nullptr);
}

// Time stamps are doubled in the graph: 2n is frame n, or its first field, and 2n + 1 its second.
void Deinterlacer::collect() {
  for (;;) {
    AvFramePtr frame(av_frame_alloc());
    const int got = frame ? filters()->get_frame(sink_, frame.get()) : AVERROR(ENOMEM);
    if (got == AVERROR(EAGAIN) || got == AVERROR_EOF) return;
    if (got < 0) return give_up(words_of(got));
    const int64_t number = frame->pts / 2;
    while (!entered_.empty() && entered_.front().number < number) entered_.pop_front();
    if (entered_.empty()) continue;
    const bool one_of_two = by_field_ && entered_.front().interlaced && !is_interlaced(*frame);
    const bool second = frame->pts % 2 != 0;
    Decoded picture{.frame = std::move(frame),
                    .pts_ns = entered_.front().pts_ns,
                    .duration_ns = entered_.front().duration_ns};
    if (one_of_two) {
      const int64_t both_ns = time_of_two_fields();
      const int64_t first_ns = both_ns / 2;
      picture.duration_ns = second ? both_ns - first_ns : first_ns;
      if (second) picture.pts_ns += first_ns;
    }
    ready_.push_back(std::move(picture));
  }
}

// Returns the time until the next frame, or the usual duration if time stamps jump there.
int64_t Deinterlacer::time_of_two_fields() const {
  const Entered& frame = entered_.front();
  const int64_t usual_ns = frame.duration_ns > 0 ? frame.duration_ns : kUsualDurationNs;
  const int64_t until_next_ns = entered_.size() > 1 ? entered_[1].pts_ns - frame.pts_ns : 0;
  return until_next_ns > 0 && until_next_ns <= 2 * usual_ns ? until_next_ns : usual_ns;
}

void Deinterlacer::drop_graph() {
  graph_.reset();
  source_ = sink_ = nullptr;
  entered_.clear();
}

void Deinterlacer::give_up(const std::string& why) {
  failed_ += entered_.size();
  drop_graph();
  by_field_ = false;
  fault_ = fmt::format("cannot be deinterlaced ({})", why);
}

}  // namespace sail
