#include "manager/desk/drivers.h"

#include <fmt/core.h>

#include <ctime>
#include <optional>

#include "manager/desk/desk.h"
#include "manager/peers/peers.h"
#include "manager/wall/window_stack.h"
#include "sail/core/rpc/service_peer.h"
#include "sail/core/time/clock.h"

namespace manager {
namespace {

constexpr int64_t kNsPerMs = 1'000'000;

Driver::Person person_of(sail::ServicePeer& peer) {
  return {author_of(peer).name, peer.key_name(), peer.rpc().peer_address().host};
}

bool is_release(sail::InputType type) {
  return type == sail::InputType::kUp || type == sail::InputType::kKeyUp ||
         type == sail::InputType::kTouchUp || type == sail::InputType::kLeave;
}

bool drives(sail::ServicePeer& peer, const Driver& driver) {
  return driver.client == peer.id() || driver.person == person_of(peer);
}

}  // namespace

sail::Result<void> Drivers::admit(sail::ServicePeer& peer, const Window& window,
                                  sail::InputType type) {
  const std::optional<Driver>& driver = window.driver;
  const bool is_driver = driver && drives(peer, *driver);
  if (is_release(type)) {
    if (is_driver && type == sail::InputType::kLeave && !driver->asked) end(window.number);
    return {};
  }
  if (driver && driver->asked && !is_driver) {
    return sail::fail(sail::ErrorCode::kConflict,
                      fmt::format("'{}' drives window {}: wait until the window is free, or ask "
                                  "'{}' to hand it over",
                                  driver->person.name, window.number, driver->person.name));
  }
  if (!driver) {
    set(window, peer, false);
  } else if (is_driver) {
    seen_[window.number].input_ns = sail::steady_now_ns();
  }
  return {};
}

sail::Result<void> Drivers::check(sail::ServicePeer& by, const Window& window) const {
  if (!window.driver || !window.driver->asked || drives(by, *window.driver)) return {};
  const auto seen = seen_.find(window.number);
  const bool is_higher = seen == seen_.end() || by.right() > seen->second.right;
  if (is_higher || by.right() == sail::Right::kAdmin) return {};
  return sail::fail(sail::ErrorCode::kUnauthorized,
                    fmt::format("'{}' drives window {}: only this person, a client with a higher "
                                "right or an admin can change that",
                                window.driver->person.name, window.number));
}

sail::Result<void> Drivers::give(sail::ServicePeer& by, const Window& window,
                                 sail::ServicePeer& to) {
  auto may = check(by, window);
  if (may) set(window, to, true);
  return may;
}

sail::Result<void> Drivers::release(sail::ServicePeer& by, const Window& window) {
  auto may = check(by, window);
  if (may && window.driver) end(window.number);
  return may;
}

void Drivers::set(const Window& window, sail::ServicePeer& to, bool asked) {
  const bool goes_on = window.driver && drives(to, *window.driver);
  const Driver driver{.person = person_of(to),
                      .client = to.id(),
                      .asked = asked,
                      .since_s = goes_on ? window.driver->since_s : std::time(nullptr)};
  seen_[window.number] = {.input_ns = sail::steady_now_ns(), .right = to.right()};
  desk_.change([&](Arrangement& arrangement) { arrangement.set_driver(window.number, driver); });
}

void Drivers::end(uint32_t window) {
  seen_.erase(window);
  desk_.change([&](Arrangement& arrangement) { arrangement.set_driver(window, std::nullopt); });
}

void Drivers::client_left(uint64_t client) {
  for (auto& [number, seen] : seen_) {
    const Window* window = desk_.windows().find(number);
    const bool is_theirs = window != nullptr && window->driver && window->driver->client == client;
    if (is_theirs) seen.left_ns = sail::steady_now_ns();
  }
}

void Drivers::look_for(const Window& window, Seen& seen) {
  for (const auto& [id, peer] : peers_.service().peers()) {
    if (peer->role() != sail::Role::kUi || person_of(*peer) != window.driver->person) continue;
    Driver driver = *window.driver;
    driver.client = id;
    seen.left_ns = 0;
    return desk_.change(
        [&](Arrangement& arrangement) { arrangement.set_driver(window.number, driver); });
  }
}

void Drivers::tick() {
  const int64_t now_ns = sail::steady_now_ns();
  for (auto it = seen_.begin(); it != seen_.end();) {
    const auto one = it++;
    const uint32_t number = one->first;
    Seen& seen = one->second;
    const Window* window = desk_.windows().find(number);
    if (window == nullptr || !window->driver) {
      seen_.erase(one);
      continue;
    }
    if (seen.left_ns != 0) look_for(*window, seen);
    const bool is_idle = now_ns - seen.input_ns > times_.idle_ms * kNsPerMs;
    const bool is_gone = seen.left_ns != 0 && now_ns - seen.left_ns > times_.return_ms * kNsPerMs;
    if (is_idle || is_gone) end(number);
  }
}

}  // namespace manager
