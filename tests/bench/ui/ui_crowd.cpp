#include "tests/bench/ui/ui_crowd.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <map>
#include <optional>
#include <thread>
#include <utility>

#include "sail/core/loop/loop.h"
#include "sail/core/time/clock.h"
#include "tests/bench/ui/crowd_client.h"
#include "ui/client/answers.h"

namespace bench {
namespace {

constexpr auto kJoinTimeout = std::chrono::seconds(60);
constexpr size_t kJoinAtOnce = 100;  // the manager disconnects unauthenticated peers beyond a limit
constexpr int64_t kChangeTimeoutNs = 5'000'000'000;
constexpr int64_t kTickMs = 5;
constexpr int kMoveStep = 7;  // wall pixels
constexpr int kSteps = 64;

// A window's state without statistics, for comparison.
sail::Json without_figures(sail::Json window) {
  if (!window.is_object()) return window;
  window.erase("fps");
  window.erase("stats");
  window.erase("health");
  return window;
}

}  // namespace

struct UiCrowd::Impl {
  // A pending change.
  struct Change {
    int64_t sent_ns = 0;
    sail::Json rect;
    size_t known_by = 0;
  };

  // Connects clients with limited concurrency until there are `count`.
  void join(const sail::Address& manager, size_t count);
  void find_changed_windows(const sail::Json& windows);
  void tick();
  void change_one(int64_t now_ns);
  void joined_if_all();
  void failed(const sail::Error& error);
  // Runs the function on the loop's thread and waits for it.
  template <class Function>
  auto ask(Function function);

  sail::Loop loop;
  std::thread thread;
  CrowdChanges heard;
  std::vector<std::unique_ptr<CrowdClient>> clients;
  std::promise<std::optional<sail::Error>> joining;
  bool join_told = false;

