// Which part of a page people have zoomed and panned to. Pure.
#pragma once

#include "sail/base/geometry.h"
#include "sail/desk/still.h"

namespace sail {

class PageZoom {
 public:
  // Both keep what is seen as far as they can; a page that was fitted stays so.
  void set_frame(Size frame);
  // Begins anew, fitted.
  void set_page(Size page, double max_scale);

  // Fitted: the whole page, as large as the frame allows.
  void fit();
  bool fitted() const { return fitted_; }
  // What is at (x, y) of the frame stays there. Out to the fitted page, in to the most.
  void zoom(double factor, double x, double y);
  // One frame pixel a page pixel, about the frame's middle.
  void one_to_one();
  // By frame pixels; the page does not leave the frame.
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
  double centre_x_ = 0.5;  // of the frame, page pixels
  double centre_y_ = 0.5;
};

}  // namespace sail
