// vitrail-share on the test's own desktop: the wall shows the desktop.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/desktop/child_program.h"
#include "tests/support/desktop/desktop_pictures.h"
#include "tests/support/desktop/x_desktop.h"
#include "tests/support/headless_wall.h"
#include "ui/client/answers.h"

namespace test {
namespace {

constexpr sail::Size kDesktop{400, 300};
constexpr uint32_t kBlack = 0;

class ShareWall : public testing::Test {
 protected:
  void start_desktop(const std::vector<std::string>& more = {}) {
    desktop_.emplace(kDesktop, more);
    desktop_->set_cursor(1, kBlack);
    desktop_->move_pointer(kDesktop.width - 1, kDesktop.height - 1);
  }
  // Pixels are shown 1:1, exactly.
  ChildProgram& share(std::vector<std::string> more) {
    std::vector<std::string> words{SHARE_PROGRAM, "--codec=raw",           "--place=0,0",
                                   "--manager",   wall_.manager_address(), "--fps",
                                   "200"};
    words.insert(words.end(), more.begin(), more.end());
    program_.emplace(words, ChildProgram::Environment{{"DISPLAY", desktop_->display()},
                                                      {"WAYLAND_DISPLAY", ""}});
    return *program_;
  }
  uint64_t stat(const char* name) {
    return static_cast<uint64_t>(ui::number_member(ui::member(wall_.window(), "stats"), name));
  }
  HeadlessWall wall_{one_tile_wall()};
  std::optional<XDesktop> desktop_;
  std::optional<ChildProgram> program_;
};

TEST_F(ShareWall, ShowsTheScreenAndFollowsIt) {
  start_desktop();
  xcb_window_t background = desktop_->open_window("background", {0, 0, 400, 300});
  desktop_->draw(background, {0, 0, 400, 300}, waves);
  share({"--no-cursor"});
  wall_.expect_shown({0, 0, 400, 300}, waves, "as it was");
  desktop_->draw(background, {130, 70, 64, 64}, stripes);
  const auto changed = [](int x, int y) {
    return sail::Rect{130, 70, 64, 64}.contains(x, y) ? stripes(x, y) : waves(x, y);
  };
  wall_.expect_shown({0, 0, 400, 300}, changed, "after a change");
  EXPECT_EQ(program_->end(), 0);
}

// Checks for changes 200 times a second; statistics arrive once a second.
TEST_F(ShareWall, SendsNothingWhileNothingChanges) {
  start_desktop();
  xcb_window_t background = desktop_->open_window("background", {0, 0, 400, 300});
  desktop_->draw(background, {0, 0, 400, 300}, waves);
  share({});
  wall_.expect_shown({0, 0, 390, 290}, waves, "as it was");
  ASSERT_TRUE(eventually([&] { return stat("frames_shown") >= 1; }));
  // The second frame is sent whole: it is the first one in shared memory.
  const uint64_t first = stat("frames_submitted");
  desktop_->draw(background, {40, 10, 20, 20}, stripes);
  ASSERT_TRUE(eventually([&] { return stat("frames_shown") > first; }));
  const uint64_t bytes = stat("bytes_sent");
  const uint64_t frames = stat("frames_submitted");
  EXPECT_GE(bytes, uint64_t{400} * 300 * 4);
  desktop_->draw(background, {10, 10, 20, 20}, stripes);
  ASSERT_TRUE(eventually([&] { return stat("frames_shown") > frames; }));
  EXPECT_LE(stat("frames_submitted"), frames + 4) << "what has not changed was submitted";
  EXPECT_LE(stat("bytes_sent"), bytes + 2 * 128 * 64 * 4 + 10'000) << "more than a block was sent";
}

TEST_F(ShareWall, ShowsThePointer) {
  start_desktop();
  xcb_window_t background = desktop_->open_window("background", {0, 0, 400, 300});
  desktop_->draw(background, {0, 0, 400, 300}, waves);
  desktop_->set_cursor(16, 0xff2010);
  desktop_->move_pointer(200, 150);
  share({});
  const auto with_pointer_at = [](const sail::Rect& cursor) {
    return [=](int x, int y) { return cursor.contains(x, y) ? 0xff2010U : waves(x, y); };
  };
  wall_.expect_shown({0, 0, 400, 300}, with_pointer_at({192, 142, 16, 16}), "in the middle");
  desktop_->move_pointer(2, 299);
  wall_.expect_shown({0, 0, 400, 300}, with_pointer_at({-6, 291, 16, 16}), "moved to the edge");
}

TEST_F(ShareWall, ShowsARegionExactly) {
  start_desktop();
  xcb_window_t background = desktop_->open_window("background", {0, 0, 400, 300});
  desktop_->draw(background, {0, 0, 400, 300}, waves);
  desktop_->set_cursor(8, 0x00ff00);
  desktop_->move_pointer(104, 54);
  share({"--region", "33,21,201x99"});
  const auto region = [](int x, int y) {
    if (x >= 201 || y >= 99) return kBlack;
    return sail::Rect{67, 29, 8, 8}.contains(x, y) ? 0x00ff00 : waves(x + 33, y + 21);
  };
  wall_.expect_shown({0, 0, 480, 360}, region, "the region and nothing else");
}

TEST_F(ShareWall, ShowsAWindowThatOthersCoverAndFollowsItsSize) {
  start_desktop();
  xcb_window_t window = desktop_->open_window("Slides of today", {40, 30, 200, 150});
  desktop_->draw(window, {0, 0, 200, 150}, waves);
  share({"--window", "slides", "--no-cursor"});
  wall_.expect_shown({0, 0, 200, 150}, waves, "alone");
  EXPECT_EQ(ui::text_member(wall_.window(), "title"), "Slides of today");

  xcb_window_t above = desktop_->open_window("above", {0, 0, 400, 300});
  desktop_->draw(above, {0, 0, 400, 300}, stripes);
  desktop_->draw(window, {0, 0, 200, 150}, [](int x, int y) { return waves(x + 1, y); });
  wall_.expect_shown(
      {0, 0, 200, 150}, [](int x, int y) { return waves(x + 1, y); }, "covered");

  desktop_->resize(window, {160, 120});
  ASSERT_TRUE(eventually([&] { return wall_.window()["frame_size"] == sail::Json{160, 120}; }));
  desktop_->draw(window, {0, 0, 160, 120}, stripes);
  wall_.call("resize", {{"window", wall_.window()["window"]}, {"width", 160}, {"height", 120}});
  wall_.call("move", {{"window", wall_.window()["window"]}, {"x", 0}, {"y", 0}});
  wall_.expect_shown({0, 0, 160, 120}, stripes, "smaller");

  desktop_->close_window(window);
  EXPECT_TRUE(eventually([&] { return program_->exit_code() == 0; }));
  EXPECT_NE(program_->output().find("closed"), std::string::npos);
}

TEST_F(ShareWall, FollowsTheScreensSize) {
  start_desktop();
  xcb_window_t background = desktop_->open_window("background", {0, 0, 400, 300});
  desktop_->draw(background, {0, 0, 400, 300}, waves);
  share({"--no-cursor"});
  wall_.expect_shown({0, 0, 400, 300}, waves, "as it was");

  desktop_->resize_screen({320, 200});
  ASSERT_TRUE(eventually([&] { return wall_.window()["frame_size"] == sail::Json{320, 200}; }));
  // After a change of the screen's size the server discards the old content.
  desktop_->draw(background, {0, 0, 320, 200}, waves);
  desktop_->draw(background, {100, 100, 50, 50}, stripes);
  const auto changed = [](int x, int y) {
    return sail::Rect{100, 100, 50, 50}.contains(x, y) ? stripes(x, y) : waves(x, y);
  };
  wall_.call("place",
             {{"windows", {{{"window", wall_.window()["window"]}, {"rect", {0, 0, 320, 200}}}}}});
  wall_.expect_shown({0, 0, 320, 200}, changed, "smaller");

  desktop_->resize_screen(kDesktop);
  ASSERT_TRUE(eventually([&] { return wall_.window()["frame_size"] == sail::Json{400, 300}; }));
  desktop_->draw(background, {0, 0, 400, 300}, waves);
  wall_.call("place",
             {{"windows", {{{"window", wall_.window()["window"]}, {"rect", {0, 0, 400, 300}}}}}});
  wall_.expect_shown({0, 0, 400, 300}, waves, "as large as before");
  EXPECT_EQ(program_->end(), 0);
}

TEST_F(ShareWall, ComparesWhereTheServerDoesNotTellWhatChanged) {
  start_desktop({"-extension", "DAMAGE", "-extension", "MIT-SHM", "-extension", "Composite"});
  xcb_window_t window = desktop_->open_window("window", {20, 10, 200, 150});
  desktop_->draw(window, {0, 0, 200, 150}, waves);
  share({"--window", "window"});
  wall_.expect_shown({0, 0, 200, 150}, waves, "as it was");
  ASSERT_TRUE(eventually([&] { return stat("frames_shown") >= 1; }));
  const uint64_t frames = stat("frames_submitted");
  desktop_->draw(window, {0, 0, 200, 150}, stripes);
  wall_.expect_shown({0, 0, 200, 150}, stripes, "after a change");
  ASSERT_TRUE(eventually([&] { return stat("frames_shown") > frames; }));
  EXPECT_LE(stat("frames_submitted"), frames + 10);
}

// A user at the wall clicks, turns the wheel and types into the shared window.
TEST_F(ShareWall, ControlReachesTheDesktop) {
  start_desktop();
  xcb_window_t window = desktop_->open_window("window", {20, 10, 200, 150});
  desktop_->draw(window, {0, 0, 200, 150}, waves);
  share({"--window", "window", "--control"});
  wall_.expect_shown({0, 0, 200, 150}, waves, "as it was");
  xcb_set_input_focus(desktop_->connection(), XCB_INPUT_FOCUS_POINTER_ROOT, window,
                      XCB_CURRENT_TIME);
  desktop_->settle();

  struct Came {
    int type;
    int detail;
    int x;
    int y;
    bool operator==(const Came&) const = default;
  };
  std::vector<Came> came;
  const auto has_come = [&](const Came& wanted) {
    return eventually([&] {
      while (const auto event = desktop_->next_event()) {
        const auto& input = reinterpret_cast<const xcb_button_press_event_t&>(*event);
        came.push_back({event->response_type & 0x7f, input.detail, input.event_x, input.event_y});
      }
      return std::ranges::find(came, wanted) != came.end();
    });
  };
  const auto input = [&](sail::Json params) {
    params["window"] = wall_.window()["window"];
    wall_.call("input", params);
  };
  input({{"type", "down"}, {"at", {70, 40}}, {"button", 2}, {"buttons", 2}});
  EXPECT_TRUE(has_come({XCB_BUTTON_PRESS, 3, 70, 40}));
  input({{"type", "up"}, {"at", {75, 41}}, {"button", 2}, {"buttons", 0}});
  EXPECT_TRUE(has_come({XCB_BUTTON_RELEASE, 3, 75, 41}));
  input({{"type", "wheel"}, {"at", {75, 41}}, {"wheel", {0, -1}}});
  EXPECT_TRUE(has_come({XCB_BUTTON_PRESS, 4, 75, 41}));

  int each = 0;
  const auto keycode_of = [&](uint32_t keysym) {
    const xcb_setup_t* setup = xcb_get_setup(desktop_->connection());
    const auto count = static_cast<uint8_t>(setup->max_keycode - setup->min_keycode + 1);
    const std::unique_ptr<xcb_get_keyboard_mapping_reply_t, void (*)(void*)> mapping(
        xcb_get_keyboard_mapping_reply(
            desktop_->connection(),
            xcb_get_keyboard_mapping(desktop_->connection(), setup->min_keycode, count), nullptr),
        std::free);
    each = mapping->keysyms_per_keycode;
    const xcb_keysym_t* keysyms = xcb_get_keyboard_mapping_keysyms(mapping.get());
    for (int i = 0; i < count * each; ++i) {
      if (keysyms[i] == keysym) return setup->min_keycode + i / each;
    }
    return 0;
  };
  input({{"type", "key_down"}, {"key", "q"}});
  EXPECT_TRUE(has_come({XCB_KEY_PRESS, keycode_of('q'), 75, 41}));
  input({{"type", "key_up"}, {"key", "q"}});
  EXPECT_TRUE(has_come({XCB_KEY_RELEASE, keycode_of('q'), 75, 41}));
  // The keyboard has no key for this letter, so a free key is mapped to it temporarily.
  input({{"type", "key_down"}, {"key", "ж"}});
  ASSERT_TRUE(eventually([&] { return keycode_of(0x01000436) != 0; }));
  EXPECT_TRUE(has_come({XCB_KEY_PRESS, keycode_of(0x01000436), 75, 41}));
  EXPECT_EQ(program_->end(), 0);
  EXPECT_TRUE(eventually([&] { return keycode_of(0x01000436) == 0; }))
      << "the lent key is given back";
}

std::vector<std::string> characters_of(const std::string& text) {
  std::vector<std::string> characters;
  for (const char byte : text) {
    const bool begins = (static_cast<unsigned char>(byte) & 0xc0) != 0x80;
    begins ? characters.emplace_back(1, byte) : characters.back().append(1, byte);
  }
  return characters;
}

// Typing into a program that reads one event for each key sent, slower than the keys arrive.
class Typing : public ShareWall {
 protected:
  void begin() {
    start_desktop();
    const xcb_window_t window = desktop_->open_window("window", {20, 10, 200, 150});
    desktop_->draw(window, {0, 0, 200, 150}, waves);
    reader_.emplace(*desktop_, window);
    share({"--window", "window", "--control"});
    wall_.expect_shown({0, 0, 200, 150}, waves, "as it was");
  }
  void send(const char* type, const std::string& key) {
    wall_.call("input", {{"window", wall_.window()["window"]}, {"type", type}, {"key", key}});
    reader_->step();
  }
  void press(const std::vector<std::string>& keys) {
    for (const std::string& key : keys) send("key_down", key);
    for (auto key = keys.rbegin(); key != keys.rend(); ++key) send("key_up", *key);
  }
  void type(const std::string& text) {
    for (const std::string& character : characters_of(text)) press({character});
  }
  void expect_read(const std::string& text) {
    EXPECT_TRUE(eventually([&] {
      reader_->step();
      return reader_->text().size() >= text.size();
    }));
    EXPECT_EQ(reader_->text(), text);
  }
  std::optional<XReader> reader_;
};

TEST_F(Typing, TextOfAllScriptsArrivesAsItWasTyped) {
  begin();
  // More characters than the keyboard has free keys to map.
  const std::string text =
      "AbC Straße Жж 世界 ñü €uro Zażółć 😀 αβγδεζηθικλμνξοπρστυφχψω абвгдежзийклмнопрстуфхцчшщ Жж";
  type(text);
  expect_read(text);
}

TEST_F(Typing, WhateverIsHeldAndLocked) {
  begin();
  press({"CapsLock"});
  type("HELLO wéж Éß1!");
  press({"Shift", "h"});
  press({"CapsLock"});
  press({"Shift", "/"});  // as on a German keyboard
  press({"Shift", "H"});
  press({"Control", "c"});
  press({"Control", "Shift", "Z"});
  press({"Control", "AltGraph", "@"});  // as Windows sends AltGr
  press({"Shift", "Tab"});
  expect_read("HELLO wéж Éß1!h/H<Control+c><Shift+Control+Z>@<fe20>");
}

TEST_F(Typing, AKeyboardOfAnotherLayout) {
  begin();
  // The key Q with AltGr, as on a Polish keyboard.
  const std::vector<uint32_t> symbols{'q', 'Q', 'q', 'Q', 0x01000142, 0x01000141};
  xcb_change_keyboard_mapping(desktop_->connection(), 1, 24, static_cast<uint8_t>(symbols.size()),
                              symbols.data());
  desktop_->settle();
  press({"AltGraph", "ł"});
  type("łŁq");
  press({"AltGraph", "q"});
  expect_read("łłŁqq");
}

TEST_F(ShareWall, SaysWhatIsWrong) {
  start_desktop();
  desktop_->open_window("One", {0, 0, 20, 20});
  desktop_->open_window("Another", {30, 0, 20, 20});
  const auto fails_with = [&](const char* what, ChildProgram& program) {
    ASSERT_TRUE(eventually([&] { return program.exit_code().has_value(); }));
    EXPECT_EQ(program.exit_code(), 1);
    EXPECT_NE(program.output().find(what), std::string::npos) << program.output();
  };
  fails_with("there is no window \"Third\" on this desktop; windows: \"One\"",
             share({"--window", "Third"}));
  fails_with("several windows", share({"--window", "o"}));
  fails_with("outside the screen, which has 400x300", share({"--region", "400,0,10x10"}));
  fails_with("cannot reach the X display :987654", share({"--display", ":987654"}));

  const std::vector<std::string> words{SHARE_PROGRAM, "--manager", wall_.manager_address()};
  ChildProgram nowhere(words, {{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}});
  fails_with("$DISPLAY is not set", nowhere);
  const ChildProgram::Environment wayland{{"DISPLAY", ""},
                                          {"WAYLAND_DISPLAY", "wayland-0"},
                                          {"DBUS_SESSION_BUS_ADDRESS", "unix:path=/no/such/bus"}};
  ChildProgram no_bus(words, wayland);
  fails_with("no D-Bus connection", no_bus);
}

TEST_F(ShareWall, ListsWindows) {
  start_desktop();
  desktop_->open_window("One", {0, 0, 20, 30});
  ChildProgram& program = share({"--list"});
  ASSERT_TRUE(eventually([&] { return program.exit_code().has_value(); }));
  EXPECT_EQ(program.exit_code(), 0);
  EXPECT_NE(program.output().find("20x30  One"), std::string::npos) << program.output();
}

// --- programs on a screen of their own ----------------------------------------------------------

uint32_t places(int x, int y) {
  return static_cast<uint32_t>(x & 0xff) << 16 | static_cast<uint32_t>(y & 0xff);
}

class RunX11 : public ShareWall {
 protected:
  ChildProgram& run(const std::vector<std::string>& command) {
    std::vector<std::string> words{SHARE_PROGRAM,
                                   "--run",
                                   "--size",
                                   "400x300",
                                   "--codec=raw",
                                   "--manager",
                                   wall_.manager_address(),
                                   "--place=0,0",
                                   "--no-cursor",
                                   "--"};
    words.insert(words.end(), command.begin(), command.end());
    program_.emplace(words, ChildProgram::Environment{{"DISPLAY", ""}});
    return *program_;
  }
  // Returns the process id that the program prints.
  int number_of_command() {
    int number = 0;
    EXPECT_TRUE(eventually([&] {
      const std::string output = program_->output();
      const size_t at = output.find("pid ");
      return at != std::string::npos && std::sscanf(output.c_str() + at, "pid %d", &number) == 1;
    }));
    return number;
  }
};

TEST_F(RunX11, AProgramFillsAScreenOfItsOwnAndHearsPeople) {
  start_desktop();  // its display is not in the arguments, so it is not used
  run({X_PROGRAM});
  wall_.expect_shown({0, 0, 400, 300}, places, "the window fills the screen");
  EXPECT_EQ(wall_.window()["title"], "x_program");
  const auto input = [&](sail::Json params) {
    params["window"] = wall_.window()["window"];
    wall_.call("input", params);
  };
  input({{"type", "down"}, {"at", {70, 40}}, {"button", 0}, {"buttons", 1}});
  input({{"type", "up"}, {"at", {70, 40}}, {"button", 0}, {"buttons", 0}});
  const auto clicked = [](int x, int y) {
    return sail::Rect{70, 40, 8, 8}.contains(x, y) ? 0xffffffU : places(x, y);
  };
  wall_.expect_shown({0, 0, 400, 300}, clicked, "after a click");
  input({{"type", "key_down"}, {"key", "q"}});
  EXPECT_TRUE(eventually([&] { return program_->exit_code().has_value(); }));
  EXPECT_EQ(program_->exit_code(), 7) << "the command's own";
  EXPECT_EQ(program_->output().find("already"), std::string::npos) << program_->output();
}

TEST_F(RunX11, TheProgramEndsWithItsWindow) {
  run({X_PROGRAM});
  wall_.expect_shown({0, 0, 400, 300}, places, "it is there");
  const int number = number_of_command();
  wall_.call("close", {{"window", wall_.window()["window"]}});
  EXPECT_TRUE(eventually([&] { return program_->exit_code().has_value(); }));
  EXPECT_EQ(program_->exit_code(), 0);
  EXPECT_TRUE(eventually([&] { return kill(number, 0) != 0; }));
}

TEST_F(RunX11, NothingIsLeftOfWhatWasKilled) {
  run({X_PROGRAM});
  wall_.expect_shown({0, 0, 400, 300}, places, "it is there");
  const int number = number_of_command();
  kill(program_->pid(), SIGKILL);
  EXPECT_TRUE(eventually([&] { return kill(number, 0) != 0; }));
}

TEST_F(RunX11, WhatCannotBeRunIsSaid) {
  run({"/no/such/program"});
  EXPECT_TRUE(eventually([&] { return program_->exit_code().has_value(); }));
  EXPECT_EQ(program_->exit_code(), 1);
  EXPECT_NE(program_->output().find("cannot run /no/such/program"), std::string::npos);
}

}  // namespace
}  // namespace test
