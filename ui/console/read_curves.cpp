#include "ui/console/read_curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "ui/client/tables.h"

namespace ui {
namespace {

constexpr size_t kKilo = 1024;
constexpr size_t kStep = 4;

std::optional<size_t> parse_step(std::string_view text, size_t least, size_t most) {
  size_t value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc() || value > most) return std::nullopt;
  const std::string_view unit(end, static_cast<size_t>(last - end));
  if (unit == "k") {
    value *= kKilo;
  } else if (unit == "m") {
    value *= kKilo * kKilo;
  } else if (!unit.empty()) {
    return std::nullopt;
  }
  return value >= least && value <= most ? std::optional(value) : std::nullopt;
}

const ReadCurvePoint* find(const ReadCurves& curves, size_t block, size_t depth) {
  for (const ReadCurvePoint& point : curves.points) {
    if (point.block == block && point.depth == depth) return &point;
  }
  return nullptr;
}

std::string plain(const std::string& text) {
  std::string shown;
  for (const char letter : text) {
    switch (letter) {
      case '&':
        shown += "&amp;";
        break;
      case '<':
        shown += "&lt;";
        break;
      default:
        shown += letter;
    }
  }
  return shown;
}

// Layout of the drawing, in SVG user units.
constexpr double kWidth = 640;
constexpr double kHeight = 360;
constexpr double kMargin = 60;
constexpr double kLine = 18;
constexpr const char* kColours[] = {"#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad", "#d68910", "#555"};

class Drawing {
 public:
  explicit Drawing(const std::vector<ReadCurves>& all) : all_(all) {
    for (const ReadCurves& curves : all) {
      for (const ReadCurvePoint& point : curves.points) {
        blocks_.insert(point.block);
        depths_.insert(point.depth);
        top_ = std::max(top_, point.mb_per_s);
      }
    }
  }

  std::string text() {
    axes();
    for (const ReadCurves& curves : all_) {
      for (const size_t depth : depths_) line(curves, depth);
    }
    const double height = kMargin + kHeight + kMargin + static_cast<double>(lines_) * kLine;
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" "
        "font-family=\"sans-serif\" "
        "font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{}</svg>\n",
        kMargin + kWidth + kMargin, height, body_);
  }

 private:
  double x_of(size_t block) const {
    const double first = std::log2(static_cast<double>(*blocks_.begin()));
    const double span = std::log2(static_cast<double>(*blocks_.rbegin())) - first;
    if (span <= 0) return kMargin + kWidth / 2;
    return kMargin + kWidth * (std::log2(static_cast<double>(block)) - first) / span;
  }
  double y_of(double mb_per_s) const { return kMargin + kHeight * (1 - mb_per_s / top_); }

  void write(double x, double y, const char* anchor, const std::string& words) {
    body_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y,
                         anchor, plain(words));
  }

  void axes() {
    constexpr int kMarks = 4;
    for (int i = 0; i <= kMarks; ++i) {
      const double value = top_ * i / kMarks;
      body_ +=
          fmt::format("<line x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#ddd\"/>\n",
                      kMargin, kMargin + kWidth, y_of(value), y_of(value));
      write(kMargin - kLine / 2, y_of(value), "end", fmt::format("{:.0f}", value));
    }
    write(kMargin, kMargin - kLine, "start", "MB/s by block size");
    for (const size_t block : blocks_) {
      write(x_of(block), kMargin + kHeight + kLine, "middle", step_text(block));
    }
  }

  void line(const ReadCurves& curves, size_t depth) {
    std::string points;
    for (const size_t block : blocks_) {
      const ReadCurvePoint* point = find(curves, block, depth);
      if (point == nullptr) continue;
      points += fmt::format("{:.1f},{:.1f} ", x_of(block), y_of(point->mb_per_s));
    }
    if (points.empty()) return;
    const char* colour = kColours[lines_ % std::size(kColours)];
    body_ +=
        fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n",
                    points, colour);
    const double y = kMargin + kHeight + kMargin + static_cast<double>(lines_++) * kLine;
    body_ += fmt::format("<rect x=\"{}\" y=\"{:.1f}\" width=\"12\" height=\"4\" fill=\"{}\"/>\n",
                         kMargin, y - kLine / 4, colour);
    write(kMargin + kLine, y, "start", fmt::format("{}, {} at a time", curves.name, depth));
  }

  const std::vector<ReadCurves>& all_;
  std::set<size_t> blocks_;
  std::set<size_t> depths_;
  double top_ = 1;
  size_t lines_ = 0;
  std::string body_;
};

}  // namespace

std::optional<std::vector<size_t>> parse_steps(const std::string& text, size_t least, size_t most) {
  std::vector<size_t> steps;
  const size_t dots = text.find("..");
  if (dots != std::string::npos) {
    const auto first = parse_step(std::string_view(text).substr(0, dots), least, most);
    const auto last = parse_step(std::string_view(text).substr(dots + 2), least, most);
    if (!first || !last || *first > *last) return std::nullopt;
    for (size_t step = *first; step < *last; step *= kStep) steps.push_back(step);
    steps.push_back(*last);
    return steps;
  }
  for (std::string_view rest = text;;) {
    const size_t comma = rest.find(',');
    const auto step = parse_step(rest.substr(0, comma), least, most);
    if (!step || (!steps.empty() && *step <= steps.back())) return std::nullopt;
    steps.push_back(*step);
    if (comma == std::string_view::npos) return steps;
    rest.remove_prefix(comma + 1);
  }
}

std::string step_text(size_t step) {
  if (step % (kKilo * kKilo) == 0) return fmt::format("{}m", step / (kKilo * kKilo));
  return step % kKilo == 0 ? fmt::format("{}k", step / kKilo) : fmt::format("{}", step);
}

std::string curves_text(const ReadCurves& curves) {
  std::set<size_t> blocks;
  std::set<size_t> depths;
  for (const ReadCurvePoint& point : curves.points) {
    blocks.insert(point.block);
    depths.insert(point.depth);
  }
  std::vector<std::vector<std::string>> rows{{"MB/s"}};
  for (const size_t depth : depths) rows.front().push_back(fmt::format("{} at a time", depth));
  for (const size_t block : blocks) {
    std::vector<std::string>& row = rows.emplace_back();
    row.push_back(step_text(block));
    for (const size_t depth : depths) {
      const ReadCurvePoint* point = find(curves, block, depth);
      row.push_back(point == nullptr ? "–" : fmt::format("{:.1f}", point->mb_per_s));
    }
  }
  return curves.name + "\n" + table(rows);
}

sail::Json curves_json(const std::vector<ReadCurves>& all) {
  sail::Json sources = sail::Json::array();
  for (const ReadCurves& curves : all) {
    sail::Json points = sail::Json::array();
    for (const ReadCurvePoint& point : curves.points) {
      points.push_back({{"block", point.block},
                        {"depth", point.depth},
                        {"mb_per_s", point.mb_per_s},
                        {"bytes", point.bytes},
                        {"retries", point.retries}});
    }
    sources.push_back({{"name", curves.name}, {"size", curves.size}, {"points", points}});
  }
  return {{"sources", sources}};
}

std::string curves_drawing(const std::vector<ReadCurves>& all) {
  return Drawing(all).text();
}

}  // namespace ui
