#include "ui/client/switches.h"

namespace ui {

void add_switch(const sail::Command& command, Switch& to, const std::string& off_help) {
  const sail::Option word =
      command.option("on", to.word, "on or off").one_of({"on", "off"}).shows_default();
  command.flag("--off", to.off, off_help).excludes(word);
}

bool WindowsSwitch::has_word() const {
  return words.size() > 1 && (words.back() == "on" || words.back() == "off");
}

std::vector<std::string> WindowsSwitch::windows() const {
  return {words.begin(), words.end() - (has_word() ? 1 : 0)};
}

bool WindowsSwitch::on() const {
  return !off && !(has_word() && words.back() == "off");
}

void add_windows_switch(const sail::Command& command, WindowsSwitch& to,
                        const std::string& off_help) {
  command
      .option("window", to.words,
              "Numbers or titles of windows (see `vitrail ls`), or all; then on or off")
      .required();
  command.flag("--off", to.off, off_help);
  command.check([&to] { return to.off && to.has_word() ? "--off excludes on and off" : ""; });
}

}  // namespace ui
