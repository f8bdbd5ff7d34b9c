#include "sail/apps/show/still_reader.h"

#include <utility>

#include "sail/apps/show/shown_page.h"
#include "sail/apps/show/still_file.h"
#include "sail/core/base/environment.h"

namespace sail {

PageView fitted_view(Size frame, const PageInfo& page) {
  PageZoom zoom;
  zoom.set_frame(frame);
  zoom.set_page(page.size, page.max_scale);
  return zoom.view();
}

StillReader::StillReader(std::vector<std::string> files)
    : files_(std::move(files)), thread_([this] { run(); }) {}

StillReader::~StillReader() {
  if (!thread_.joinable()) return;
  requests_.push(std::nullopt);
  thread_.join();
}

void StillReader::ask(Request request) {
  requests_.push(request);
}

std::optional<StillReader::Answer> StillReader::take(std::chrono::nanoseconds wait) {
  return answers_.pop(wait);
}

bool StillReader::end(std::chrono::nanoseconds wait) {
  requests_.push(std::nullopt);
  if (!ended_.pop(wait)) return false;
  thread_.join();
  return true;
}

void StillReader::run() {
  name_this_thread("still reader");
  for (;;) {
    const auto request = requests_.pop(kIdle);
    if (!request) continue;
    if (!*request) break;
    answer(**request);
  }
  still_.reset();
  ended_.push(true);
}

void StillReader::answer(const Request& request) {
  const bool read = request.view || page_ == request.what;
  if (!read && answer_early(request)) return;
  answers_.push(draw(request));
}

bool StillReader::answer_early(const Request& request) {
  if (!open(request.what.file)) return false;
  page_.reset();
  if (request.size_first || request.size_only) {
    const auto info = still_->glance(request.what.page);
    if (info) answers_.push({request.what, request.frame, *info, Error{}, true});
    if (info && request.size_only) return true;
  }
  auto found = still_->preview(request.what.page, request.frame);
  if (!found) return false;
  answers_.push({request.what, request.frame, found->info, std::move(found->drawn), true});
  return request.size_only;
}

StillReader::Answer StillReader::draw(const Request& request) {
  Answer answer{request.what, request.frame, turn_to(request.what), Error{}};
  if (!answer.info) {
    answer.drawn = answer.info.error();
    return answer;
  }
  const PageView view = request.view.value_or(fitted_view(request.frame, *answer.info));
  auto raster = still_->draw(view);
  answer.drawn = raster ? Result<DrawnView>(DrawnView{view, std::move(*raster)}) : raster.error();
  answer.defects = still_->defects();
  return answer;
}

Result<void> StillReader::open(size_t file) {
  if (file_ == file) return {};
  page_.reset();
  still_.reset();
  file_.reset();
  auto opened = open_still(files_[file], display_);
  if (!opened) return opened.error();
  still_ = std::move(*opened);
  file_ = file;
  return {};
}

Result<PageInfo> StillReader::turn_to(const StillPage& what) {
  if (page_ == what) return info_;
  page_.reset();
  if (auto opened = open(what.file); !opened) return opened.error();
  auto info = still_->turn_to(what.page);
  if (!info) return info;
  page_ = what;
  info_ = *info;
  return info;
}

}  // namespace sail
