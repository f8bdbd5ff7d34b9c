// The command ticker: a window with a ticker along an edge of the wall or of a partition.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>

#include "sail/core/text/text.h"
#include "sail/core/wire/ticker_medium.h"
#include "ui/client/answers.h"
#include "ui/client/commands.h"

namespace ui {
namespace {

constexpr int kHeightsOfAnArea = 18;  // the default height is the area's, divided by this

struct TickerArguments {
  std::vector<std::string> words;
  std::string partition;
  bool top = false;
  int height = 0;  // 0: by the area
  sail::TickerMedium medium;
  std::string ink;
  std::string paper;

  bool is_off() const { return words.size() == 1 && words.front() == "off"; }
};

// x, y, width, height.
using WallArea = std::array<int64_t, 4>;

std::optional<WallArea> area_in(const sail::Json& rect) {
  if (!rect.is_array() || rect.size() != 4) return std::nullopt;
  if (!std::ranges::all_of(rect, [](const auto& side) { return side.is_number_integer(); })) {
    return std::nullopt;
  }
  return rect.get<WallArea>();
}

// The wall, or the partition.
sail::Result<WallArea> area_of(const sail::Json& state, const std::string& partition) {
  const sail::Json size = member(member(state, "wall"), "size");
  sail::Json rect;
  if (partition.empty() && size.is_array() && size.size() == 2) rect = {0, 0, size[0], size[1]};
  for (const sail::Json& one : member(state, "partitions")) {
    if (!partition.empty() && text_member(one, "name") == partition) rect = member(one, "rect");
  }
  const auto area = area_in(rect);
  if (area) return *area;
  return sail::fail(sail::ErrorCode::kNotFound,
                    fmt::format("there is no partition '{}': see `vitrail partition`", partition));
}

WallArea strip_in(const WallArea& area, const TickerArguments& arguments) {
  const auto [x, y, width, height] = area;
  const int64_t usual = std::clamp<int64_t>(height / kHeightsOfAnArea, sail::kLeastTickerHeight,
                                            sail::kMostTickerHeight);
  const int64_t strip = std::min(arguments.height == 0 ? usual : arguments.height, height);
  return {x, arguments.top ? y : y + height - strip, width, strip};
}

bool is_inside(const WallArea& rect, const WallArea& area) {
  return rect[0] >= area[0] && rect[1] >= area[1] && rect[0] + rect[2] <= area[0] + area[2] &&
         rect[1] + rect[3] <= area[1] + area[3];
}

struct TickerWindow {
  int64_t number = 0;
  WallArea place{};
};

// The windows with tickers inside of the area.
std::vector<TickerWindow> tickers_in(const sail::Json& state, const WallArea& area) {
  std::vector<TickerWindow> tickers;
  for (const sail::Json& window : member(state, "windows")) {
    const sail::Json media = member(window, "media");
    const auto rect = area_in(member(window, "rect"));
    if (!rect || !is_inside(*rect, area) || !media.is_array() || media.empty()) continue;
    const auto* const medium = media.front().get_ptr<const std::string*>();
    if (medium == nullptr || !sail::is_ticker(*medium)) continue;
    // The picture may fill less than the window's place.
    const auto place = area_in(member(window, "place"));
    tickers.push_back({number_member(window, "window"), place.value_or(*rect)});
  }
  return tickers;
}

// Whether both are as wide as the area, and along the same edge. Tickers of narrower partitions are
// not.
bool share_edge(const WallArea& place, const WallArea& strip, bool top) {
  return place[0] == strip[0] && place[2] == strip[2] &&
         (top ? place[1] == strip[1] : place[1] + place[3] == strip[1] + strip[3]);
}

// A file, a URL, or a text.
sail::Result<std::string> content_of(const std::vector<std::string>& words) {
  const std::string text = fmt::format("{}", fmt::join(words, " "));
  std::error_code error;
  if (std::filesystem::is_regular_file(text, error)) {
    return std::filesystem::canonical(text, error).string();
  }
  const bool exists = std::filesystem::exists(text, error);
  if (!exists && !text.starts_with('/')) return text;
  const char* const hint = "to show this as a text, put a blank before it, within the quotes";
  return exists ? sail::fail(sail::ErrorCode::kInvalidParams,
                             fmt::format("{} is not a file: {}", text, hint))
                : sail::fail(sail::ErrorCode::kNotFound,
                             fmt::format("there is no file {}: {}", text, hint));
}

int end_tickers(Context& context, const std::vector<TickerWindow>& tickers) {
  std::vector<int64_t> windows;
  for (const TickerWindow& ticker : tickers) windows.push_back(ticker.number);
  if (windows.empty()) return context.done({{"windows", windows}}, "there is no ticker");
  return context.perform("close", {{"windows", windows}});
}

// Takes the place of the ticker in the same strip, and ends tickers of other heights there.
int show_ticker(Context& context, const sail::Json& state, const WallArea& area,
                TickerArguments arguments) {
  constexpr int64_t kOpensMs = 60'000;  // until the text is read and the window opens
  auto content = content_of(arguments.words);
  if (!content) return context.report(content.error());
  arguments.medium.content = *std::move(content);
  if (!arguments.ink.empty()) arguments.medium.ink = *sail::parse_colour(arguments.ink);
  if (!arguments.paper.empty()) arguments.medium.paper = *sail::parse_colour(arguments.paper);
  sail::Json params{{"media", {sail::ticker_text(arguments.medium)}}};
  const WallArea strip = strip_in(area, arguments);
  std::vector<int64_t> others;
  for (const TickerWindow& ticker : tickers_in(state, area)) {
    if (!share_edge(ticker.place, strip, arguments.top)) continue;
    if (ticker.place == strip && !params.contains("window")) {
      params["window"] = ticker.number;
    } else {
      others.push_back(ticker.number);
    }
  }
  const bool replaces = params.contains("window");
  if (!replaces) params["place"] = strip;
  const int code = context.perform(
      replaces ? "replace" : "play", params,
      [](const sail::Json& result) {
        return fmt::format("window {}", number_member(result, "window"));
      },
      kOpensMs);
  if (code != kDone || others.empty()) return code;
  return context.call("close", {{"windows", others}}) ? kDone : context.failure();
}

int run_ticker(Context& context, const TickerArguments& arguments) {
  const auto state = context.call_for_all_windows("list");
  if (!state) return context.failure();
  const auto area = area_of(*state, arguments.partition);
  if (!area) return context.report(area.error());
  if (arguments.is_off()) return end_tickers(context, tickers_in(*state, *area));
  return show_ticker(context, *state, *area, arguments);
}

std::string colour_mistake(const std::string& text) {
  return sail::parse_colour(text) ? "" : "must be #RRGGBB, in hexadecimal digits";
}

}  // namespace

void add_ticker_command(const Command& app, Context& context) {
  const auto arguments = std::make_shared<TickerArguments>();
  const Command ticker =
      app.command("ticker", "Let a line of text run along the edge of the wall or of a partition")
          .group("Players");
  ticker
      .option("text", arguments->words,
              "The text; a text file, which is read again when it changes; a feed (RSS, Atom), as "
              "a file or URL, which is read every five minutes; off: end the tickers. A text that "
              "begins with / needs a blank before it")
      .required();
  ticker.option("--partition", arguments->partition, "Partition instead of the whole wall")
      .form("NAME");
  ticker.flag("--top", arguments->top, "Along the upper edge, not the lower one");
  ticker.option("--height", arguments->height, "Height in wall pixels; default: by the area")
      .between(sail::kLeastTickerHeight, sail::kMostTickerHeight);
  ticker
      .option("--speed", arguments->medium.speed,
              "Pixels a second; becomes a multiple of 30, so that all steps are equal")
      .between(1, sail::kMostTickerSpeed)
      .shows_default();
  ticker.option("--ink", arguments->ink, "Colour of the text: #RRGGBB").check(colour_mistake);
  ticker.option("--paper", arguments->paper, "Colour behind it: #RRGGBB").check(colour_mistake);
  ticker.runs([&context, arguments] { return run_ticker(context, *arguments); });
}

}  // namespace ui
