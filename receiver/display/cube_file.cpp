#include "receiver/display/cube_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include "sail/core/base/private_file.h"

namespace receiver {
namespace {

using codecs::ColorLut;

constexpr size_t kMaxWords = 5;  // words in a line; valid lines have no more

struct Words {
  std::array<std::string_view, kMaxWords> words;
  size_t count = 0;

  explicit Words(std::string_view line) {
    constexpr std::string_view kSpaces = " \t\r";
    size_t begin = line.find_first_not_of(kSpaces);
    while (begin != std::string_view::npos && count < kMaxWords) {
      const size_t end = std::min(line.find_first_of(kSpaces, begin), line.size());
      words[count++] = line.substr(begin, end - begin);
      begin = line.find_first_not_of(kSpaces, end);
    }
  }
};

template <typename Number>
bool read_number(std::string_view word, Number& number) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc() && end == word.data() + word.size();
}

// Reads exactly as many finite numbers as there are places for.
bool read_numbers(std::span<const std::string_view> words, std::span<double> numbers) {
  if (words.size() != numbers.size()) return false;
  for (size_t i = 0; i < words.size(); ++i) {
    if (!read_number(words[i], numbers[i])) return false;
    if (!std::isfinite(static_cast<float>(numbers[i]))) return false;
  }
  return true;
}

class CubeReader {
 public:
  explicit CubeReader(std::string_view text) : rest_(text) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (rest_.starts_with(kByteOrderMark)) rest_.remove_prefix(kByteOrderMark.size());
  }

  sail::Result<ColorLut> read() {
    while (!rest_.empty()) {
      ++line_;
      const std::string_view line = rest_.substr(0, rest_.find('\n'));
      rest_.remove_prefix(std::min(rest_.size(), line.size() + 1));
      const Words split(line);
      if (split.count == 0 || split.words[0].starts_with('#')) continue;
      if (auto taken = take(std::span(split.words).first(split.count)); !taken)
        return taken.error();
    }
    if (lut_.side == 0) return refuse("the file ends without LUT_1D_SIZE or LUT_3D_SIZE");
    if (lut_.entries.size() == wanted()) return std::move(lut_);
    return refuse(fmt::format("the file ends after {} of {} rows", lut_.entries.size(), wanted()));
  }

 private:
  using Line = std::span<const std::string_view>;

  sail::Error refuse(std::string_view what) const {
    return sail::fail(sail::ErrorCode::kInvalidParams, fmt::format("line {}: {}", line_, what));
  }
  size_t wanted() const {
    const auto side = static_cast<size_t>(lut_.side);
    return lut_.is_cube ? side * side * side : side;
  }

  sail::Result<void> take(Line line) {
    const std::string_view first = line[0];
    if (first == "TITLE") return {};
    const bool is_word =
        (first[0] >= 'A' && first[0] <= 'Z') || (first[0] >= 'a' && first[0] <= 'z');
    if (!is_word) return take_row(line);
    if (!lut_.entries.empty()) return refuse("not three numbers; keywords must precede the rows");
    if (first == "LUT_1D_SIZE") return take_size(line, false);
    if (first == "LUT_3D_SIZE") return take_size(line, true);
    if (first == "DOMAIN_MIN" || first == "DOMAIN_MAX") return take_domain(line);
    if (first == "LUT_1D_INPUT_RANGE" || first == "LUT_3D_INPUT_RANGE") return take_range(line);
    return refuse(
        "neither three numbers nor a known keyword: TITLE, LUT_1D_SIZE, LUT_3D_SIZE, DOMAIN_MIN, "
        "DOMAIN_MAX, "
        "LUT_1D_INPUT_RANGE, LUT_3D_INPUT_RANGE and rows of three numbers are allowed");
  }

  sail::Result<void> take_size(Line line, bool is_cube) {
    if (lut_.side != 0) return refuse("a second size: one table a file, 1-D or 3-D, is allowed");
    const int most = is_cube ? ColorLut::kMaxCubeSide : ColorLut::kMaxCurveSide;
    int side = 0;
    if (line.size() != 2 || !read_number(line[1], side) || side < 2 || side > most) {
      return refuse(fmt::format("the size must be a whole number from 2 to {}", most));
    }
    lut_.side = side;
    lut_.is_cube = is_cube;
    lut_.entries.reserve(wanted());
    return {};
  }

  sail::Result<void> take_domain(Line line) {
    auto& bounds = line[0] == "DOMAIN_MIN" ? lut_.domain_min : lut_.domain_max;
    if (!read_numbers(line.subspan(1), bounds)) return refuse("must be three finite numbers");
    return {};
  }

  sail::Result<void> take_range(Line line) {
    if (lut_.side == 0 || lut_.is_cube != (line[0][4] == '3')) {
      return refuse("the input range must follow the size of the same kind of table");
    }
    std::array<double, 2> range{};
    if (!read_numbers(line.subspan(1), range)) return refuse("must be two finite numbers");
    lut_.domain_min.fill(range[0]);
    lut_.domain_max.fill(range[1]);
    return {};
  }

  sail::Result<void> take_row(Line line) {
    if (lut_.side == 0) return refuse("a row before LUT_1D_SIZE or LUT_3D_SIZE");
    if (lut_.entries.empty()) {
      for (size_t i = 0; i < lut_.domain_min.size(); ++i) {
        if (lut_.domain_max[i] - lut_.domain_min[i] > kLeastDomain) continue;
        return refuse("the maximum of the domain above must be greater than the minimum");
      }
    }
    if (lut_.entries.size() == wanted()) {
      return refuse(fmt::format("one row too many: the size allows {}", wanted()));
    }
    std::array<double, 3> row{};
    if (!read_numbers(line, row)) return refuse("must be three finite numbers");
    lut_.entries.push_back(
        {static_cast<float>(row[0]), static_cast<float>(row[1]), static_cast<float>(row[2])});
    return {};
  }

  static constexpr double kLeastDomain = 1e-6;

  std::string_view rest_;
  size_t line_ = 0;
  ColorLut lut_;
};

}  // namespace

sail::Result<ColorLut> parse_cube(std::string_view text) {
  return CubeReader(text).read();
}

sail::Result<ColorLut> load_cube(const std::string& path) {
  // Opening a pipe would wait for its writer.
  std::error_code error;
  if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error)) {
    return sail::fail(sail::ErrorCode::kInvalidParams, path + " is not a file");
  }
  const auto text = sail::read_file(path, kMaxCubeFileBytes);
  if (!text) return text.error();
  if (text->size() > kMaxCubeFileBytes) {
    return sail::fail(sail::ErrorCode::kLimit,
                      fmt::format("{}: more than {} MiB", path, kMaxCubeFileBytes >> 20U));
  }
  auto lut = parse_cube(*text);
  if (!lut) return sail::fail(lut.error().code, fmt::format("{}: {}", path, lut.error().message));
  return lut;
}

}  // namespace receiver
