#include "sail/apps/show/shown_page.h"

#include <algorithm>
#include <cmath>

#include "sail/apps/show/still_file.h"

namespace sail {
namespace {

// Limits the centre of the view in one direction. The page is centred if all of it is visible.
double keep_side(double centre, int page, double seen) {
  if (seen >= page) return page / 2.0;
  return std::clamp(centre, seen / 2, page - seen / 2);
}

// Aligns frame pixels with page pixels at integer scales.
double on_grid(double edge, double scale) {
  return std::round(edge * scale) / scale;
}

// Rounds scales that are almost integers (or their reciprocals), so that zooming out and in again
// returns to exact pixels.
double whole_scale(double scale) {
  constexpr double kNear = 1e-9;
  const double times = std::max(scale, 1 / scale);
  if (std::abs(times - std::round(times)) > times * kNear) return scale;
  return scale < 1 ? 1 / std::round(times) : std::round(times);
}

}  // namespace

PageList PageList::read(const std::vector<std::string>& files,
                        std::vector<std::string>& complaints) {
  std::vector<int> pages_each;
  for (const std::string& file : files) {
    const auto still = open_still(file);
    pages_each.push_back(still ? (*still)->pages() : 0);
    if (!still) complaints.push_back(still.error().message);
  }
  return PageList(pages_each);
}

PageList::PageList(const std::vector<int>& pages_each) {
  for (size_t file = 0; file < pages_each.size(); ++file) {
    for (int page = 0; page < pages_each[file] && pages_.size() < kMostPages; ++page) {
      pages_.push_back({file, page});
    }
  }
}

bool PageList::turn_to(int number) {
  const int wanted = std::clamp(number, 1, count());
  if (wanted == number_) return false;
  number_ = wanted;
  return true;
}

bool PageList::turn_by(int pages, bool loop) {
  const int wanted = number_ + pages;
  if (loop && wanted > count()) return turn_to(1);
  if (loop && wanted < 1) return turn_to(count());
  return turn_to(wanted);
}

void PageZoom::set_frame(Size frame) {
  const double wider = static_cast<double>(frame.width) / frame_.width;
  frame_ = frame;
  if (fitted_) return fit();
  scale_ *= wider;
  zoom(1, frame_.width / 2.0, frame_.height / 2.0);
}

void PageZoom::set_page(Size page, double max_scale) {
  page_ = page;
  max_scale_ = max_scale;
  fit();
}

double PageZoom::fit_scale() const {
  return std::min(static_cast<double>(frame_.width) / page_.width,
                  static_cast<double>(frame_.height) / page_.height);
}

void PageZoom::fit() {
  fitted_ = true;
  scale_ = fit_scale();
  keep_inside();
}

void PageZoom::zoom(double factor, double x, double y) {
  const double least = fit_scale();
  const double scale = std::clamp(whole_scale(scale_ * factor), least, std::max(least, max_scale_));
  const double from_middle_x = x - frame_.width / 2.0;
  const double from_middle_y = y - frame_.height / 2.0;
  centre_x_ += from_middle_x / scale_ - from_middle_x / scale;
  centre_y_ += from_middle_y / scale_ - from_middle_y / scale;
  scale_ = scale;
  fitted_ = scale <= least;
  keep_inside();
}

void PageZoom::one_to_one() {
  zoom(1 / scale_, frame_.width / 2.0, frame_.height / 2.0);
}

void PageZoom::pan(double dx, double dy) {
  centre_x_ -= dx / scale_;
  centre_y_ -= dy / scale_;
  keep_inside();
}

void PageZoom::keep_inside() {
  centre_x_ = keep_side(centre_x_, page_.width, frame_.width / scale_);
  centre_y_ = keep_side(centre_y_, page_.height, frame_.height / scale_);
}

PageView PageZoom::view() const {
  return {.frame = frame_,
          .left = on_grid(centre_x_ - frame_.width / scale_ / 2, scale_),
          .top = on_grid(centre_y_ - frame_.height / scale_ / 2, scale_),
          .scale = scale_};
}

}  // namespace sail
