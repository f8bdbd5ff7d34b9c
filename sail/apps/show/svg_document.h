// An SVG drawing, rendered sharply at any zoom, on white as documents are.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sail/apps/show/still.h"

namespace sail {

// Returns true if the file begins as an SVG does.
bool is_svg(const std::string& path);

// The drawing is read into memory first, so it has no place from which it could name other files.
// Requires start_vips().
class SvgDocument : public Still {
 public:
  static Result<std::unique_ptr<SvgDocument>> open(const std::string& path);

  int pages() const override { return 1; }
  Result<PageInfo> turn_to(int page) override;
  Result<Raster> draw(const PageView& view) override;

 private:
  SvgDocument(std::string path, std::vector<uint8_t> file, Size size)
      : path_(std::move(path)), file_(std::move(file)), size_(size) {}

  const std::string path_;
  const std::vector<uint8_t> file_;
  const Size size_;
};

}  // namespace sail
