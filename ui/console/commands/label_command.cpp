// The command label.
#include <fmt/core.h>

#include "sail/core/text/limits.h"
#include "ui/client/commands.h"

namespace ui {

namespace {

struct LabelArguments {
  std::string window;
  std::string text = "on";
  std::string place;
};

}  // namespace

void add_label_command(const Command& app, Context& context) {
  const auto arguments = std::make_shared<LabelArguments>();
  const Command label =
      app.command("label", "Show a line of text on a window, such as its title").group("Windows");
  add_window_option(label, arguments->window, Several::kYes);
  label
      .option("text", arguments->text,
              "The text, with {title}, {source}, {clock} and {state} if wanted; on: the text "
              "before, or {title}; off: no label")
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

}  // namespace ui
