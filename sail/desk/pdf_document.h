// A PDF document as poppler draws it. The only place that knows poppler.
#pragma once

#include <memory>
#include <string>

#include "sail/desk/still.h"

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
  int number_ = 0;  // of page_, from 0
  Size size_;
};

}  // namespace sail
