// Commands that change how a window shows its picture: rotate, flip, opacity, crop, stereo.
#include <fmt/core.h>

#include "ui/client/commands.h"
#include "ui/client/value_texts.h"

namespace ui {
namespace {

using Json = sail::Json;

// Parsed options of one command, shared by the parser and the action.
struct LookArguments {
  std::string window;
  int degrees = 0;
  Switch flip;
  std::string opacity;
  std::string part;
  std::string eye;
  std::string halves;
};

// `add` adds the options, which are parsed into the arguments; `params` converts the arguments to
// the verb's parameters.
template <typename Add, typename Params>
void add_look(const Command& app, Context& context, const std::string& name,
              const std::string& help, const Add& add, const Params& params) {
  const auto arguments = std::make_shared<LookArguments>();
  const Command command = app.command(name, help).group("Windows");
  add_window_option(command, arguments->window, Several::kYes);
  add(command, *arguments);
  command.runs([&context, arguments, params] {
    return context.for_windows({arguments->window}, [&](int64_t window) {
      Json look = params(*arguments);
      look["window"] = window;
      return context.perform("look", look);
    });
  });
}

// Converts "all" or "X,Y,WIDTHxHEIGHT" to the verb's parameters. Returns false for other text.
bool read_part(const std::string& text, Json& params) {
  if (text == "all") params["whole"] = true;
  return text == "all" || read_rect(text, params["crop"]);
}

void add_rotate_and_flip(const Command& app, Context& context) {
  add_look(
      app, context, "rotate", "Rotate a window's picture clockwise: 90, 180, 270, or 0 for upright",
      [](const Command& command, LookArguments& arguments) {
        command.option("degrees", arguments.degrees, "Angle in degrees")
            .required()
            .one_of({"0", "90", "180", "270"});
      },
      [](const LookArguments& arguments) {
        return Json{{"rotate", arguments.degrees}};
      });
  add_look(
      app, context, "flip", "Mirror a window's picture left to right",
      [](const Command& command, LookArguments& arguments) {
        add_switch(command, arguments.flip, "Show the picture unmirrored");
      },
      [](const LookArguments& arguments) {
        return Json{{"flip", arguments.flip.on()}};
      });
}

void add_opacity(const Command& app, Context& context) {
  add_look(
      app, context, "opacity", "Set a window's opacity: 1 is opaque, 0 invisible",
      [](const Command& command, LookArguments& arguments) {
        command.option("opacity", arguments.opacity, "Opacity, such as 0.5 or 50%")
            .required()
            .check([](const std::string& text) {
              return read_share(text) ? "" : "must be 0 to 1, or 0% to 100%";
            });
      },
      [](const LookArguments& arguments) {
        return Json{{"opacity", *read_share(arguments.opacity)}};
      });
}

void add_crop(const Command& app, Context& context) {
  add_look(
      app, context, "crop", "Show a part of a window's picture: X,Y,WIDTHxHEIGHT, or all of it",
      [](const Command& command, LookArguments& arguments) {
        command
            .option("part", arguments.part,
                    "Area in pixels of the picture (`ls` shows its size), or `all`")
            .required()
            .check([](const std::string& text) {
              Json unused;
              return read_part(text, unused) ? "" : fmt::format("must be {}, or all", kRectForm);
            });
      },
      [](const LookArguments& arguments) {
        Json params;
        read_part(arguments.part, params);
        return params;
      });
}

void add_stereo(const Command& app, Context& context) {
  add_look(
      app, context, "stereo", "Show a stereo picture: left or right view, anaglyph, or off",
      [](const Command& command, LookArguments& arguments) {
        command.option("eye", arguments.eye, "View to show; anaglyph is for red and cyan glasses")
            .required()
            .one_of({"off", "left", "right", "anaglyph"});
        command
            .option("halves", arguments.halves,
                    "Layout of the two views in the picture; default: unchanged")
            .one_of({"side-by-side", "top-bottom"});
      },
      [](const LookArguments& arguments) {
        Json params{{"stereo", arguments.eye}};
        if (!arguments.halves.empty()) params["halves"] = arguments.halves;
        return params;
      });
}

}  // namespace

void add_look_commands(const Command& app, Context& context) {
  add_rotate_and_flip(app, context);
  add_opacity(app, context);
  add_crop(app, context);
  add_stereo(app, context);
}

}  // namespace ui
