#include "tests/support/desktop/stills.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <vips/vips.h>

#include <fstream>
#include <iterator>
#include <memory>

namespace test {
namespace {

struct Unref {
  void operator()(VipsImage* image) const { g_object_unref(image); }
};
using Handle = std::unique_ptr<VipsImage, Unref>;

Handle image_of(std::vector<uint8_t>& pixels, sail::Size size, int bands) {
  return Handle(vips_image_new_from_memory_copy(pixels.data(), pixels.size(), size.width,
                                                size.height, bands, VIPS_FORMAT_UCHAR));
}

}  // namespace

void write_picture(const std::string& path, sail::Size size, const Colours& colours) {
  std::vector<uint8_t> pixels;
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x) {
      const uint32_t colour = colours(x, y);
      for (const int shift : {16, 8, 0}) pixels.push_back(static_cast<uint8_t>(colour >> shift));
    }
  }
  const Handle image = image_of(pixels, size, 3);
  EXPECT_EQ(vips_image_write_to_file(image.get(), path.c_str(), nullptr), 0) << vips_error_buffer();
}

void hide_quantisation_tables(const std::string& jpeg) {
  std::fstream file(jpeg, std::ios::in | std::ios::out | std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  const size_t scan = bytes.find("\xff\xda");
  size_t hidden = 0;
  for (size_t at = 0; (at = bytes.find("\xff\xdb", at)) < scan; ++at, ++hidden) {
    file.seekp(static_cast<std::streamoff>(at) + 1);
    file.put('\xef');  // a segment that readers skip
  }
  EXPECT_GT(hidden, 0U) << jpeg;
}

void hide_pixels(const std::string& png) {
  constexpr size_t kNameBytes = 4;
  std::fstream file(png, std::ios::in | std::ios::out | std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  const size_t pixels = bytes.find("IDAT") + kNameBytes;
  file.seekp(static_cast<std::streamoff>(pixels));
  file << std::string(bytes.size() - pixels, '\0');
}

uint8_t mosaic(int x, int y) {
  const auto column = static_cast<uint32_t>(x / kMosaicSide);
  const auto row = static_cast<uint32_t>(y / kMosaicSide);
  return static_cast<uint8_t>((column * 0x9e3779b1U ^ row * 0x85ebca6bU) >> 21);
}

void write_mosaic(const std::string& path, sail::Size size, Levels levels) {
  std::vector<uint8_t> stones;
  for (int y = 0; y < size.height; y += kMosaicSide) {
    for (int x = 0; x < size.width; x += kMosaicSide) stones.push_back(mosaic(x, y));
  }
  const Handle small = image_of(stones, {size.width / kMosaicSide, size.height / kMosaicSide}, 1);
  VipsImage* large = nullptr;
  ASSERT_EQ(vips_zoom(small.get(), &large, kMosaicSide, kMosaicSide, nullptr), 0);
  const Handle whole(large);
  EXPECT_EQ(
      vips_tiffsave(whole.get(), path.c_str(), "tile", TRUE, "tile_width", 256, "tile_height", 256,
                    "pyramid", levels != Levels::kNone, "subifd", levels == Levels::kSubifds,
                    "compression", VIPS_FOREIGN_TIFF_COMPRESSION_LZW, nullptr),
      0)
      << vips_error_buffer();
}

void write_pdf(const std::string& path, sail::Size page, const std::vector<uint32_t>& colours) {
  std::string kids;
  std::vector<std::string> objects{"<< /Type /Catalog /Pages 2 0 R >>", ""};
  for (const uint32_t colour : colours) {
    const size_t number = objects.size() + 1;
    kids += fmt::format("{} 0 R ", number);
    objects.push_back(
        fmt::format("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {} {}] /Contents {} 0 R >>",
                    page.width, page.height, number + 1));
    const auto part = [&](int shift) { return ((colour >> shift) & 0xff) / 255.0; };
    const std::string drawing = fmt::format("{:.4f} {:.4f} {:.4f} rg 0 0 {} {} re f", part(16),
                                            part(8), part(0), page.width / 2, page.height);
    objects.push_back(
        fmt::format("<< /Length {} >>\nstream\n{}\nendstream", drawing.size(), drawing));
  }
  objects[1] = fmt::format("<< /Type /Pages /Kids [{}] /Count {} >>", kids, colours.size());

  std::string text = "%PDF-1.4\n";
  std::string table = fmt::format("xref\n0 {}\n0000000000 65535 f \n", objects.size() + 1);
  for (size_t i = 0; i < objects.size(); ++i) {
    table += fmt::format("{:010} 00000 n \n", text.size());
    text += fmt::format("{} 0 obj\n{}\nendobj\n", i + 1, objects[i]);
  }
  std::ofstream(path, std::ios::binary)
      << text << table
      << fmt::format("trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{}\n%%EOF\n",
                     objects.size() + 1, text.size());
}

}  // namespace test
