#include "ui/console/read_curves.h"

#include <fmt/format.h>

#include <charconv>
#include <set>

#include "ui/client/answers.h"
#include "ui/console/stats_csv.h"

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

std::string curves_csv(const std::vector<ReadCurves>& all) {
  std::string text = "source,block,depth,mb_per_s,bytes,retries\n";
  for (const ReadCurves& curves : all) {
    for (const ReadCurvePoint& point : curves.points) {
      text += fmt::format("{},{},{},{:.1f},{},{}\n", csv_cell(curves.name), point.block,
                          point.depth, point.mb_per_s, point.bytes, point.retries);
    }
  }
  return text;
}

}  // namespace ui
