// The sound of web pages (with the real Chromium) and of programs started by `vitrail run-x11`
// plays on the wall's loudspeakers.
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "tests/support/desktop/child_program.h"
#include "tests/support/headless_wall.h"
#include "tests/support/heard_sound.h"
#include "tests/support/http_server.h"
#include "tests/support/temp_folder.h"

namespace test {
namespace {

constexpr double kAmplitude = 0.3;
constexpr double kLongS = 2;  // of sound without a gap
constexpr uint32_t kPlays = 0x20a040;
constexpr uint32_t kStill = 0x4020a0;
constexpr uint32_t kSilentMessage = 0x202428;
// A part of the page without the pointer.
constexpr sail::Rect kCentre{140, 100, 40, 40};
constexpr const char* kWave = "/wave";

// A mono WAV file of 16 bits and half a minute, which contains whole periods of any tone of a whole
// number of hertz.
std::string wave(int hz) {
  constexpr int kRate = 44100;
  constexpr int kSeconds = 30;
  const auto number = [](uint32_t value, size_t bytes) {
    std::string text;
    for (size_t i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
    return text;
  };
  std::string samples;
  for (int i = 0; i < kRate * kSeconds; ++i) {
    const double value = kAmplitude * std::sin(2 * std::numbers::pi * hz * i / kRate);
    samples += number(static_cast<uint32_t>(std::lround(value * 32767)), 2);
  }
  const auto size = static_cast<uint32_t>(samples.size());
  return "RIFF" + number(size + 36, 4) + "WAVEfmt " + number(16, 4) + number(1, 2) + number(1, 2) +
         number(kRate, 4) + number(kRate * 2, 4) + number(2, 2) + number(16, 2) + "data" +
         number(size, 4) + samples;
}

// Plays by WebAudio; a click stops the tone and starts it again, and the page is violet while the
// tone is off.
std::string tones(const std::vector<int>& all) {
  std::string script = "const contexts = [];";
  for (const int hz : all) {
    script += fmt::format(
        "{{ const c = new AudioContext(), tone = c.createOscillator(), gain = c.createGain();"
        " gain.gain.value = {}; tone.frequency.value = {};"
        " tone.connect(gain).connect(c.destination); tone.start(); contexts.push(c); }}",
        kAmplitude, hz);
  }
  return fmt::format(
      "<!DOCTYPE html><body style='margin:0; background:#{:06x}'><script>{} let still = false;"
      " onclick = async () => {{ still = !still;"
      " for (const c of contexts) await (still ? c.suspend() : c.resume());"
      " document.body.style.background = still ? '#{:06x}' : '#{:06x}'; }};</script>",
      kPlays, script, kStill, kPlays);
}

class OwnSoundWall : public testing::Test {
 protected:
  ChildProgram& start(std::vector<std::string> words, ChildProgram::Environment environment = {}) {
    words.insert(words.begin() + 1,
                 {"--size", "200x150", "--codec=raw", "--manager", wall_.manager_address()});
    environment.emplace_back("DISPLAY", "");
    programs_.push_back(std::make_unique<ChildProgram>(words, environment));
    return *programs_.back();
  }
  ChildProgram& show(const std::string& html, const char* place = "0,0",
                     const ChildProgram::Environment& environment = {}) {
    servers_.push_back(std::make_unique<HttpServer>([this, html](const HttpRequest& request) {
      if (request.path != kWave) {
        return HttpAnswer{.headers = "Content-Type: text/html\r\n", .body = html, .length = {}};
      }
      HttpAnswer answer = HttpServer::part_of(wave_, request);
      answer.headers += "Content-Type: audio/wav\r\n";
      return answer;
    }));
    std::vector<std::string> words{WEB_PROGRAM, "--local", "--place", place};
    if (geteuid() == 0) words.emplace_back("--no-sandbox");
    words.push_back(servers_.back()->url("/"));
    return start(words, environment);
  }
  bool heard(int hz, double amplitude, double seconds = 0.5) {
    return eventually([&] { return heard_.has_tone(hz, amplitude, seconds); });
  }
  std::string said() const {
    std::string all;
    for (const auto& each : programs_) all += each->output();
    return all;
  }
  void expect_all(uint32_t colour, const std::string& what) {
    wall_.expect_shown(
        kCentre, [colour](int, int) { return colour; }, what);
  }
  void click() {
    const sail::Json window = wall_.window()["window"];
    for (const char* type : {"down", "up"}) {
      wall_.call("input", {{"window", window},
                           {"type", type},
                           {"at", {10, 10}},
                           {"button", 0},
                           {"buttons", *type == 'd' ? 1 : 0}});
    }
  }
  // Returns the process id of the newest program of this name; 0: none.
  pid_t child(const std::string& name) const {
    std::error_code error;
    for (const auto& each : std::filesystem::directory_iterator("/proc", error)) {
      std::ifstream stat(each.path() / "stat");
      pid_t pid = 0;
      pid_t parent = 0;
      std::string called;
      std::string state;
      if (stat >> pid >> called >> state >> parent && called == "(" + name + ")" &&
          parent == programs_.back()->pid()) {
        return pid;
      }
    }
    return 0;
  }

  const std::string wave_ = wave(600);
  const HeardSound heard_{};
  HeadlessWall wall_{with_loudspeakers(one_tile_wall())};
  std::vector<std::unique_ptr<HttpServer>> servers_;
  std::vector<std::unique_ptr<ChildProgram>> programs_;
};

TEST_F(OwnSoundWall, APageIsHeardAsLoudAsPeopleWish) {
  show(tones({440}));
  ASSERT_TRUE(heard(440, kAmplitude, kLongS)) << said();
  const sail::Json window = wall_.window()["window"];
  wall_.call("sound", {{"window", window}, {"volume", 0.4}});
  EXPECT_TRUE(heard(440, kAmplitude * 0.4));
  wall_.call("sound", {{"window", window}, {"muted", true}});
  EXPECT_TRUE(heard(440, 0));
  wall_.call("sound", {{"window", window}, {"volume", 1}, {"muted", false}});
  EXPECT_TRUE(heard(440, kAmplitude));
  wall_.call("close", {{"window", window}});
  EXPECT_TRUE(heard(440, 0));
  EXPECT_TRUE(eventually([&] { return programs_.back()->exit_code() == 0; })) << said();
}

TEST_F(OwnSoundWall, APageStopsAndStartsAgain) {
  show(tones({440}));
  ASSERT_TRUE(heard(440, kAmplitude)) << said();
  expect_all(kPlays, "it plays");
  for (int i = 0; i < 2; ++i) {
    click();
    expect_all(kStill, "it is still");
    EXPECT_TRUE(heard(440, 0));
    click();
    expect_all(kPlays, "it plays again");
    EXPECT_TRUE(heard(440, kAmplitude));
  }
}

// In Chromium each context and each element has a separate stream.
TEST_F(OwnSoundWall, AllThatAPagePlaysIsHeard) {
  show(tones({440, 1000}) + fmt::format("<audio src={} autoplay loop></audio>", kWave));
  for (const int hz : {440, 1000, 600}) {
    EXPECT_TRUE(heard(hz, kAmplitude)) << hz << " Hz, " << said();
  }
}

TEST_F(OwnSoundWall, PagesAreHeardBesideOneAnother) {
  show(tones({440}));
  show(fmt::format("<audio src={} autoplay loop></audio>", kWave), "200,0");
  ASSERT_TRUE(heard(440, kAmplitude)) << said();
  ASSERT_TRUE(heard(600, kAmplitude)) << said();
  wall_.call("sound", {{"window", wall_.window()["window"]}, {"muted", true}});
  EXPECT_TRUE(eventually([&] { return heard_.has_tone(440, 0) != heard_.has_tone(600, 0); }))
      << "one of them is muted";
}

TEST_F(OwnSoundWall, AProgramOfX11IsHeard) {
  const sail::TempFolder folder;
  const std::string file = folder.file("tone.wav");
  std::ofstream(file, std::ios::binary) << wave_;
  ChildProgram& program = start({SHARE_PROGRAM, "--run", "--", "paplay", file});
  EXPECT_TRUE(heard(600, kAmplitude, kLongS)) << said();
  EXPECT_EQ(program.end(), 0) << said();
}

TEST_F(OwnSoundWall, WithoutPulseAudioPagesAreShownAllTheSame) {
  const sail::TempFolder folder;
  const std::string none = folder.file("pulseaudio");
  std::ofstream(none) << "#!/bin/sh\nexit 127\n";  // as `env` exits if it finds no program
  std::filesystem::permissions(none, std::filesystem::perms::owner_all);
  show(tones({440}), "0,0", {{"PATH", folder.path().string() + ":" + std::getenv("PATH")}});
  expect_all(kPlays, "the page");
  EXPECT_NE(said().find("apt install pulseaudio"), std::string::npos) << said();
  click();
  expect_all(kStill, "it goes on");
  EXPECT_EQ(programs_.back()->end(), 0);
}

TEST_F(OwnSoundWall, APageOutlivesItsSound) {
  show(tones({440}));
  ASSERT_TRUE(heard(440, kAmplitude)) << said();
  const pid_t server = child("pulseaudio");
  ASSERT_GT(server, 0);
  kill(server, SIGKILL);
  EXPECT_TRUE(eventually([&] { return said().find("PulseAudio has ended") != std::string::npos; }))
      << said();
  EXPECT_TRUE(heard(440, 0));
  wall_.call("close", {{"window", wall_.window()["window"]}});
  EXPECT_TRUE(eventually([&] { return programs_.back()->exit_code() == 0; })) << said();
}

TEST_F(OwnSoundWall, ABrowserThatIsStartedAgainIsHeard) {
  show(tones({440}));
  ASSERT_TRUE(heard(440, kAmplitude)) << said();
  kill(child("chromium"), SIGKILL);
  expect_all(kSilentMessage, "why there is nothing");
  EXPECT_TRUE(heard(440, 0));
  click();
  EXPECT_TRUE(heard(440, kAmplitude)) << said();
}

TEST_F(OwnSoundWall, ItsServerEndsWithIt) {
  show(tones({440}));
  ASSERT_TRUE(heard(440, kAmplitude)) << said();
  const pid_t server = child("pulseaudio");
  ASSERT_GT(server, 0);
  kill(programs_.back()->pid(), SIGKILL);
  EXPECT_TRUE(eventually([&] { return kill(server, 0) != 0; }));
}

}  // namespace
}  // namespace test
