// The commands label, wallpaper and logo: what people add to the pictures of the windows.
#include <fmt/core.h>

#include <memory>
#include <optional>

#include "sail/core/text/limits.h"
#include "ui/client/answers.h"
#include "ui/client/commands.h"

namespace ui {

namespace {

struct LabelArguments {
  std::string window;
  std::string text = "on";
  std::string place;
};

struct DecorationArguments {
  std::string source;
  std::string area;
  std::string fit;
  std::string corner;
  std::optional<double> size;
};

int decorate(Context& context, const char* verb, const DecorationArguments& arguments) {
  constexpr int64_t kOpensMs = 60'000;
  sail::Json params = sail::Json::object();
  if (!arguments.area.empty()) params["area"] = arguments.area;
  if (!arguments.corner.empty()) params["corner"] = arguments.corner;
  if (arguments.source == "none") {
    params["on"] = false;
    return context.perform(verb, params, [verb](const sail::Json& result) {
      const bool none = member(result, "windows").empty() && !result.contains("openings");
      return none ? fmt::format("there is no {}", verb) : "";
    });
  }
  params["source"] = source_for_manager(arguments.source);
  if (!arguments.fit.empty()) params["fit"] = arguments.fit;
  if (arguments.size) params["size"] = *arguments.size / 100;
  return context.perform(
      verb, params,
      [](const sail::Json& result) {
        return fmt::format("window {}", number_member(result, "window"));
      },
      kOpensMs);
}

Command decoration_command(const Command& app, Context& context, const char* verb,
                           const std::shared_ptr<DecorationArguments>& arguments,
                           const std::string& help) {
  const Command command = app.command(verb, help).group("Windows");
  command
      .option("source", arguments->source,
              "File of the manager's host, id or title of a source (see `vitrail source ls`), or "
              "none: remove it")
      .required();
  command.option("--area", arguments->area, "Tile or partition instead of the whole wall")
      .form("NAME");
  command.runs([&context, verb, arguments] { return decorate(context, verb, *arguments); });
  return command;
}

}  // namespace

void add_label_command(const Command& app, Context& context) {
  const auto arguments = std::make_shared<LabelArguments>();
  const Command label =
      app.command("label", "Show a line of text on a window, such as its title").group("Windows");
  add_window_option(label, arguments->window, Several::kYes);
  label
      .option(
          "text", arguments->text,
          "The text, which may contain {title}, {source}, {clock} and {state}; on: the previous "
          "text, or {title}; off: no label")
      .check([](const std::string& text) {
        return text.size() <= sail::kMaxLabelLine
                   ? ""
                   : fmt::format("has more than {} bytes", sail::kMaxLabelLine);
      });
  label.option("--place", arguments->place, "Where in the window; default: unchanged, or bottom")
      .one_of({"top", "bottom"});
  label.check([arguments] {
    return arguments->text == "off" && !arguments->place.empty() ? "--place excludes off" : "";
  });
  label.runs([&context, arguments] {
    const auto windows = context.windows({arguments->window});
    if (!windows) return context.failure();
    if (windows->empty()) return context.done({{"windows", *windows}}, "");
    sail::Json params{{"windows", *windows}, {"on", arguments->text != "off"}};
    if (arguments->text != "on" && arguments->text != "off") params["text"] = arguments->text;
    if (!arguments->place.empty()) params["place"] = arguments->place;
    return context.perform("label", params);
  });
}

void add_decoration_commands(const Command& app, Context& context) {
  const auto below = std::make_shared<DecorationArguments>();
  const Command wallpaper = decoration_command(app, context, "wallpaper", below,
                                               "Show a picture or film behind all windows");
  wallpaper
      .option("--fit", below->fit,
              "Fill the area and cut the rest (cover), show all (contain), or distort (stretch); "
              "default: cover")
      .one_of({"cover", "contain", "stretch"});
  wallpaper.check([below] {
    return below->source == "none" && !below->fit.empty() ? "--fit excludes none" : "";
  });

  const auto above = std::make_shared<DecorationArguments>();
  const Command logo = decoration_command(app, context, "logo", above,
                                          "Show a picture in a corner, above all windows");
  logo.option("--corner", above->corner, "Default: top-right; with none: all corners")
      .one_of({"top-left", "top-right", "bottom-left", "bottom-right"});
  logo.option("--size", above->size,
              "Largest width and height, in percent of the area's; default: 15")
      .between(1, 100);
  logo.check(
      [above] { return above->source == "none" && above->size ? "--size excludes none" : ""; });
}

}  // namespace ui
