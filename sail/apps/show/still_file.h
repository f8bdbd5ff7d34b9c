// The media of vitrail-show: files, notes, clocks and QR codes. Each kind of still has a source
// file of its own, named after its class.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codecs/color/color_transform.h"
#include "sail/apps/show/still.h"
#include "sail/core/text/qr_code.h"

namespace poppler {
class document;
class page;
}  // namespace poppler

namespace sail {

// A PDF document drawn by poppler. Only pdf_document.cpp uses poppler.
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

// Returns true if the file begins as an SVG does.
bool is_svg(const std::string& path);

// An SVG drawing, rendered sharply at any zoom, on white as documents are. The drawing is read into
// memory first, so it has no place from which it could name other files.
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

// Pictures in a file, read by libvips: small ones completely, large ones by visible region.
// Requires start_vips().
class VipsPicture : public Still {
 public:
  // Reads only the header. Returns kBadData on failure.
  static Result<std::unique_ptr<VipsPicture>> open(const std::string& path,
                                                   const codecs::DisplayColor& display);
  ~VipsPicture() override;

  int pages() const override;
  Result<PageInfo> turn_to(int page) override;
  std::optional<PageInfo> glance(int page) override;
  std::optional<PagePreview> preview(int page, Size frame) override;
  Result<Raster> draw(const PageView& view) override;

 private:
  struct Impl;
  explicit VipsPicture(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// A picture of DeepZoom, whose tiles are read when they are visible. The area of a tile that is
// missing or damaged is drawn from coarser levels, or is black. Requires start_vips().
class DeepZoomPicture : public Still {
 public:
  // Reads only the descriptor. kNotFound: its folders of tiles are missing.
  static Result<std::unique_ptr<DeepZoomPicture>> open(const std::string& path);
  ~DeepZoomPicture() override;

  int pages() const override { return 1; }
  Result<PageInfo> turn_to(int page) override;
  std::optional<PageInfo> glance(int page) override;
  std::optional<PagePreview> preview(int page, Size frame) override;
  Result<Raster> draw(const PageView& view) override;
  std::string defects() const override;

 private:
  struct Impl;
  explicit DeepZoomPicture(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Text as a still: a note, or a clock. Drawn by Pango and Cairo with the machine's fonts, in any
// script and direction, at the resolution of the wall.
class TextLayout : public Still {
 public:
  // medium: "note:TEXT", with line breaks written as "\n" (backslash and n), or "clock:[ZONE]" with
  // a time zone name; without a name, local time. kInvalidParams: empty note or unknown zone.
  static Result<std::unique_ptr<TextLayout>> open(std::string_view medium);
  ~TextLayout() override;

  int pages() const override { return 1; }
  Result<PageInfo> turn_to(int page) override;
  Result<Raster> draw(const PageView& view) override;

 private:
  struct Impl;
  explicit TextLayout(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// A text as a QR code, sharp at any size.
class QrPicture : public Still {
 public:
  // medium: "qr:TEXT". kInvalidParams: see qr_code().
  static Result<std::unique_ptr<QrPicture>> open(const std::string& medium);

  int pages() const override { return 1; }
  Result<PageInfo> turn_to(int page) override;
  Result<Raster> draw(const PageView& view) override;

 private:
  explicit QrPicture(QrCode code) : code_(std::move(code)) {}
  const QrCode code_;
};

// Returns the window title: a note's first line, the clock's zone, or the QR code's text.
std::string title_of_writing(std::string_view medium);

// Returns true if the file is a PDF. Readers accept the signature anywhere in the first 1024 bytes
// (ISO 32000, implementation notes).
bool is_pdf(const std::string& path);

// Detects the format from the first bytes and not from the name: PDF uses poppler, SVG librsvg,
// DeepZoom its tiles, everything else libvips. "note:…", "clock:…" and "qr:…" are not files. Draws
// in the colours of the display. Returns kNotFound if the file does not exist.
Result<std::unique_ptr<Still>> open_still(const std::string& path,
                                          const codecs::DisplayColor& display = {});

}  // namespace sail
