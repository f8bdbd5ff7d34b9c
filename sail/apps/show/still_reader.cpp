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
    answers_.push(answer(**request));
  }
  still_.reset();
  ended_.push(true);
}

StillReader::Answer StillReader::answer(const Request& request) {
  auto info = turn_to(request.what);
  if (!info) return {request.what, info, info.error()};
  const PageView view = request.view.value_or(fitted_view(request.frame, *info));
  auto raster = still_->draw(view);
  if (!raster) return {request.what, info, raster.error(), still_->defects()};
  return {request.what, info, DrawnView{view, std::move(*raster)}, still_->defects()};
}

Result<PageInfo> StillReader::turn_to(const StillPage& what) {
  if (page_ == what) return info_;
  page_.reset();
  if (file_ != what.file) {
    still_.reset();
    file_.reset();
    auto opened = open_still(files_[what.file], display_);
    if (!opened) return opened.error();
    still_ = std::move(*opened);
    file_ = what.file;
  }
  auto info = still_->turn_to(what.page);
  if (!info) return info;
  page_ = what;
  info_ = *info;
  return info;
}

}  // namespace sail
