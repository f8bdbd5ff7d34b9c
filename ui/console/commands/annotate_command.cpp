// The command annotate: drawings on windows and on the wall.
#include <fmt/core.h>

#include "sail/core/text/limits.h"
#include "ui/client/commands.h"
#include "ui/client/value_texts.h"

namespace ui {
namespace {

// Where a stroke or text is drawn.
struct DrawnOn {
  std::string window;  // Empty: the wall.
  bool in_picture = false;
};

struct AnnotateArguments {
  std::vector<std::string> points;
  DrawnOn on;
  std::vector<std::string> cleared;
  double width = 8;
  double opacity = 1;
};

struct TextArguments {
  std::string at;
  std::vector<std::string> lines;
  DrawnOn on;
  double size = 48;
  double opacity = 1;
};

struct EraseArguments {
  std::vector<std::string> points;
  std::vector<std::string> windows;
  double width = 40;
};

sail::Json points_json(const std::vector<std::string>& texts) {
  sail::Json points = sail::Json::array();
  for (const std::string& text : texts) {
    sail::Json point;
    read_point(text, point);
    points.push_back(std::move(point));
  }
  return points;
}

std::string point_mistake(const std::string& text) {
  sail::Json unused;
  return read_point(text, unused) ? "" : "must be X,Y";
}

void add_points(const Command& command, std::vector<std::string>& points) {
  command.option("points", points, "Points X,Y in wall pixels; negative ones after --")
      .required()
      .check(point_mistake);
}

void add_drawn_on(const Command& command, DrawnOn& on) {
  command.option("--window", on.window,
                 "Number or title of the window to draw on: the drawing moves with it; default: "
                 "the wall");
  command.flag("--picture-pixels", on.in_picture,
               "Points and sizes are in pixels of the window's frames (a film's, for example), not "
               "of the wall");
}

int draw(Context& context, sail::Json params, const DrawnOn& on) {
  if (!on.window.empty()) {
    const auto number = context.window(on.window);
    if (!number) return context.failure();
    params["window"] = *number;
  }
  if (on.in_picture) params["pixels"] = "window";
  return context.perform("annotate", params);
}

void add_stroke(const Command& annotate, Context& context, const char* name, const char* help,
                bool arrow) {
  const auto arguments = std::make_shared<AnnotateArguments>();
  const Command stroke = annotate.command(name, help);
  add_points(stroke, arguments->points);
  add_drawn_on(stroke, arguments->on);
  stroke.option("--width", arguments->width, "Of the line, in wall pixels")
      .between(1.0, double{sail::kMaxStrokeWidth})
      .shows_default();
  stroke.option("--opacity", arguments->opacity, "0.4, for example, as a highlighter")
      .between(0.05, 1.0)
      .shows_default();
  stroke.runs([&context, arguments, arrow] {
    return draw(context,
                {{"points", points_json(arguments->points)},
                 {"arrow", arrow},
                 {"width", arguments->width},
                 {"opacity", arguments->opacity}},
                arguments->on);
  });
}

void add_text(const Command& annotate, Context& context) {
  const auto arguments = std::make_shared<TextArguments>();
  const Command text = annotate.command("text", "Write lines of text, in your colour");
  text.option("at", arguments->at, "Top left corner X,Y in wall pixels; a negative one after --")
      .required()
      .check(point_mistake);
  text.option("line", arguments->lines, "Lines of text").required();
  add_drawn_on(text, arguments->on);
  text.option("--size", arguments->size, "Height of a line, in wall pixels")
      .between(6.0, double{sail::kMaxStrokeWidth})
      .shows_default();
  text.option("--opacity", arguments->opacity, "Of the text").between(0.05, 1.0).shows_default();
  text.runs([&context, arguments] {
    return draw(context,
                {{"points", points_json({arguments->at})},
                 {"text", arguments->lines},
                 {"size", arguments->size},
                 {"opacity", arguments->opacity}},
                arguments->on);
  });
}

void add_erase(const Command& annotate, Context& context) {
  const auto arguments = std::make_shared<EraseArguments>();
  const Command erase = annotate.command(
      "erase", "Remove strokes and texts of your name (--name) that a line through points touches");
  add_points(erase, arguments->points);
  erase.option("--window", arguments->windows,
               "Only on these windows and on the wall; default: on all windows");
  erase.option("--width", arguments->width, "Of the line, in wall pixels")
      .between(1.0, double{sail::kMaxStrokeWidth})
      .shows_default();
  erase.runs([&context, arguments] {
    sail::Json params{{"points", points_json(arguments->points)}, {"width", arguments->width}};
    if (!arguments->windows.empty()) {
      const auto windows = context.windows(arguments->windows);
      if (!windows) return context.failure();
      params["windows"] = *windows;
    }
    return context.perform("annotate_erase", params);
  });
}

}  // namespace

void add_annotate_command(const Command& app, Context& context) {
  const Command annotate =
      app.command("annotate", "Draw on windows or on the wall").group("Windows");
  add_stroke(annotate, context, "line", "Draw a line through points, in your colour (--colour)",
             false);
  add_stroke(annotate, context, "arrow",
             "Draw an arrow whose tip is the last point, in your colour", true);
  add_text(annotate, context);
  add_erase(annotate, context);
  const auto arguments = std::make_shared<AnnotateArguments>();
  const Command clear =
      annotate.command("clear", "Remove the drawings of windows, or all drawings");
  clear.option("window", arguments->cleared, "Windows; default: all, and the wall");
  clear.runs([&context, arguments] {
    sail::Json params = sail::Json::object();
    if (!arguments->cleared.empty()) {
      const auto windows = context.windows(arguments->cleared);
      if (!windows) return context.failure();
      params["windows"] = *windows;
    }
    return context.perform("annotate_clear", params);
  });
}

}  // namespace ui
