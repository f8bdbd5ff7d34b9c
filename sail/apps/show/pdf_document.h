// A PDF document drawn by poppler. Only this file uses poppler.
#pragma once

#include <memory>
#include <string>

#include "sail/apps/show/still.h"

namespace poppler {
class document;
class page;
}  // namespace poppler

namespace sail {

class PdfDocument : public Still {
 public:
  // kBadData: damaged, encrypted, or without pages.
  static Result<std::unique_ptr<PdfDocument>> open(const std::string& path);
  ~PdfDocument() override;

  int pages() const override { return pages_; }
  Result<PageInfo> turn_to(int page) override;
  Result<Raster> draw(const PageView& view) override;

 private:
  explicit PdfDocument(std::string path);

  const std::string path_;
  std::unique_ptr<poppler::document> document_;
  std::unique_ptr<poppler::page> page_;
  int pages_ = 0;
  int number_ = 0;  // number of page_, from 0
  Size size_;
};

}  // namespace sail
