#include "ui/bridge/near_controls.h"

#include <fmt/core.h>

#include <optional>
#include <utility>

#include "sail/core/auth/wall_key.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/wire/rpc.h"
#include "ui/bridge/bridge.h"
#include "ui/client/answers.h"

namespace ui {
namespace {

constexpr int kMostUnanswered = 64;
constexpr int64_t kClockPauseMs = 50;

sail::Hello hello_to_near(const std::string& far_at) {
  return {.role = sail::Role::kUi,
          .name = sail::make_plain_text(fmt::format("{} to {}", kBridgeProgram, far_at),
                                        sail::kMaxNameLength)};
}

std::optional<sail::Playback> playback_of(const sail::Json& window) {
  const sail::Json given = member(window, "playback");
  if (given.empty()) return std::nullopt;
  sail::JsonFields fields(given, "playback");
  const auto playback = sail::read_fields<sail::Playback>(fields);
  return fields.finish_open() ? std::nullopt : std::optional(playback);
}

}  // namespace

bool may_control(const sail::Json& welcome) {
  const std::string right = text_member(welcome, "right");
  return right != sail::right_name(sail::Right::kViewer) &&
         right != sail::right_name(sail::Right::kProgram);
}

NearControls::NearControls(sail::Loop& loop, const NearWall& near, const std::string& far_at,
                           std::optional<Windows> windows, const sail::Log& log)
    : windows_(windows),
      log_(log),
      clock_timer_(loop),
      link_(
          loop, near.at, [hello = hello_to_near(far_at)](const sail::Address&) { return hello; },
          sail::ManagerLink::Handlers{
              .on_connected = [this](const sail::Json& welcome) { on_connected(welcome); },
              .on_request = sail::only_notifications(
                  [this](const std::string& method, const sail::Json& params) {
                    if (method != "changed" || !subscribed_) return;
                    for (const sail::Json& removed : member(params, "removed")) {
                      const auto number = sail::whole_number(removed, 1, UINT32_MAX);
                      if (number) forget(static_cast<uint32_t>(*number));
                    }
                    take(member(params, "windows"));
                  }),
              .on_lost = [this](const sail::Error&) { subscribed_ = false; },
              .on_refused =
                  [this](const sail::Error& error) {
                    log_.warning("people of the far wall cannot control windows: this wall: {}",
                                 error.message);
                  }},
          log, sail::ManagerLinkTimes{.key = near.key}) {}

void NearControls::on_connected(const sail::Json& welcome) {
  if (!windows_) return;
  may_control_ = may_control(welcome);
  link_.peer()->call("subscribe", sail::Json::object(), [this](const auto& state) {
    if (!state) {
      return log_.warning("cannot follow this wall's windows: {}", state.error().message);
    }
    subscribed_ = true;
    take(member(*state, "windows"));
  });
}

void NearControls::take(const sail::Json& windows) {
  for (const sail::Json& window : windows) {
    const auto number = sail::whole_number(member(window, "window"), 1, UINT32_MAX);
    if (!number || waiting_.size() >= sail::kMaxWindows) continue;
    waiting_[static_cast<uint32_t>(*number)] = {
        .may_control = may_control_,
        .takes_input = may_control_ && true_member(window, "input"),
        .playback = playback_of(window)};
  }
  pass_on();
}

void NearControls::forget(uint32_t window) {
  waiting_.erase(window);
  refusals_.erase(window);
  windows_->far.forget(window);
}

void NearControls::pass_on() {
  const sail::WallClock& clock = windows_->clock;
  if (!clock.known()) return clock_timer_.start(kClockPauseMs, 0, [this] { pass_on(); });
  for (auto& [number, window] : std::exchange(waiting_, {})) {
    if (window.playback) window.playback->at_ns = clock.to_steady_ns(window.playback->at_ns);
    windows_->far.follow(number, window);
  }
}

void NearControls::send(const Wish& wish) {
  sail::RpcPeer* manager = link_.peer();
  if (manager == nullptr) return refused(wish, "the manager of this wall is away");
  if (wish.is_motion) {
    manager->offer_line(sail::notification_line(wish.verb, wish.params));
    return;
  }
  if (unanswered_ >= kMostUnanswered) return refused(wish, "this wall does not keep up");
  ++unanswered_;
  manager->call(wish.verb, wish.params, [this, wish](const auto& answer) {
    --unanswered_;
    if (!answer) refused(wish, answer.error().message);
  });
}

void NearControls::refused(const Wish& wish, const std::string& why) {
  if (refusals_.size() >= sail::kMaxWindows) refusals_.clear();  // of a region, nobody forgets them
  if (std::exchange(refusals_[wish.window], why) == why) return;
  log_.warning("window {}: {} of the far wall is not carried out: {}", wish.window,
               text_member(wish.params, wish.verb == "control" ? "action" : "type"), why);
}

}  // namespace ui
