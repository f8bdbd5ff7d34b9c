#include "sail/apps/program/film_reader.h"

#include <new>
#include <system_error>
#include <utility>

#include "sail/core/base/environment.h"
#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr std::chrono::hours kLong(1);

// A video that needs more memory or threads than available is reported as unreadable.
template <typename Work>
auto within_memory(const Work& work) -> decltype(work()) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return fail(ErrorCode::kLimit, "not enough memory to read the film");
  } catch (const std::system_error& error) {
    return fail(ErrorCode::kLimit,
                "cannot start a thread to read the film: " + error.code().message());
  }
}

}  // namespace

FilmReader::FilmReader(Open open, std::function<void()> on_answer)
    : on_answer_(std::move(on_answer)),
      requests_(kMaxRequests + 1),
      answers_(3 * kMaxRequests + 3),  // complaints may precede each answer
      thread_([this, open = std::move(open)] { run(open); }) {}

FilmReader::~FilmReader() {
  stop();
  thread_.join();
}

void FilmReader::read(Picture spent, bool again) {
  Request request{.spent = std::move(spent), .again = again, .seeks = seeks_};
  requests_.push(std::move(request));
}

void FilmReader::seek(int64_t position_ns) {
  ++seeks_;
  requests_.push({.kind = Request::Kind::kSeek, .position_ns = position_ns, .spent = {}});
}

void FilmReader::choose_subtitles(const SubtitleChoice& choice) {
  const std::lock_guard lock(subtitles_mutex_);
  subtitles_ = choice;
}

void FilmReader::stop() {
  if (stopping_.exchange(true)) return;
  requests_.push({.kind = Request::Kind::kStop, .position_ns = 0, .spent = {}});
}

void FilmReader::run(const Open& open) {
  name_this_thread("film reader");
  auto source = within_memory([&] { return open([this] { return stopping_.load(); }); });
  if (source) {
    (*source)->leave_out([this](int64_t pts_ns, int64_t duration_ns) {
      return !stopping_ && late_.leaves_out(pts_ns, duration_ns, steady_now_ns());
    });
    answer(Opened{(*source)->info()});
  } else {
    answer(Opened{source.error()});
  }
  for (;;) {
    auto request = requests_.pop(kLong);
    if (!request) continue;
    if (request->kind == Request::Kind::kStop) break;
    if (!stopping_ && source) serve(**source, std::move(*request));
  }
  Ended ended;
  if (source) ended.figures = (*source)->read_figures();
  if (source) source->reset();
  answer(ended);
}

void FilmReader::show_chosen_subtitles(Source& source) {
  std::optional<SubtitleChoice> choice;
  {
    const std::lock_guard lock(subtitles_mutex_);
    choice = std::exchange(subtitles_, std::nullopt);
  }
  if (!choice) return;
  if (auto shown = source.choose_subtitles(*choice); !shown) {
    answer(Complaint{shown.error().message});
  }
}

void FilmReader::serve(Source& source, Request request) {
  show_chosen_subtitles(source);
  if (request.kind == Request::Kind::kSeek) {
    const auto done = source.seek(request.position_ns);
    if (!done) answer(Complaint{done.error().message});
    answer(Sought{done.has_value()});
    return;
  }
  request.spent = Picture();  // release the memory before the next picture is read into it
  if (request.seeks == seeks_) {
    read_next(source, request.again);
  } else {
    answer(Passed{});
  }
}

// A failed seek to the beginning is not reported: the driver requests a seek when the end is due.
void FilmReader::read_next(Source& source, bool again) {
  Read read{.picture = within_memory([&] { return source.next(); })};
  const bool whole = read.picture.has_value();
  if (whole && *read.picture) {
    ++given_;
    late_.delivered((*read.picture)->pts_ns, steady_now_ns());
  }
  if (whole && !*read.picture && again && given_ > 1) read.again = source.seek(0).has_value();
  read.left_out = source.take_left_out();
  while (auto complaint = source.take_complaint()) answer(Complaint{std::move(*complaint)});
  answer(std::move(read));
}

void FilmReader::answer(Answer answer) {
  answers_.push(std::move(answer));
  if (on_answer_) on_answer_();
}

}  // namespace sail
