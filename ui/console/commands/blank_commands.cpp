// Commands that conceal windows: blank, unblank, freeze, unfreeze.
#include <fmt/core.h>

#include "sail/core/text/limits.h"
#include "ui/client/commands.h"
#include "ui/client/value_texts.h"

namespace ui {
namespace {

struct Concealed {
  std::vector<std::string> words;  // names of windows
  std::vector<std::string> areas;
  std::string text;
  std::string source;
  std::string place;  // name of a tile or partition
  bool off = false;
  bool mute = false;
  bool has_switch = false;  // "on" or "off" as the only word concerns the whole wall.

  bool is_switch() const {
    return has_switch && words.size() == 1 && (words.front() == "on" || words.front() == "off");
  }
  bool is_off() const { return off || (is_switch() && words.front() == "off"); }
};

// Adds the named windows and the areas. Returns false if an error has been reported.
bool add_named(Context& context, const Concealed& arguments, sail::Json& params) {
  if (!arguments.words.empty() && !arguments.is_switch()) {
    const auto windows = context.windows(arguments.words);
    if (!windows) return false;
    params["windows"] = *windows;
  }
  if (!arguments.place.empty()) params["area"] = arguments.place;
  for (const std::string& area : arguments.areas) {
    sail::Json rect;
    read_rect(area, rect);
    params["areas"].push_back(rect);
  }
  return true;
}

void add_names(const Command& command, Concealed& arguments, const std::string& help) {
  command.option("window", arguments.words, help);
}

void add_areas(const Command& command, Concealed& arguments) {
  command
      .option("--area", arguments.areas,
              "X,Y,WIDTHxHEIGHT in wall pixels instead of the whole wall; may be repeated")
      .check([](auto& text) {
        sail::Json unused;
        return read_rect(text, unused) ? "" : fmt::format("must be {}", kRectForm);
      });
  command.option("--in", arguments.place, "Tile or partition instead of the whole wall")
      .form("NAME");
}

void run_with(const Command& command, Context& context, const char* verb,
              const std::shared_ptr<Concealed>& arguments,
              const std::function<void(sail::Json& params)>& complete) {
  command.runs([&context, verb, arguments, complete] {
    sail::Json params = sail::Json::object();
    if (!add_named(context, *arguments, params)) return context.failure();
    complete(params);
    // The answer comes when the curtain is open.
    constexpr int64_t kOpensMs = 60'000;
    return context.perform(verb, params, {}, kOpensMs);
  });
}

void add_blank(const Command& app, Context& context) {
  const auto arguments = std::make_shared<Concealed>();
  const Command blank = app.command("blank",
                                    "Cover the wall, areas or windows, black or with a picture, "
                                    "and make them silent; playback "
                                    "continues")
                            .group("Arranging");
  arguments->has_switch = true;
  add_names(blank, *arguments,
            "Numbers or titles of windows (see `vitrail ls`), or all; none: the whole wall; on or "
            "off: the whole wall");
  add_areas(blank, *arguments);
  blank.option("--text", arguments->text, "A line in the middle, such as \"back at 11:15\"");
  blank
      .option(
          "--picture", arguments->source,
          "A curtain instead of black: file of the manager's host, id or title of a source (see "
          "`vitrail source ls`)")
      .form("SOURCE");
  blank.flag("--off", arguments->off, "Show it again");
  blank.check([arguments]() -> std::string {
    if (arguments->text.size() > sail::kMaxBlankText) {
      return fmt::format("--text has more than {} bytes", sail::kMaxBlankText);
    }
    if (arguments->is_off() && !arguments->source.empty()) return "--picture excludes off";
    return arguments->is_off() && !arguments->text.empty() ? "--text excludes off" : "";
  });
  run_with(blank, context, "blank", arguments, [arguments](sail::Json& params) {
    params["on"] = !arguments->is_off();
    if (!arguments->text.empty()) params["text"] = arguments->text;
    if (!arguments->source.empty()) params["source"] = source_for_manager(arguments->source);
  });
}

void add_unblank(const Command& app, Context& context) {
  const auto arguments = std::make_shared<Concealed>();
  const Command unblank =
      app.command("unblank", "Show what is blank again; without words, all of it")
          .group("Arranging");
  add_names(unblank, *arguments, "Numbers or titles of windows (see `vitrail ls`), or all");
  add_areas(unblank, *arguments);
  run_with(unblank, context, "blank", arguments, [](sail::Json& params) { params["on"] = false; });
}

void add_freeze(const Command& app, Context& context) {
  constexpr const char* kWindows =
      "Numbers or titles of windows (see `vitrail ls`); none: all windows";
  const auto frozen = std::make_shared<Concealed>();
  frozen->has_switch = true;
  const Command freeze =
      app.command("freeze", "Keep the pictures of windows; playback continues").group("Arranging");
  add_names(freeze, *frozen, std::string(kWindows) + "; on or off: all windows");
  freeze.flag("--mute", frozen->mute, "Fade their sound out, too");
  run_with(freeze, context, "freeze", frozen, [frozen](sail::Json& params) {
    params["on"] = !frozen->is_off();
    if (!frozen->is_off()) params["mute"] = frozen->mute;
  });

  const auto shown = std::make_shared<Concealed>();
  const Command unfreeze =
      app.command("unfreeze", "Show the current pictures of frozen windows").group("Arranging");
  add_names(unfreeze, *shown, kWindows);
  run_with(unfreeze, context, "freeze", shown, [](sail::Json& params) { params["on"] = false; });
}

}  // namespace

void add_blank_commands(const Command& app, Context& context) {
  add_blank(app, context);
  add_unblank(app, context);
  add_freeze(app, context);
}

}  // namespace ui
