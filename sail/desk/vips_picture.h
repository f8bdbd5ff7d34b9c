// A picture, or several in one file, as libvips reads them: small ones whole, large ones by the
// parts that are seen.
#pragma once

#include <memory>
#include <string>

#include "sail/desk/still.h"

namespace sail {

// A VipsLibrary must be there as long.
class VipsPicture : public Still {
 public:
  // kBadData with libvips' reason; nothing but the header is read.
  static Result<std::unique_ptr<VipsPicture>> open(const std::string& path);
  ~VipsPicture() override;

  int pages() const override;
  Result<PageInfo> turn_to(int page) override;
  Result<Raster> draw(const PageView& view) override;

 private:
  struct Impl;
  explicit VipsPicture(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sail
