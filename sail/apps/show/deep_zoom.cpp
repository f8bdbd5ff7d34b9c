#include "sail/apps/show/deep_zoom.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <utility>

#include "sail/core/text/text.h"
#include "sail/media/cinema/xml_events.h"
#include "sail/media/still/vips_image.h"

namespace sail {
namespace {

constexpr std::string_view kNameSpace = "schemas.microsoft.com/deepzoom";
constexpr size_t kLongestShown = 40;
constexpr int kLeastTile = 64;
constexpr int kMostTile = 8192;
constexpr int kLongestSide = 1 << 30;
constexpr std::array<std::string_view, 4> kFormats = {"jpg", "jpeg", "png", "webp"};

Error no_deep_zoom(const std::string& words) {
  return fail(ErrorCode::kBadData, words);
}

Result<int> number_in(const XmlName& element, const char* name, int least, int most) {
  const auto found = element.attributes.find(name);
  const std::string text = found == element.attributes.end() ? "" : found->second;
  int number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
  if (whole && number >= least && number <= most) return number;
  return no_deep_zoom(
      fmt::format("has no {} from {} to {} in its element {}", name, least, most, element.name));
}

class DescriptorReader {
 public:
  Result<void> begin(const XmlPath& path) {
    const XmlName& element = path.back();
    if (path.size() == 1) return begin_root(element);
    if (path.size() == 2 && element.name == "Size") return read_size(element);
    if (element.name != "DisplayRect") return {};
    return no_deep_zoom("is sparse (DisplayRect), which is not read");
  }

  Result<DeepZoom> take() {
    if (picture_.size.width == 0) return no_deep_zoom("has no element Size");
    return std::move(picture_);
  }

 private:
  Result<void> begin_root(const XmlName& root) {
    if (root.name != "Image" || root.name_space.find(kNameSpace) == std::string::npos) {
      return no_deep_zoom(fmt::format("has the root element {} and not Image of DeepZoom",
                                      make_plain_text(root.name, kLongestShown)));
    }
    const auto tile = number_in(root, "TileSize", kLeastTile, kMostTile);
    if (!tile) return tile.error();
    const auto overlap = number_in(root, "Overlap", 0, *tile / 2);
    if (!overlap) return overlap.error();
    const auto format = root.attributes.find("Format");
    picture_.format = format == root.attributes.end() ? "" : format->second;
    if (std::ranges::find(kFormats, lower(picture_.format)) == kFormats.end()) {
      return no_deep_zoom(fmt::format("has tiles of the format \"{}\": only {} are read",
                                      make_plain_text(picture_.format, kLongestShown),
                                      fmt::join(kFormats, ", ")));
    }
    picture_.tile = *tile;
    picture_.overlap = *overlap;
    return {};
  }

  Result<void> read_size(const XmlName& element) {
    const auto width = number_in(element, "Width", 1, kLongestSide);
    if (!width) return width.error();
    const auto height = number_in(element, "Height", 1, kLongestSide);
    if (!height) return height.error();
    picture_.size = {*width, *height};
    return {};
  }

  DeepZoom picture_;
};

}  // namespace

int DeepZoom::top() const {
  const auto longest = static_cast<uint32_t>(std::max(size.width, size.height));
  return static_cast<int>(std::bit_width(longest - 1));
}

Size DeepZoom::size_of(int level) const {
  const int64_t step = int64_t{1} << (top() - level);
  const auto reduced = [step](int side) { return static_cast<int>((side + step - 1) / step); };
  return {reduced(size.width), reduced(size.height)};
}

Rect DeepZoom::tile_at(int level, int column, int row) const {
  const int x = column * tile;
  const int y = row * tile;
  const Size all = size_of(level);
  return intersect({x - overlap, y - overlap, tile + 2 * overlap, tile + 2 * overlap},
                   {0, 0, all.width, all.height});
}

Result<DeepZoom> parse_deep_zoom(std::string_view xml) {
  DescriptorReader reader;
  const auto read =
      read_xml(xml, {.begin = [&reader](const XmlPath& path) { return reader.begin(path); },
                     .end = [](const XmlPath&, std::string_view) -> Result<void> { return {}; }});
  if (!read) return read.error();
  return reader.take();
}

bool is_deep_zoom(const std::string& path) {
  const std::vector<uint8_t> bytes = head_of(path);
  const std::string_view head(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const size_t first = head.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  return first != std::string_view::npos && head[first] == '<' &&
         head.find(kNameSpace) != std::string_view::npos;
}

}  // namespace sail
