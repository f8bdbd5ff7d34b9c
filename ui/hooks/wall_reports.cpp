#include "ui/hooks/wall_reports.h"

#include <fmt/core.h>

#include <utility>

#include "ui/client/answers.h"

namespace ui {
namespace {

using sail::Happening;

std::string lost_of(const sail::Json& window) {
  std::string why = text_member(member(window, "lost"), "why");
  if (!why.empty()) return why;
  return number_member(member(window, "playback"), "silent_since_s") != 0 ? "no signal" : "";
}

}  // namespace

void WallReports::take(const sail::Json& changed) {
  for (const sail::Json& receiver : member(changed, "receivers")) {
    now_.connected[text_member(receiver, "name")] = true_member(receiver, "connected");
  }
  for (const sail::Json& window : member(changed, "windows")) {
    now_.windows[number_member(window, "window")] = {text_member(window, "title"), lost_of(window)};
  }
  for (const sail::Json& number : member(changed, "removed")) {
    if (number.is_number_integer()) now_.windows.erase(number.get<int64_t>());
  }
  if (const sail::Json scene = member(changed, "scene"); !scene.empty()) {
    now_.scene = text_member(scene, "name");
    now_.scene_opens = true_member(scene, "pending");
  }
  if (changed.contains("events")) {
    now_.events.clear();
    for (const sail::Json& event : member(changed, "events")) {
      const std::string name = text_member(event, "event");
      now_.events[name + '\n' + text_member(event, "id")] = name;
    }
  }
  if (!changed.contains("health")) return;
  now_.alarms.clear();
  for (const sail::Json& problem : member(member(changed, "health"), "problems")) {
    if (text_member(problem, "state") != "bad") continue;
    sail::Json facts = problem;
    facts.erase("state");
    now_.alarms[text_member(problem, "sentence")] = std::move(facts);
  }
}

void WallReports::reset(const sail::Json& state) {
  now_ = {};
  settled_ = false;
  take(state);
}

std::vector<WallNews> WallReports::change(const sail::Json& changed) {
  take(changed);
  return settled_ ? compare() : std::vector<WallNews>();
}

std::vector<WallNews> WallReports::settle() {
  settled_ = true;
  // Receivers that are absent and alarms at the first start are news.
  if (!reported_) {
    State begin;
    begin.events = now_.events;
    reported_ = std::move(begin);
  }
  reported_->windows = now_.windows;
  reported_->scene = now_.scene;
  reported_->scene_opens = now_.scene_opens;
  return compare();
}

std::vector<WallNews> WallReports::compare() {
  std::vector<WallNews> news;
  compare_receivers(news);
  compare_windows(news);
  compare_scene(news);
  compare_events(news);
  compare_alarms(news);
  reported_ = now_;
  return news;
}

void WallReports::compare_receivers(std::vector<WallNews>& news) const {
  for (const auto& [name, connected] : now_.connected) {
    const auto before = reported_->connected.find(name);
    const bool was_connected = before == reported_->connected.end() || before->second;
    if (connected == was_connected) continue;
    news.push_back({connected ? Happening::kReceiverBack : Happening::kReceiverLost,
                    {{"receiver", name}},
                    fmt::format("receiver '{}' is {}", name, connected ? "back" : "lost")});
  }
}

void WallReports::compare_windows(std::vector<WallNews>& news) const {
  const auto add = [&news](Happening happening, int64_t number, const WindowFacts& window,
                           const std::string& what) {
    sail::Json facts = {{"window", number}, {"title", window.title}};
    if (!window.lost.empty()) facts["why"] = window.lost;
    news.push_back({happening, std::move(facts),
                    fmt::format("window {} \"{}\" {}", number, window.title, what)});
  };
  for (const auto& [number, window] : reported_->windows) {
    if (!now_.windows.contains(number)) add(Happening::kWindowClosed, number, window, "is closed");
  }
  for (const auto& [number, window] : now_.windows) {
    const auto before = reported_->windows.find(number);
    const bool is_new = before == reported_->windows.end();
    if (is_new) add(Happening::kWindowOpened, number, window, "is open");
    const bool was_lost = !is_new && !before->second.lost.empty();
    if (was_lost && window.lost.empty()) add(Happening::kStreamBack, number, window, "is back");
    if (!was_lost && !window.lost.empty()) {
      add(Happening::kStreamLost, number, window, "has lost its stream: " + window.lost);
    }
  }
}

void WallReports::compare_scene(std::vector<WallNews>& news) const {
  if (now_.scene_opens || now_.scene.empty()) return;
  if (now_.scene == reported_->scene && !reported_->scene_opens) return;
  news.push_back({Happening::kScene,
                  {{"scene", now_.scene}},
                  fmt::format("the wall shows the scene '{}'", now_.scene)});
}

void WallReports::compare_events(std::vector<WallNews>& news) const {
  const auto add = [&news](Happening happening, const std::string& key, const std::string& name,
                           const char* what) {
    sail::Json facts = {{"event", name}};
    if (const std::string id = key.substr(name.size() + 1); !id.empty()) facts["id"] = id;
    news.push_back({happening, std::move(facts), fmt::format("the event '{}' {}", name, what)});
  };
  for (const auto& [key, name] : reported_->events) {
    if (!now_.events.contains(key)) add(Happening::kEventOver, key, name, "is over");
  }
  for (const auto& [key, name] : now_.events) {
    if (!reported_->events.contains(key)) add(Happening::kEvent, key, name, "is active");
  }
}

void WallReports::compare_alarms(std::vector<WallNews>& news) const {
  for (const auto& [sentence, facts] : reported_->alarms) {
    if (!now_.alarms.contains(sentence)) {
      news.push_back({Happening::kAlarmOver, facts, "no longer: " + sentence});
    }
  }
  for (const auto& [sentence, facts] : now_.alarms) {
    if (!reported_->alarms.contains(sentence)) {
      news.push_back({Happening::kAlarm, facts, sentence});
    }
  }
}

}  // namespace ui
