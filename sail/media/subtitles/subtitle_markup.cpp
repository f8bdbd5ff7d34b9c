#include "sail/media/subtitles/subtitle_markup.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace sail {
namespace {

std::string_view without_spaces(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
}

// Removes the number that the text begins with. Empty: there is none.
std::optional<double> take_number(std::string_view& text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::invalid_argument) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return error == std::errc() ? number : std::numeric_limits<double>::infinity();
}

bool begins_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0U) != 0x80U;
}

class MarkupReader {
 public:
  explicit MarkupReader(const MarkupScript& script)
      : script_(script),
        font_(script.font_size),
        largest_{.font = script.font_size,
                 .scale_x = 100 * script.scale_x,
                 .scale_y = 100 * script.scale_y,
                 .border = script.border},
        plain_letter_(pictures(script.font_size, script.font_size)) {}

  SubtitleMarkup read(std::string_view text) {
    while (!text.empty()) {
      const size_t begin = find_tags(text);
      const size_t end = text.find('}', std::min(begin, text.size()));
      if (end == std::string_view::npos) {
        add_text(text);
        break;
      }
      add_text(text.substr(0, begin));
      add_tags(text.substr(begin + 1, end - begin - 1));
      text.remove_prefix(end + 1);
    }
    cut_plain_text();
    const bool good = markup_.characters <= kMostCharacters && tags_ <= kMostTags &&
                      transforms_ <= kMostTransforms && bytes_ <= kMostMarkupBytes &&
                      markup_.ink <= kMostInk;  // false if not a number
    markup_.excessive = !good;
    return std::move(markup_);
  }

 private:
  // The largest values of the tags until now.
  struct Largest {
    double font = 0;
    double scale_x = 0;  // percent
    double scale_y = 0;
    double border = 0;
    double blur = 0;
    double edge_blur = 0;
    double shear_x = 0;
    double shear_y = 0;
  };

  // Where the next block of tags begins. "\{" is text.
  size_t find_tags(std::string_view text) const {
    size_t at = text.find('{');
    while (drawing_ == 0 && at != std::string_view::npos && at > 0 && text[at - 1] == '\\') {
      at = text.find('{', at + 1);
    }
    return at;
  }

  double pictures(double width, double height) const {
    const double margin = 2 * (largest_.border + 2 * largest_.blur);
    const double x = width * largest_.scale_x / 100 * (1 + largest_.shear_x) + margin;
    const double y = height * largest_.scale_y / 100 * (1 + largest_.shear_y) + margin;
    constexpr double kBlursOfADrawing = 16;
    return x * y * (1 + largest_.edge_blur / kBlursOfADrawing) / script_.size.width /
           script_.size.height;
  }

  void add_text(std::string_view text) {
    if (text.empty()) return;
    if (drawing_ > 0) return add_drawing(text);
    const auto count = static_cast<size_t>(std::ranges::count_if(text, begins_character));
    markup_.characters += count;
    markup_.ink += static_cast<double>(count) * pictures(largest_.font, largest_.font);
    markup_.plain += text;
  }

  // Commands and pairs of coordinates.
  void add_drawing(std::string_view text) {
    bytes_ += text.size();
    constexpr double kNowhere = std::numeric_limits<double>::infinity();
    double left = kNowhere, right = -kNowhere, top = kNowhere, bottom = -kNowhere;
    bool is_x = true;
    while (!text.empty()) {
      const auto number = take_number(text);
      if (!number) {
        text.remove_prefix(1);
        continue;
      }
      double& low = is_x ? left : top;
      double& high = is_x ? right : bottom;
      low = std::min(low, *number);
      high = std::max(high, *number);
      is_x = !is_x;
    }
    if (bottom < top) return;
    const double step = std::exp2(1 - drawing_);  // script pixels
    markup_.ink += pictures((right - left) * step, (bottom - top) * step);
  }

  void add_tags(std::string_view block) {
    bytes_ += block.size();
    for (size_t at = block.find('\\'); at != std::string_view::npos; at = block.find('\\')) {
      block.remove_prefix(at + 1);
      if (++tags_ > kMostTags) return;
      add_tag(without_spaces(block));
    }
  }

  void add_tag(std::string_view tag) {
    struct Kind {
      std::string_view name;
      double Largest::*value;
    };
    // A name that begins with another one stands before that.
    static constexpr std::array<Kind, 10> kKinds = {{{"fscx", &Largest::scale_x},
                                                     {"fscy", &Largest::scale_y},
                                                     {"fax", &Largest::shear_x},
                                                     {"fay", &Largest::shear_y},
                                                     {"xbord", &Largest::border},
                                                     {"ybord", &Largest::border},
                                                     {"bord", &Largest::border},
                                                     {"shad", &Largest::border},
                                                     {"blur", &Largest::blur},
                                                     {"be", &Largest::edge_blur}}};
    for (const Kind& kind : kKinds) {
      if (!tag.starts_with(kind.name)) continue;
      double& value = largest_.*kind.value;
      value = std::max(value, std::abs(value_of(tag, kind.name)));
      return;
    }
    if (tag.starts_with("fsp")) return;
    if (tag.starts_with("fs")) return set_font(tag);
    if (tag.starts_with("t(")) ++transforms_;
    if (tag.starts_with("clip(") || tag.starts_with("iclip(")) {
      const bool is_drawn = tag.substr(0, tag.find(')')).find('m') != std::string_view::npos;
      if (is_drawn) markup_.ink += kInkOfADrawnClip;
    }
    const bool other = tag.starts_with("pos") || tag.starts_with("pbo");
    if (tag.starts_with('p') && !other) drawing_ = std::max(value_of(tag, "p"), 0.0);
  }

  static double value_of(std::string_view tag, std::string_view name) {
    std::string_view rest = without_spaces(tag.substr(name.size()));
    if (rest.starts_with('(')) rest = without_spaces(rest.substr(1));
    return take_number(rest).value_or(0);
  }

  // With a sign, the number is relative: tenths of the current size.
  void set_font(std::string_view tag) {
    const std::string_view rest = without_spaces(tag.substr(2));
    const double value = value_of(tag, "fs");
    const bool relative = rest.starts_with('+') || rest.starts_with('-');
    font_ = relative ? font_ * std::max(1 + value / 10, 0.0) : value;
    largest_.font = std::max(largest_.font, font_);
    if (font_ <= 0) font_ = script_.font_size;
  }

  // The plain text is drawn by the styles alone.
  void cut_plain_text() {
    const double fitting = plain_letter_ > 0 ? kMostInk / plain_letter_ : 0;
    auto left = static_cast<size_t>(std::min<double>(kMostPlainCharacters, fitting));
    size_t end = 0;
    for (; end < markup_.plain.size(); ++end) {
      if (begins_character(markup_.plain[end]) && left-- == 0) break;
    }
    markup_.plain.resize(end);
  }

  static constexpr double kInkOfADrawnClip = 0.25;

  const MarkupScript script_;
  double font_;  // current size
  Largest largest_;
  const double plain_letter_;  // area of a letter that is drawn by the styles alone
  double drawing_ = 0;         // value of \p; 0: text
  size_t tags_ = 0;
  size_t transforms_ = 0;
  size_t bytes_ = 0;
  SubtitleMarkup markup_;
};

}  // namespace

SubtitleMarkup read_markup(std::string_view text, const MarkupScript& script) {
  return MarkupReader(script).read(text);
}

}  // namespace sail
