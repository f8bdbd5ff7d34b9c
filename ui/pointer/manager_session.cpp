#include "ui/pointer/manager_session.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sail/core/time/clock.h"

namespace ui {
namespace {

sail::Json point_json(const WallPoint& point) {
  return {std::lround(point.x), std::lround(point.y)};
}

}  // namespace

ManagerSession::ManagerSession(sail::Loop& loop, const SessionOptions& options, Handlers handlers,
                               const sail::Log& log)
    : handlers_(std::move(handlers)),
      log_(log),
      style_(options.style),
      timer_(loop),
      events_([this] { return link_->peer(); }) {
  link_ = std::make_unique<sail::ManagerLink>(
      loop, options.manager, [hello = options.hello](const sail::Address&) { return hello; },
      sail::ManagerLink::Handlers{
          .on_connected = [this](const sail::Json&) { welcomed(); },
          .on_request =
              sail::only_notifications([this](const std::string& method, const sail::Json& params) {
                on_notification(method, params);
              }),
          .on_lost = [this](const sail::Error&) { lost(); },
          .on_refused = [this](const sail::Error& error) { handlers_.on_refused(error); }},
      log);
}

void ManagerSession::welcomed() {
  events_.run();
  link_->peer()->call("subscribe", sail::Json::object(), [this](const auto& state) {
    if (!state)
      return log_.warning("cannot subscribe to the wall's state: {}", state.error().message);
    subscribed_ = true;
    view_.reset(*state);
    handlers_.on_view();
  });
}

void ManagerSession::lost() {
  subscribed_ = false;
  view_ = WallView();
  pointers_.clear();
  places_.clear();
  moves_.clear();
  handlers_.on_lost();
}

void ManagerSession::on_notification(const std::string& method, const sail::Json& params) {
  if (method != "changed" || !subscribed_) return;
  view_.apply(params);
  handlers_.on_view();
}

void ManagerSession::show_pointer(int number, const WallPoint& at, bool pressed) {
  sail::Json& params =
      pointers_[number] = {{"pointer", number}, {"at", point_json(at)}, {"pressed", pressed}};
  if (!style_.empty()) params["style"] = style_;
  soon();
}

void ManagerSession::hide_pointer(int number) {
  pointers_[number] = {{"pointer", number}, {"hidden", true}};
  soon();
}

void ManagerSession::place(uint32_t window, const sail::Rect& rect, const std::string& gesture,
                           bool last) {
  if (!last) {
    places_[window] = {rect, gesture};
    soon();
    return;
  }
  places_.erase(window);
  const sail::Json item = {{"window", window}, {"rect", sail::rect_json(rect)}};
  ask("place", {{"windows", sail::Json::array({item})}, {"gesture", gesture}});
}

void ManagerSession::input(const sail::Json& params) {
  if (params["type"] == "move") {
    moves_[params["window"].get<uint32_t>()] = params;
    soon();
    return;
  }
  // Sends pending moves first, to keep the order.
  send();
  notify("input", params);
}

void ManagerSession::ask(std::string_view verb, const sail::Json& params) {
  send();
  sail::RpcPeer* peer = link_ ? link_->peer() : nullptr;
  if (peer == nullptr) return;
  peer->call(verb, params, [log = log_, verb = std::string(verb)](const auto& answer) {
    if (!answer) log.info("request '{}' failed: {}", verb, answer.error().message);
  });
}

void ManagerSession::run(const sail::EventVerb& event) {
  const auto refuse = [log = log_,
                       name = event.parameters["name"].get<std::string>()](const sail::Error& why) {
    log.warning("event {}: {}", name, why.message);
  };
  const auto added = events_.add(
      event.verb, event.parameters,
      [refuse, clears = event.clears()](const sail::Result<sail::Json>& answer) {
        // Devices repeat that something is over.
        const bool over = clears && !answer && answer.error().code == sail::ErrorCode::kNotFound;
        if (!answer && !over) refuse(answer.error());
      });
  if (!added) refuse(added.error());
}

void ManagerSession::notify(std::string_view verb, const sail::Json& params) {
  sail::RpcPeer* peer = link_ ? link_->peer() : nullptr;
  if (peer != nullptr) peer->notify(verb, params);
}

void ManagerSession::soon() {
  if (std::exchange(waiting_, true)) return;
  const int64_t since_ms = (sail::steady_now_ns() - sent_ns_) / 1'000'000;
  timer_.start(std::clamp<int64_t>(kSendEveryMs - since_ms, 0, kSendEveryMs), 0,
               [this] { send(); });
}

void ManagerSession::send() {
  waiting_ = false;
  timer_.stop();
  sent_ns_ = sail::steady_now_ns();
  for (const auto& [window, place] : std::exchange(places_, {})) {
    const sail::Json item = {{"window", window}, {"rect", sail::rect_json(place.rect)}};
    notify("place", {{"windows", sail::Json::array({item})}, {"gesture", place.gesture}});
  }
  for (const auto& [number, params] : std::exchange(pointers_, {})) notify("pointer", params);
  for (const auto& [window, params] : std::exchange(moves_, {})) notify("input", params);
}

}  // namespace ui
