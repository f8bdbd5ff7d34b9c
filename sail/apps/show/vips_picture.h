// Pictures in a file, read by libvips: small ones completely, large ones by visible region.
#pragma once

#include <memory>
#include <string>

#include "sail/apps/show/still.h"

namespace sail {

// Requires start_vips().
class VipsPicture : public Still {
 public:
  // Reads only the header. Returns kBadData on failure.
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
