#include "sail/apps/show/still_file.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>

#include "sail/apps/show/deep_zoom.h"
#include "sail/apps/show/office_document.h"
#include "sail/core/wire/content.h"
#include "sail/media/still/still_display.h"

namespace sail {
namespace {

template <typename Kind>
Result<std::unique_ptr<Still>> open_as(const std::string& path) {
  auto opened = Kind::open(path);
  if (!opened) return opened.error();
  return std::unique_ptr<Still>(std::move(*opened));
}

// A still that is drawn in sRGB, shown on other displays.
class ConvertedStill : public Still {
 public:
  ConvertedStill(std::unique_ptr<Still> still, const codecs::DisplayColor& display)
      : still_(std::move(still)), converter_(display) {}

  int pages() const override { return still_->pages(); }
  Result<PageInfo> turn_to(int page) override { return still_->turn_to(page); }
  std::optional<PageInfo> glance(int page) override { return still_->glance(page); }
  std::optional<PagePreview> preview(int page, Size frame) override {
    auto preview = still_->preview(page, frame);
    if (preview) convert(preview->drawn.raster);
    return preview;
  }
  Result<Raster> draw(const PageView& view) override {
    auto raster = still_->draw(view);
    if (raster) convert(*raster);
    return raster;
  }

 private:
  void convert(Raster& raster) const { converter_.convert(raster.bgra.data(), raster.size); }

  const std::unique_ptr<Still> still_;
  const SrgbConverter converter_;
};

Result<std::unique_ptr<Still>> for_display(Result<std::unique_ptr<Still>> still,
                                           const codecs::DisplayColor& display) {
  if (!still || display.primaries == codecs::Primaries::kBt709) return still;
  return std::unique_ptr<Still>(std::make_unique<ConvertedStill>(std::move(*still), display));
}

// StillShow converts documents before; others see those that were converted.
Result<std::unique_ptr<Still>> open_converted(const std::string& path) {
  const auto document = OfficeDocument::read(path);
  if (!document) return document.error();
  const auto pdf = DocumentCache::of_user().find(*document);
  if (pdf) return open_as<PdfDocument>(*pdf);
  return fail(ErrorCode::kUnavailable, path + " was not converted yet; vitrail show does that");
}

}  // namespace

bool is_pdf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::array<char, 1024> start{};
  file.read(start.data(), start.size());
  const std::string_view read(start.data(), static_cast<size_t>(file.gcount()));
  return read.find("%PDF-") != std::string_view::npos;
}

Result<std::unique_ptr<Still>> open_still(const std::string& path,
                                          const codecs::DisplayColor& display) {
  if (path.starts_with(kQrScheme)) return for_display(open_as<QrPicture>(path), display);
  if (is_written(path)) return for_display(open_as<TextLayout>(path), display);
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    return fail(ErrorCode::kNotFound,
                path + " is a folder: name its files instead, for example " + path + "/*.png");
  }
  // Opening a pipe would wait for its writer.
  if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error)) {
    return fail(ErrorCode::kInvalidParams, path + " is not a file");
  }
  if (!std::ifstream(path, std::ios::binary)) {
    return fail(ErrorCode::kNotFound, path + " does not exist or cannot be read");
  }
  if (is_pdf(path)) return for_display(open_as<PdfDocument>(path), display);
  if (is_office_document(path)) return for_display(open_converted(path), display);
  if (is_svg(path)) return for_display(open_as<SvgDocument>(path), display);
  if (is_deep_zoom(path)) return for_display(open_as<DeepZoomPicture>(path), display);
  auto picture = VipsPicture::open(path, display);
  if (!picture) return picture.error();
  return std::unique_ptr<Still>(std::move(*picture));
}

}  // namespace sail
