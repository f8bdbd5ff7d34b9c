// Translates the commands of older window managers.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "ui/client/answers.h"
#include "ui/console/prompt/prompt.h"

namespace ui {

const char* const kClassicalHelp =
    "Commands of the classical consoles, and their equivalents:\n"
    "  exec APP [FILE …] [X Y]              play FILE, or the source named APP, centred at X Y\n"
    "  kill ID                              close ID\n"
    "  resize ID LEFT RIGHT BOTTOM TOP      place, measured from the wall's lower left corner\n"
    "  depth N ID Z …                       raise: the smallest Z comes to the front\n"
    "  perf ID [SECONDS]                    stats ID\n"
    "  latency ID                           stats ID\n"
    "  status, app                          ls\n"
    "  ptr X Y                              pointer X Y\n"
    "  save NAME, load NAME                 session save, session restore\n"
    "  shutdown                             down\n"
    "  bg R G B, stopperf, zeroperf, admin, intval, reserved: print what to use instead\n"
    "After `classical on` these commands, too, have their classical meaning:\n"
    "  move ID DX DY                        move ID DX DY --by, DY upwards\n"
    "  pause SECONDS                        sleep SECONDS\n"
    "  rotate, flip, rate ID FPS, share ID HOST PORT: print what to use instead\n"
    "`classical off` restores their usual meaning.";

namespace {

using Words = std::vector<std::string>;

Translation run(Words words) {
  return {std::move(words), ""};
}

Translation refuse(std::string why) {
  return {{}, std::move(why)};
}

std::optional<int> number(const std::string& word) {
  int value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

std::vector<int> numbers(const Words& words, size_t from) {
  std::vector<int> found;
  for (size_t i = from; i < words.size(); ++i) {
    if (const auto value = number(words[i])) found.push_back(*value);
  }
  return found;
}

Translation exec(const Words& words, Context&) {
  Words ours(words.begin() + 1, words.end());
  if (ours.empty()) return refuse("exec needs an application and its files: see `help classical`");
  std::string at;
  if (ours.size() > 2 && number(ours[ours.size() - 1]) && number(ours[ours.size() - 2])) {
    at = ours[ours.size() - 2] + "," + ours[ours.size() - 1];
    ours.resize(ours.size() - 2);
  }
  // The manager chooses the player by the file, so the application's name is dropped.
  if (ours.size() > 1) ours.erase(ours.begin());
  ours.insert(ours.begin(), "play");
  if (!at.empty()) ours.insert(ours.end(), {"--at", at});
  return run(ours);
}

Translation resize(const Words& words, Context& context) {
  const auto sides = numbers(words, 1);
  if (words.size() != 6 || sides.size() != 5) return run(words);  // not classical
  const auto state = context.call("list", sail::Json::object());
  if (!state) return refuse("resize needs the wall's height from the manager");
  const sail::Json size = member(member(*state, "wall"), "size");
  const int height =
      size.is_array() && size.size() == 2 && size[1].is_number_integer() ? size[1].get<int>() : 0;
  const auto [id, left, right, bottom, top] = std::tuple(
      sides[0], int64_t{sides[1]}, int64_t{sides[2]}, int64_t{sides[3]}, int64_t{sides[4]});
  return run({"place", std::to_string(id),
              fmt::format("{},{},{}x{}", left, height - top, right - left, top - bottom)});
}

// depth N ID Z ID Z …: a larger z is farther from the viewer.
Translation depth(const Words& words, Context&) {
  const size_t pairs = words.size() > 1 ? static_cast<size_t>(number(words[1]).value_or(0)) : 0;
  if (pairs == 0 || words.size() != 2 + 2 * pairs) {
    return refuse("depth needs the number of windows, then the number and depth of each window");
  }
  std::vector<std::pair<double, std::string>> order;
  for (size_t i = 2; i + 1 < words.size(); i += 2) {
    order.emplace_back(-std::strtod(words[i + 1].c_str(), nullptr), words[i]);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  Words ours = {"raise"};
  for (const auto& [nearness, window] : order) ours.push_back(window);
  return run(ours);
}

Translation perf(const Words& words, Context&) {
  return words.size() > 1 ? run({"stats", words[1]}) : run({"stats"});
}

template <size_t N>
Translation same_arguments(const Words& words, const char* const (&ours)[N]) {
  Words result(std::begin(ours), std::end(ours));
  result.insert(result.end(), words.begin() + 1, words.end());
  return run(result);
}

Translation classical_move(const Words& words, Context&) {
  const auto steps = numbers(words, 1);
  if (words.size() != 4 || steps.size() != 3) return run(words);
  return run({"move", words[1], "--by", "--", words[2], std::to_string(-int64_t{steps[2]})});
}

using Translate = Translation (*)(const Words& words, Context& context);

const std::map<std::string, Translate, std::less<>>& always() {
  static const std::map<std::string, Translate, std::less<>> kTable = {
      {"exec", exec},
      {"kill", [](const Words& w, Context&) { return same_arguments(w, {"close"}); }},
      {"resize", resize},
      {"depth", depth},
      {"perf", perf},
      {"latency", perf},
      {"status", [](const Words&, Context&) { return run({"ls"}); }},
      {"app", [](const Words&, Context&) { return run({"ls"}); }},
      {"ptr", [](const Words& w, Context&) { return same_arguments(w, {"pointer"}); }},
      {"save",
       [](const Words& w, Context&) {
         return same_arguments(w, {"session", "save"});
       }},
      {"load",
       [](const Words& w, Context&) {
         return same_arguments(w, {"session", "restore"});
       }},
      {"shutdown", [](const Words&, Context&) { return run({"down"}); }},
      {"stopperf",
       [](const Words&, Context&) {
         return refuse(
             "statistics are always collected: `stats` shows them once, `watch` repeatedly");
       }},
      {"zeroperf",
       [](const Words&, Context&) {
         return refuse(
             "counters start with the stream and cannot be reset; `watch --csv FILE` records them "
             "over time");
       }},
      {"bg",
       [](const Words&, Context&) {
         return refuse(
             "the wall's background is black; `show` opens a picture as a window, and `lower` and "
             "`lock` keep it behind the others");
       }},
      {"admin",
       [](const Words&, Context&) {
         return refuse("no admin mode: the wall's key ($VITRAIL_KEY_FILE) permits everything");
       }},
      {"intval",
       [](const Words&, Context&) {
         return refuse(
             "receivers request frames at the rate they can show; `rate` changes a player's speed");
       }},
      {"reserved",
       [](const Words&, Context&) {
         return refuse(
             "links need no reservation: over UDP each stream adapts to the bandwidth of its "
             "links");
       }},
  };
  return kTable;
}

const std::map<std::string, Translate, std::less<>>& when_classical() {
  static const std::map<std::string, Translate, std::less<>> kTable = {
      {"move", classical_move},
      {"pause", [](const Words& w, Context&) { return same_arguments(w, {"sleep"}); }},
      {"rotate",
       [](const Words&, Context&) {
         return refuse(
             "after `classical off`, `rotate ID DEGREES` rotates a window; for a rotated panel set "
             "`rotation` in the wall file");
       }},
      {"flip",
       [](const Words&, Context&) {
         return refuse("after `classical off`, `flip ID` mirrors a window");
       }},
      {"rate",
       [](const Words&, Context&) {
         return refuse(
             "an application sets its own frame rate; for films use `play --fps`, or after "
             "`classical off` `rate ID 0.5` for half speed");
       }},
      {"share",
       [](const Words&, Context&) {
         return refuse("a window belongs to one wall: play the same source on the other wall");
       }},
  };
  return kTable;
}

}  // namespace

Translation translate(const std::vector<std::string>& words, Context& context) {
  if (words[0] == "classical") {
    const bool on = words.size() == 2 && words[1] == "on";
    if (!on && !(words.size() == 2 && words[1] == "off")) {
      return refuse("classical needs `on` or `off`; `help classical` lists the commands");
    }
    context.classical = on;
    return run({"sleep", "0"});
  }
  if (context.classical) {
    const auto found = when_classical().find(words[0]);
    if (found != when_classical().end()) return found->second(words, context);
  }
  const auto found = always().find(words[0]);
  return found == always().end() ? run(words) : found->second(words, context);
}

}  // namespace ui
