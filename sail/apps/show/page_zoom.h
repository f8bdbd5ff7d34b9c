// The part of a page that users have zoomed and panned to. Pure.
#pragma once

#include "sail/apps/show/still.h"
#include "sail/core/base/geometry.h"

namespace sail {

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
