// Drawings on windows and on the wall.
#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <tuple>
#include <utility>

#include "manager/commands/verbs.h"
#include "manager/desk/desk.h"
#include "manager/peers/peers.h"
#include "sail/core/routing/overlay_shape.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/wall/picture_map.h"

namespace manager::verbs {
namespace {

constexpr size_t kMostGivenPoints = 2000;
constexpr size_t kMostEraserPoints = 200;  // Each is compared with all strokes.
constexpr double kUsualWidth = 8;          // Wall pixels.
constexpr double kUsualEraserWidth = 40;
constexpr double kUsualTextSize = 48;
constexpr double kThinnest = 1;
constexpr double kSmallestText = 6;
constexpr double kFaintest = 0.05;

struct WantedStroke {
  uint32_t window = 0;  // 0: on the wall.
  std::vector<StrokePoint> line{};
  double width = kUsualWidth;  // Or the height of a line of text.
  bool in_picture = false;     // The above are in pixels of the window's picture, not of the wall.
  sail::OverlayStroke stroke{};
};

std::vector<StrokePoint> read_line(sail::JsonFields& fields, size_t most_points) {
  std::vector<StrokePoint> line;
  for (const sail::Json& item : fields.array("points", most_points)) {
    const auto is_near = [](const sail::Json& value) {
      return value.is_number() && std::abs(value.get<double>()) <= sail::kMaxStrokeOffset;
    };
    if (!item.is_array() || item.size() != 2 || !is_near(item[0]) || !is_near(item[1])) {
      fields.mistake("points", "must contain points [x, y] in pixels");
      break;
    }
    line.push_back({item[0].get<double>(), item[1].get<double>()});
  }
  if (line.empty()) fields.mistake("points", "must contain at least one point");
  return line;
}

// The colour of the client's pointer.
uint32_t colour_of(const Peers& peers, const Call& call) {
  const auto& clients = peers.clients();
  const auto client = clients.find(call.peer.id());
  constexpr uint32_t kRed = 0xff3b30;
  if (client == clients.end()) return kRed;
  return sail::parse_colour(client->second.colour).value_or(kRed);
}

// Whether the line has only spaces, of any script.
bool is_blank(std::string_view line) {
  constexpr std::string_view kSpaces[] = {
      " ",      "\u00a0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005",
      "\u2006", "\u2007", "\u2008", "\u2009", "\u200a", "\u202f", "\u205f", "\u3000"};
  while (!line.empty()) {
    const auto* const space = std::ranges::find_if(
        kSpaces, [line](std::string_view one) { return line.starts_with(one); });
    if (space == std::end(kSpaces)) return false;
    line.remove_prefix(space->size());
  }
  return true;
}

void read_text(sail::JsonFields& fields, WantedStroke& wanted) {
  std::vector<std::string>& text = wanted.stroke.text;
  sail::values<sail::read_label_line>(sail::kMaxLabelLines).read(fields, "text", text);
  if (std::ranges::all_of(text, is_blank)) fields.mistake("text", "must contain a letter");
  if (wanted.line.size() > 1) {
    fields.mistake("points", "must contain one point for a text: its top left corner");
  }
  for (const char* of_lines : {"width", "arrow"}) {
    if (fields.has(of_lines)) fields.mistake(of_lines, "belongs to a line, not to 'text'");
  }
  wanted.width = fields.number_or("size", kSmallestText, sail::kMaxStrokeWidth, kUsualTextSize);
}

sail::Result<WantedStroke> read_stroke(const Call& call, const Peers& peers) {
  sail::JsonFields fields = call.fields();
  WantedStroke wanted;
  if (fields.has("window")) wanted.window = window_number(fields);
  wanted.line = read_line(fields, kMostGivenPoints);
  if (fields.has("text")) {
    read_text(fields, wanted);
  } else {
    if (fields.has("size")) fields.mistake("size", "needs 'text'");
    wanted.width = fields.number_or("width", kThinnest, sail::kMaxStrokeWidth, kUsualWidth);
    wanted.stroke.arrow = fields.boolean_or("arrow", false);
  }
  constexpr sail::Choice<bool, 2> kPixels{{{false, "wall"}, {true, "window"}}};
  if (fields.has("pixels")) kPixels.read(fields, "pixels", wanted.in_picture);
  if (wanted.in_picture && wanted.window == 0) {
    fields.mistake("pixels", "'window' needs the parameter window");
  }
  wanted.stroke.colour = colour_of(peers, call);
  if (fields.has("colour")) sail::Colour::read(fields, "colour", wanted.stroke.colour);
  wanted.stroke.opacity =
      static_cast<int>(std::lround(fields.number_or("opacity", kFaintest, 1, 1) * 100));
  if (auto error = fields.finish()) return *error;
  return wanted;
}

void convert_to_wall_pixels(WantedStroke& wanted, const Window& window) {
  for (StrokePoint& point : wanted.line) {
    std::tie(point.x, point.y) =
        sail::wall_point(window.wall_rect, window.look, window.frame_size, point.x, point.y);
  }
  wanted.width *= sail::wall_scale(window.wall_rect, window.look, window.frame_size);
  wanted.in_picture = false;
}

// kLimit: the wall has no room for this stroke.
sail::Result<void> check_room(const Arrangement& arrangement, const WantedStroke& wanted) {
  size_t drawings = 0, strokes = 1, points = point_count(wanted.stroke);
  bool is_new = true;
  const auto count = [&](const Drawing& drawing, uint32_t window) {
    if (drawing.empty()) return;
    if (window == wanted.window) is_new = false;
    if (window != 0) ++drawings;
    strokes += drawing.strokes().size();
    points += drawing.points();
  };
  count(arrangement.drawing(), 0);
  for (const Window& window : arrangement.windows().bottom_to_top()) {
    count(window.drawing, window.number);
  }
  if (is_new && wanted.window != 0) ++drawings;
  if (drawings < sail::kMaxDrawings && strokes <= sail::kMaxStrokes &&
      points <= sail::kMaxDrawnPoints) {
    return {};
  }
  return sail::fail(
      sail::ErrorCode::kLimit,
      fmt::format(
          "the wall can have at most {} strokes and texts with {} points and letters, on {} "
          "windows: remove some",
          sail::kMaxStrokes, sail::kMaxDrawnPoints, sail::kMaxDrawings - 1));
}

// kInvalidParams: nobody would see the stroke, such as one in pixels of the window.
sail::Result<void> check_visible(const WantedStroke& wanted, const sail::Rect& rect) {
  const bool is_text = !wanted.stroke.text.empty();
  const double width = std::min<double>(wanted.width, rect.height);  // as stroke_width()
  const double reach = is_text ? 0 : width / 2;
  std::vector<StrokePoint> line = wanted.line;
  if (is_text) {
    const sail::OverlayStroke text{.points = {0, 0},
                                   .width = std::max(1, static_cast<int>(std::lround(width))),
                                   .text = wanted.stroke.text};
    for (const sail::TextLine& one : sail::text_lines(text)) {
      line.push_back({wanted.line[0].x + one.rect.right(), wanted.line[0].y + one.rect.bottom()});
    }
  }
  const auto [left, right] = std::ranges::minmax(line, {}, &StrokePoint::x);
  const auto [top, bottom] = std::ranges::minmax(line, {}, &StrokePoint::y);
  if (right.x + reach > rect.x && left.x - reach < rect.x + rect.width &&
      bottom.y + reach > rect.y && top.y - reach < rect.y + rect.height) {
    return {};
  }
  return sail::fail(
      sail::ErrorCode::kInvalidParams,
      fmt::format("the {} is outside {}, which is {}×{} at {},{}: points are in wall pixels, or "
                  "with pixels 'window' in those of the picture",
                  is_text ? "text" : "line",
                  wanted.window == 0 ? "the wall" : fmt::format("window {}", wanted.window),
                  rect.width, rect.height, rect.x, rect.y));
}

LayoutChange with_drawing(const Desk& desk, uint32_t window, Drawing drawing) {
  if (window == 0) return {.drawing = std::move(drawing)};
  WindowPlacement placement = desk.windows().find(window)->placement();
  placement.drawing = std::move(drawing);
  return {.windows = {{window, std::move(placement)}}};
}

// Returns the named windows with a drawing, or without names all that the client may change. Fails
// if the client may not change a named window.
sail::Result<std::vector<const Window*>> drawn_windows(const Call& call, const Desk& desk,
                                                       const std::vector<uint32_t>& named) {
  for (const uint32_t number : named) {
    if (auto window = window_to_change(call, desk, number); !window) return window.error();
  }
  std::vector<const Window*> windows;
  for (const Window& window : desk.windows().bottom_to_top()) {
    const bool is_meant = named.empty() ? window_to_change(call, desk, window.number).has_value()
                                        : std::ranges::find(named, window.number) != named.end();
    if (is_meant && !window.drawing.empty()) windows.push_back(&window);
  }
  return windows;
}

sail::Json stroke_counts(const Desk& desk) {
  sail::Json windows = sail::Json::array();
  for (const Window& window : desk.windows().bottom_to_top()) {
    if (window.drawing.empty()) continue;
    windows.push_back({{"window", window.number}, {"strokes", window.drawing.strokes().size()}});
  }
  return {{"strokes", desk.arrangement().drawing().strokes().size()},
          {"windows", std::move(windows)}};
}

}  // namespace

Answer annotate(const Call& call, Desk& desk, const Peers& peers) {
  auto wanted = read_stroke(call, peers);
  if (!wanted) return wanted.error();
  sail::Rect rect{0, 0, desk.wall().size.width, desk.wall().size.height};
  Drawing before = desk.arrangement().drawing();
  if (wanted->window != 0) {
    const auto window = find_on_wall(call, desk, wanted->window);
    if (!window) return window.error();
    rect = (*window)->wall_rect;
    before = (*window)->drawing;
    if (wanted->in_picture) convert_to_wall_pixels(*wanted, **window);
  }
  if (auto visible = check_visible(*wanted, rect); !visible) return visible.error();
  wanted->stroke.points = stroke_points(wanted->line, rect);
  wanted->stroke.width = stroke_width(wanted->width, rect);
  if (auto room = check_room(desk.arrangement(), *wanted); !room) return room.error();
  UndoLabel undo_label{.verb = "drew on"};
  if (wanted->window == 0) undo_label = {.verb = "drew on the wall", .names_windows = false};
  const Author author = author_of(call.peer);
  desk.change(
      with_drawing(desk, wanted->window, before.with(std::move(wanted->stroke), author.name)),
      undo_label, author);
  return stroke_counts(desk);
}

Answer annotate_erase(const Call& call, Desk& desk) {
  sail::JsonFields fields = call.fields();
  const std::vector<StrokePoint> line = read_line(fields, kMostEraserPoints);
  const double width =
      fields.number_or("width", kThinnest, sail::kMaxStrokeWidth, kUsualEraserWidth);
  const std::vector<uint32_t> named = window_numbers(fields);
  if (auto error = fields.finish()) return *error;
  const auto windows = drawn_windows(call, desk, named);
  if (!windows) return windows.error();
  const Author author = author_of(call.peer);
  LayoutChange change;
  for (const Window* const window : *windows) {
    if (window->hidden) continue;
    WindowPlacement placement = window->placement();
    placement.drawing = window->drawing.without(author.name, line, width, window->wall_rect);
    change.windows.emplace(window->number, std::move(placement));
  }
  const sail::Rect wall{0, 0, desk.wall().size.width, desk.wall().size.height};
  change.drawing = desk.arrangement().drawing().without(author.name, line, width, wall);
  desk.change(change, {.verb = "erased strokes", .names_windows = false}, author);
  return stroke_counts(desk);
}

Answer annotate_clear(const Call& call, Desk& desk) {
  sail::JsonFields fields = call.fields();
  const std::vector<uint32_t> named = window_numbers(fields);
  if (auto error = fields.finish()) return *error;
  const auto windows = drawn_windows(call, desk, named);
  if (!windows) return windows.error();
  LayoutChange change;
  for (const Window* const window : *windows) {
    WindowPlacement placement = window->placement();
    placement.drawing = Drawing();
    change.windows.emplace(window->number, std::move(placement));
  }
  if (named.empty() && !desk.arrangement().drawing().empty()) change.drawing = Drawing();
  desk.change(change, {.verb = "removed drawings", .names_windows = false}, author_of(call.peer));
  return stroke_counts(desk);
}

}  // namespace manager::verbs
