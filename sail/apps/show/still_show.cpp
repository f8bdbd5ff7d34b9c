#include "sail/apps/show/still_show.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <utility>
#include <vector>

#include "sail/apps/show/still_file.h"
#include "sail/core/time/clock.h"
#include "sail/core/wire/content.h"
#include "sail/media/source/picture_spec.h"
#include "sail/media/still/vips_image.h"
#include "sail/media/still/vips_library.h"
#include "sail/media/storage/source_uri.h"

namespace sail {
namespace {

constexpr int kIdleMs = 100;    // maximum delay for signals
constexpr int kAwaitingMs = 4;  // polling interval while the reader works
constexpr std::chrono::seconds kReaderEnds{2};
// Maximum frame size; larger windows show the frame scaled up.
constexpr Size kMostFrame{8192, 8192};
constexpr int64_t kMostFramePixels = int64_t{7680} * 4320;
constexpr int kLeastSide = 16;
constexpr Size kProgressFrame{1920, 1080};
constexpr Size kGlance{64, 64};  // frame for requests that need only the page's size

// Limits the frame size and keeps the aspect ratio.
Size frame_size(Size wanted) {
  Size size = wanted;
  if (size.width > kMostFrame.width || size.height > kMostFrame.height)
    size = fit(size, kMostFrame);
  const double pixels = static_cast<double>(size.width) * size.height;
  if (pixels > kMostFramePixels) {
    const double factor = std::sqrt(kMostFramePixels / pixels);
    size = {static_cast<int>(size.width * factor), static_cast<int>(size.height * factor)};
  }
  return {std::max(kLeastSide, size.width), std::max(kLeastSide, size.height)};
}

std::vector<std::string> absolute(const std::vector<std::string>& files) {
  std::vector<std::string> paths;
  for (const std::string& file : files) {
    std::error_code error;
    const std::filesystem::path path = std::filesystem::absolute(file, error);
    paths.push_back(error || is_far(file) || is_written(file) ? file
                                                              : path.lexically_normal().string());
  }
  return paths;
}

PageList read_pages(const std::vector<std::string>& files, const Log& log) {
  std::vector<std::string> complaints;
  PageList pages = PageList::read(files, complaints);
  for (const std::string& complaint : complaints) log.error("{}", complaint);
  return pages;
}

// Returns the steady time of the system clock's next multiple of every_ns; 0: never.
int64_t next_change_ns(int64_t every_ns) {
  if (every_ns <= 0) return 0;
  constexpr int64_t kBehindNs = kMillisecondNs;  // a little later, so that the new time is drawn
  const int64_t since_ns =
      std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count() %
      every_ns;
  return steady_now_ns() + every_ns - since_ns + kBehindNs;
}

void log_vips_words(const Log& log) {
  const std::string words = take_vips_words();
  if (!words.empty()) log.debug("libvips: {}", words);
}

std::string title_of(const std::vector<std::string>& files) {
  const std::string& first = files.front();
  std::string name = is_written(first) ? title_of_writing(first) : name_of(first);
  if (files.size() == 1) return name;
  return fmt::format("{} and {} more", name, files.size() - 1);
}

}  // namespace

StillShow::StillShow(ShowOptions options)
    : ProgramShell("vitrail-show", options),
      options_(std::move(options)),
      vips_started_(start_vips(options_.threads)),
      files_(
          options_.files, [this](const std::string& sentence) { log_.error("{}", sentence); },
          [this] { return signals_.arrived(); }),
      documents_(files_.paths(),
                 [this](const std::string& sentence) { log_.error("{}", sentence); }),
      pages_({}) {}

int StillShow::run() {
  log_vips_words(log_);
  if (!vips_started_) give_up("cannot start libvips");
  if (!ended_ && convert_documents() && begin()) {
    while (!ended_) {
      attend();
      if (auto answer = reader_->take()) take(std::move(*answer));
      follow_size();
      turn_when_due();
      if (steady_now_ns() >= next_frame_ns_) pump();
    }
  } else {
    exit_code_ = EXIT_FAILURE;
  }
  // A damaged document can block poppler forever without a way to interrupt it.
  if (reader_ && !reader_->end(kReaderEnds)) std::_Exit(exit_code_);
  return exit_code_;
}

bool StillShow::convert_documents() {
  std::string shown;
  while (!documents_.done()) {
    if (window_.number() == 0 && !(connect() && open_for_progress())) return false;
    const std::string sentence = documents_.sentence();
    if (sentence != shown) show_sentence(sentence);
    shown = sentence;
    if (frame_dirty_) submit();
    hear(kIdleMs);
    if (ended_) return false;
  }
  takes_shape_ = window_.number() != 0 && !placed();
  frame_ = Raster();
  frame_dirty_ = false;
  pages_ = read_pages(documents_.paths(), log_);
  reader_.emplace(documents_.paths());
  return !pages_.empty();
}

bool StillShow::open_for_progress() {
  const auto opened = reopen_at(placed().value_or(kProgressFrame));
  if (!opened) give_up(opened.error().message);
  return opened.has_value();
}

void StillShow::show_sentence(const std::string& sentence) {
  const auto note = TextLayout::open(std::string(kNoteScheme) + sentence);
  if (!note) return;
  const auto info = (*note)->turn_to(0);
  if (!info) return;
  auto drawn = (*note)->draw(fitted_view(window_.size(), *info));
  if (!drawn) return;
  frame_ = std::move(*drawn);
  frame_dirty_ = true;
}

bool StillShow::connect() {
  const auto opened = session_.open();
  if (!opened) give_up(opened.error().message);
  return opened.has_value();
}

bool StillShow::begin() {
  pages_.turn_to(options_.page);
  if (!connect()) return false;
  reader_->show_on(session_.display());
  auto first = find_first_page();
  if (!first) return false;
  if (const auto opened = open_window(*first->info); !opened) {
    give_up(opened.error().message);
    return false;
  }
  // The reader has drawn it for the window, or is about to.
  if ((first->drawn || (first->preview && placed())) && first->frame == window_.size()) {
    turned_ns_ = steady_now_ns();
    if (!first->drawn) spare_ = Raster(window_.size());
    take(std::move(*first));
    pump();
  } else {
    page_turned();
  }
  return true;
}

std::optional<Size> StillShow::placed() const {
  const auto& place = options_.place;
  if (!place || place->empty()) return std::nullopt;
  return Size{place->width, place->height};
}

std::optional<StillReader::Answer> StillShow::find_first_page() {
  const auto place = placed();
  const Size frame = place ? frame_size(*place) : kGlance;
  for (int tried = 0; tried < pages_.count(); ++tried) {
    reader_->ask({.what = pages_.shown(),
                  .frame = frame,
                  .view = {},
                  .size_first = true,
                  .size_only = !place});
    std::optional<StillReader::Answer> answer;
    while (!answer && !signals_.arrived()) {
      answer = reader_->take(std::chrono::milliseconds(kIdleMs));
    }
    if (!answer) return std::nullopt;
    if (answer->info) return answer;
    log_.error("{}", answer->info.error().message);
    pages_.turn_by(1, true);
  }
  return std::nullopt;
}

Result<void> StillShow::open_window(const PageInfo& first) {
  const auto natural = [&](int side) {
    return static_cast<int>(std::min(std::lround(side * first.usual_scale), long{INT32_MAX}));
  };
  auto opened =
      reopen_at(placed().value_or(Size{natural(first.size.width), natural(first.size.height)}));
  if (!opened) return opened;
  // The manager may have chosen another size.
  const Size chosen = window_.picture_size();
  const Size size = frame_size(chosen);
  return chosen.width == 0 || size == window_.size() ? opened : reopen_at(size);
}

Result<void> StillShow::reopen_at(Size size) {
  Opening opening{.title = {}, .codec = options_.codec, .size = frame_size(size)};
  fill_in(opening, options_, title_of(options_.files));
  opening.keep_shape = std::exchange(takes_shape_, false);
  opening.takes_input = true;
  opening.content = {absolute(options_.files), "vitrail-show", options_.loop};
  auto opened = window_.open(opening);
  if (!opened) return opened;
  zoom_.set_frame(window_.size());
  hold_back_ = true;
  asked_.reset();
  if (reader_) notify_page();
  return {};
}

void StillShow::follow_size() {
  const Size size = window_.picture_size();
  if (size.width == 0 || controls_.dragging()) return;
  if (!window_.settled(frame_size(size), kSettleNs)) return;
  if (const auto opened = reopen_at(size); !opened) {
    give_up(opened.error().message);
  }
}

void StillShow::attend() {
  int wait_ms = awaiting_ ? kAwaitingMs : kIdleMs;
  const bool more = frame_dirty_ || (page_known_ && asked_ != zoom_.view());
  const int64_t due_ns = more ? next_frame_ns_ : changes_at_ns_;
  if (due_ns > 0) {
    const int64_t left_ns = due_ns - steady_now_ns();
    wait_ms = static_cast<int>(std::clamp<int64_t>(left_ns / kMillisecondNs, 0, wait_ms));
  }
  hear(wait_ms);
}

void StillShow::obey(const sail_event& event) {
  switch (event.type) {
    case SAIL_EVENT_INPUT:
      turn(controls_.obey(event.input, zoom_));
      break;
    case SAIL_EVENT_PAGE:
      turn({.by = 0, .to = static_cast<int>(std::clamp(event.value, 1.0, 1e9))});
      break;
    case SAIL_EVENT_CONNECTED:
    case SAIL_EVENT_REFRESH:
      frame_dirty_ = !hold_back_ || !reader_;
      break;
    default:
      break;
  }
}

void StillShow::turn(const StillControls::Turn& turn) {
  if (!reader_) return;
  const bool turned = turn.to ? pages_.turn_to(*turn.to) : pages_.turn_by(turn.by, options_.loop);
  if (!turned) return;
  page_turned();
  notify_page();
}

void StillShow::page_turned() {
  turned_ns_ = steady_now_ns();
  page_known_ = false;
  notice_due_ = false;
  hold_back_ = true;
  changes_at_ns_ = 0;
  whole_.reset();
  sharp_.reset();
  asked_.reset();
  awaiting_ = true;
  reader_->ask({.what = pages_.shown(), .frame = window_.size(), .view = {}});
}

void StillShow::notify_page() {
  sail_playback playback{};
  playback.page = pages_.number();
  playback.pages = pages_.count();
  playback.loop = options_.loop ? 1 : 0;
  window_.tell(playback);
}

void StillShow::turn_when_due() {
  if (options_.every_s <= 0 || awaiting_) return;
  const auto every_ns = static_cast<int64_t>(options_.every_s * kSecondNs);
  if (steady_now_ns() - turned_ns_ < every_ns) return;
  turned_ns_ = steady_now_ns();
  turn({.by = 1, .to = {}});
}

void StillShow::take(StillReader::Answer answer) {
  if (answer.what != pages_.shown()) return;
  learn_page(answer);
  awaiting_ = answer.preview;
  if (answer.preview && !answer.drawn) return;  // only its size
  if (answer.preview) {
    whole_ = std::make_shared<const DrawnView>(std::move(*answer.drawn));
    hold_back_ = false;
    return show_coarse(zoom_.view());
  }
  spare_ = Raster();
  report_defects(answer.defects);
  const bool nothing_else = frame_.size == Size{} && pages_.count() == 1;
  if (!answer.info && nothing_else) return static_cast<void>(give_up(answer.info.error().message));
  if (!answer.drawn) return not_drawn(answer.drawn.error().message);
  sharp_ = std::make_shared<const DrawnView>(std::move(*answer.drawn));
  const PageView view = zoom_.view();
  if (zoom_.fitted() && sharp_->view == view) whole_ = sharp_;
  if (sharp_->view == view) {
    frame_ = sharp_->raster;
    frame_dirty_ = true;
    hold_back_ = false;
  } else if (!hold_back_) {
    show_coarse(view);
  }
  awaiting_ = asked_ != sharp_->view;
  changes_at_ns_ = next_change_ns(answer.info->changes_every_ns);
}

void StillShow::learn_page(const StillReader::Answer& answer) {
  // A page that cannot be drawn leaves the previous one. The first is black until a view works.
  const bool shows_nothing = frame_.size == Size{};
  if (!page_known_ && answer.info && (answer.drawn || shows_nothing)) {
    page_known_ = true;
    notice_due_ = true;
    zoom_.set_page(answer.info->size, answer.info->max_scale);
    asked_ = !answer.drawn    ? zoom_.view()
             : answer.preview ? fitted_view(answer.frame, *answer.info)
                              : answer.drawn->view;
  }
  if (!notice_due_ || answer.preview || !answer.info) return;
  notice_due_ = false;
  if (!answer.info->notice.empty()) log_.warning("{}", answer.info->notice);
}

void StillShow::report_defects(const std::string& sentence) {
  if (sentence == defects_) return;
  defects_ = sentence;
  if (sentence.empty()) return;
  log_.warning("{}", sentence);
  log_vips_words(log_);
}

// Keeps the previous content.
void StillShow::not_drawn(const std::string& sentence) {
  log_.error("{}", sentence);
  log_vips_words(log_);
  if (page_known_) show_coarse(zoom_.view());
  hold_back_ = frame_.size != window_.size();
}

void StillShow::pump() {
  const bool changed = changes_at_ns_ > 0 && steady_now_ns() >= changes_at_ns_;
  if (page_known_ && (changed || asked_ != zoom_.view())) {
    changes_at_ns_ = 0;
    asked_ = zoom_.view();
    awaiting_ = true;
    reader_->ask({.what = pages_.shown(), .frame = asked_->frame, .view = asked_});
    if (!hold_back_ && !changed) show_coarse(*asked_);
  }
  if (frame_dirty_) submit();
}

void StillShow::show_coarse(const PageView& view) {
  frame_ = spare_.size == view.frame ? std::exchange(spare_, Raster()) : Raster(view.frame);
  if (whole_) draw_coarse(frame_, view, *whole_);
  if (sharp_) draw_coarse(frame_, view, *sharp_);
  frame_dirty_ = true;
}

void StillShow::submit() {
  if (frame_.size != window_.size()) return;
  const sail_status status = window_.submit(frame_.bgra.data(), ptrdiff_t{frame_.size.width} * 4);
  frame_dirty_ = status != SAIL_OK;
  next_frame_ns_ = steady_now_ns() + kFrameNs;
  if (status < 0) give_up("libsail rejected the frame");
}

}  // namespace sail