  std::optional<sail::Timer> timer;
  std::vector<uint32_t> windows;
  double per_second = 0;
  int64_t begun_ns = 0;
  uint64_t next = 0;
  uint64_t bytes_before = 0;
  std::map<uint32_t, Change> changes;  // by window
  Figures figures;
};

template <class Function>
auto UiCrowd::Impl::ask(Function function) {
  std::promise<decltype(function())> answer;
  loop.post([&] { answer.set_value(function()); });
  return answer.get_future().get();
}

void UiCrowd::Impl::join(const sail::Address& manager, size_t count) {
  const auto under_way = std::count_if(clients.begin(), clients.end(),
                                       [](const auto& client) { return !client->ready(); });
  const size_t most = clients.size() + kJoinAtOnce - static_cast<size_t>(under_way);
  for (size_t i = clients.size(); i < std::min(most, count); ++i) {
    clients.push_back(std::make_unique<CrowdClient>(
        loop, manager, heard,
        CrowdClient::Handlers{.on_ready =
                                  [this, manager, count] {
                                    join(manager, count);
                                    joined_if_all();
                                  },
                              .on_changed =
                                  [this](const sail::Json& changed) {
                                    const auto found = changed.find("windows");
                                    if (found != changed.end()) find_changed_windows(*found);
                                  },
                              .on_error = [this](const sail::Error& error) { failed(error); }}));
  }
}

void UiCrowd::Impl::failed(const sail::Error& error) {
  ++figures.refused;
  if (!std::exchange(join_told, true)) joining.set_value(error);
}

void UiCrowd::Impl::joined_if_all() {
  for (const auto& client : clients) {
    if (!client->ready()) return;
  }
  if (!std::exchange(join_told, true)) joining.set_value(std::nullopt);
}

void UiCrowd::Impl::find_changed_windows(const sail::Json& reported) {
  for (const sail::Json& window : reported) {
    const auto number = static_cast<uint32_t>(ui::number_member(window, "window"));
    const auto change = changes.find(number);
    if (change == changes.end() || ui::member(window, "rect") != change->second.rect) continue;
    if (++change->second.known_by < clients.size()) continue;
    const int64_t took_ns = sail::steady_now_ns() - change->second.sent_ns;
    figures.command_to_state_ms.push_back(static_cast<double>(took_ns) / 1e6);
    changes.erase(change);
  }
}

void UiCrowd::Impl::tick() {
  const int64_t now_ns = sail::steady_now_ns();
  const auto due = static_cast<uint64_t>(static_cast<double>(now_ns - begun_ns) / 1e9 * per_second);
  while (next < due) change_one(now_ns);
}

void UiCrowd::Impl::change_one(int64_t now_ns) {
  CrowdClient& client = *clients[next % clients.size()];
  const uint32_t window = windows[next % windows.size()];
  ++next;
  if (const auto old = changes.find(window); old != changes.end()) {
    if (now_ns - old->second.sent_ns < kChangeTimeoutNs) return;
    ++figures.unseen;
    changes.erase(old);
  }
  const auto& windows_now = clients.front()->state().windows();  // All clients know the same.
  const auto known = windows_now.find(window);
  if (client.lost() || known == windows_now.end()) return;
  sail::Json rect = ui::member(known->second, "rect");
  if (rect.size() != 4) return;
  // Forth and back, so that no window leaves the wall.
  const int step = (next / windows.size()) % (2 * kSteps) < kSteps ? kMoveStep : -kMoveStep;
  rect[0] = rect[0].get<int>() + step;
  changes[window] = {.sent_ns = now_ns, .rect = rect};
  ++figures.commands;
  client.send("move", {{"window", window}, {"x", rect[0]}, {"y", rect[1]}});
}

UiCrowd::UiCrowd() : impl_(std::make_unique<Impl>()) {}

sail::Result<std::unique_ptr<UiCrowd>> UiCrowd::join(const sail::Address& manager, size_t clients) {
  std::unique_ptr<UiCrowd> crowd(new UiCrowd);
  Impl& impl = *crowd->impl_;
  impl.loop.post([&impl, manager, clients] { impl.join(manager, clients); });
  auto joined = impl.joining.get_future();
  impl.thread = std::thread([&impl] {
    impl.loop.run();
    impl.timer.reset();
    impl.clients.clear();
  });
  if (joined.wait_for(kJoinTimeout) != std::future_status::ready) {
    return sail::fail(sail::ErrorCode::kTimeout, "the clients did not all join in time");
  }
  if (const auto error = joined.get()) return *error;
  return crowd;
}

UiCrowd::~UiCrowd() {
  impl_->loop.stop();
  if (impl_->thread.joinable()) impl_->thread.join();
}

void UiCrowd::begin_changes(std::vector<uint32_t> windows, double per_second) {
  impl_->ask([&] {
    impl_->windows = std::move(windows);
    impl_->per_second = per_second;
    impl_->begun_ns = sail::steady_now_ns();
    impl_->next = 0;
    impl_->figures = {};
    impl_->bytes_before = impl_->clients.front()->changed_bytes();
    impl_->timer.emplace(impl_->loop);
    impl_->timer->start(kTickMs, kTickMs, [this] { impl_->tick(); });
    return true;
  });
}

void UiCrowd::end_changes() {
  impl_->ask([&] {
    impl_->timer.reset();
    return true;
  });
}

UiCrowd::Figures UiCrowd::figures() {
  return impl_->ask([&] {
    Figures figures = impl_->figures;
    figures.unseen += impl_->changes.size();
    figures.bytes = impl_->clients.front()->changed_bytes() - impl_->bytes_before;
    for (const auto& client : impl_->clients) {
      figures.missed += client->gaps();
      if (client->lost()) ++figures.lost;
    }
    return figures;
  });
}

size_t UiCrowd::clients_that_know(const sail::Json& state) {
  return impl_->ask([&] {
    size_t count = 0;
    for (const auto& client : impl_->clients) {
      if (client->lost() || !client->ready()) continue;
      const test::WallState& wall = client->state();
      std::vector<uint32_t> order;
      bool same = true;
      for (const sail::Json& window : ui::member(state, "windows")) {
        order.push_back(static_cast<uint32_t>(ui::number_member(window, "window")));
        const auto known = wall.windows().find(order.back());
        same = same && known != wall.windows().end() &&
               without_figures(known->second) == without_figures(window);
      }
      same = same && wall.other("history") == ui::member(state, "history");
      if (same && order == wall.bottom_to_top()) ++count;
    }
    return count;
  });
}

}  // namespace bench
