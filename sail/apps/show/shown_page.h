// The content that vitrail-show shows: a page of its files, and a part of that page. Pure except
// PageList::read().
#pragma once

#include <string>
#include <vector>

#include "sail/apps/show/still.h"
#include "sail/apps/show/still_reader.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"

namespace sail {

// The pages of all files as one list, and the current page.
class PageList {
 public:
  // Reads each file's number of pages. Skips unreadable files with a message in `complaints`.
  static PageList read(const std::vector<std::string>& files, std::vector<std::string>& complaints);
  // pages_each: number of pages of each file.
  explicit PageList(const std::vector<int>& pages_each);

  bool empty() const { return pages_.empty(); }
  int count() const { return static_cast<int>(pages_.size()); }
  // From 1.
  int number() const { return number_; }
  const StillPage& shown() const { return pages_[static_cast<size_t>(number_ - 1)]; }
  // Returns false if the page does not change. Numbers outside the list give the first or last
  // page; turn_by with `loop` wraps around.
  bool turn_to(int number);
  bool turn_by(int pages, bool loop);

 private:
  static constexpr size_t kMostPages = 100'000;

  std::vector<StillPage> pages_;
  int number_ = 1;
};

// The part of a page that users have zoomed and panned to.
class PageZoom {
 public:
  // Sets the frame's size. Keeps the view as far as possible; a fitted page remains fitted.
  void set_frame(Size frame);
  // Sets another page and fits it into the frame. max_scale: limit of the zoom.
  void set_page(Size page, double max_scale);

  // Shows the whole page, as large as the frame allows.
  void fit();
  bool fitted() const { return fitted_; }
  // Zooms around the point (x, y) of the frame, between the fitted page and max_scale.
  void zoom(double factor, double x, double y);
  // One page pixel per frame pixel, keeping the centre.
  void one_to_one();
  // Moves by frame pixels; limited so that the page stays in the frame.
  void pan(double dx, double dy);

  PageView view() const;

 private:
  double fit_scale() const;
  void keep_inside();

  Size frame_{1, 1};
  Size page_{1, 1};
  double max_scale_ = 1;
  bool fitted_ = true;
  double scale_ = 1;
  double centre_x_ = 0.5;  // centre of the frame, in page pixels
  double centre_y_ = 0.5;
};

}  // namespace sail
