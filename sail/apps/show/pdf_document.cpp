#include "sail/apps/show/still_file.h"

#include <fmt/core.h>
#include <poppler-document.h>
#include <poppler-image.h>
#include <poppler-page-renderer.h>
#include <poppler-page.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sail {
namespace {

constexpr double kPointsPerInch = 72;
constexpr double kUsualDpi = 150;  // a slide then has about as many pixels as a display
constexpr double kFinestDpi = 2400;
constexpr double kMaxPageSide = 100'000;  // points: 35 m

// Poppler repeats messages about damaged parts, which do not help the viewer.
void say_nothing(const std::string&, void*) {}

}  // namespace

Result<std::unique_ptr<PdfDocument>> PdfDocument::open(const std::string& path) {
  poppler::set_debug_error_function(say_nothing, nullptr);
  std::unique_ptr<PdfDocument> pdf(new PdfDocument(path));
  pdf->document_.reset(poppler::document::load_from_file(path));
  if (!pdf->document_) {
    return fail(ErrorCode::kBadData, path + " cannot be read: the PDF is damaged");
  }
  if (pdf->document_->is_locked()) {
    return fail(ErrorCode::kBadData,
                path + " requires a password: save a copy without a password and show that");
  }
  pdf->pages_ = pdf->document_->pages();
  if (pdf->pages_ <= 0) return fail(ErrorCode::kBadData, path + " has no pages");
  return pdf;
}

PdfDocument::PdfDocument(std::string path) : path_(std::move(path)) {}

PdfDocument::~PdfDocument() = default;

Result<PageInfo> PdfDocument::turn_to(int page) {
  page_.reset(document_->create_page(page));
  number_ = page;
  if (!page_) {
    return fail(ErrorCode::kBadData, fmt::format("page {} of {} is damaged", page + 1, path_));
  }
  const poppler::rectf box = page_->page_rect();
  double width = box.width();
  double height = box.height();
  const auto turned = page_->orientation();
  if (turned == poppler::page::landscape || turned == poppler::page::seascape) {
    std::swap(width, height);
  }
  if (!(width >= 1 && height >= 1 && width <= kMaxPageSide && height <= kMaxPageSide)) {
    page_.reset();
    return fail(
        ErrorCode::kLimit,
        fmt::format("page {} of {} has {:.0f}x{:.0f} points, but each side must have 1 to {:.0f}",
                    page + 1, path_, width, height, kMaxPageSide));
  }
  size_ = {static_cast<int>(std::ceil(width)), static_cast<int>(std::ceil(height))};
  return PageInfo{.size = size_,
                  .usual_scale = kUsualDpi / kPointsPerInch,
                  .max_scale = kFinestDpi / kPointsPerInch,
                  .notice = {}};
}

Result<Raster> PdfDocument::draw(const PageView& view) {
  Raster raster(view.frame);
  const SeenPart seen = seen_part(view, size_);
  const Rect& to = seen.in_frame;
  if (!page_ || to.empty()) return raster;
  poppler::page_renderer renderer;
  renderer.set_render_hint(poppler::page_renderer::antialiasing);
  renderer.set_render_hint(poppler::page_renderer::text_antialiasing);
  renderer.set_image_format(poppler::image::format_argb32);
  const double dpi = view.scale * kPointsPerInch;
  const int left = static_cast<int>(std::lround(seen.left * view.scale));
  const int top = static_cast<int>(std::lround(seen.top * view.scale));
  const poppler::image image =
      renderer.render_page(page_.get(), dpi, dpi, left, top, to.width, to.height);
  if (!image.is_valid() || image.width() < to.width || image.height() < to.height) {
    return fail(ErrorCode::kBadData,
                fmt::format("page {} of {} cannot be drawn", number_ + 1, path_));
  }
  // Little-endian ARGB is B, G, R, A; the paper is opaque.
  for (int row = 0; row < to.height; ++row) {
    const char* from = image.const_data() + ptrdiff_t{row} * image.bytes_per_row();
    std::copy_n(from, ptrdiff_t{to.width} * 4, raster.at(to.x, to.y + row));
  }
  return raster;
}

}  // namespace sail
