#include "manager/monitor/wall_overlay.h"

#include <algorithm>
#include <utility>

#include "sail/core/text/limits.h"
#include "sail/core/time/clock.h"
#include "sail/core/wire/rpc.h"

namespace manager {
namespace {

constexpr int64_t kReceiversMs = 17;
constexpr int64_t kSubscribersMs = 34;
constexpr int64_t kExpiryMs = 250;

int64_t ms_to_next_second() {
  return 1000 - sail::calendar_now_ns() / sail::kMillisecondNs % 1000;
}

}  // namespace

WallOverlay::Pace::Pace(sail::Loop& loop, int64_t every_ms, std::function<void()> task)
    : timer_(loop), every_ms_(every_ms), task_(std::move(task)) {}

void WallOverlay::Pace::ask() {
  if (std::exchange(asked_, true)) return;
  const int64_t passed_ms = (sail::steady_now_ns() - done_ns_) / 1'000'000;
  timer_.start(std::max<int64_t>(0, every_ms_ - passed_ms), 0, [this] {
    asked_ = false;
    done_ns_ = sail::steady_now_ns();
    task_();
  });
}

WallOverlay::WallOverlay(sail::Loop& loop, const sail::Wall& wall, Handlers handlers)
    : handlers_(std::move(handlers)),
      feed_(wall),
      to_receivers_(loop, kReceiversMs, [this] { notify_receivers(); }),
      to_subscribers_(loop, kSubscribersMs, [this] { notify_subscribers(); }),
      expiry_(loop),
      labels_(loop) {}

bool WallOverlay::move_pointer(uint64_t client, int pointer, const std::string& name,
                               uint32_t colour, const PointerPlace& place) {
  if (pointers_.empty()) expiry_.start(kExpiryMs, kExpiryMs, [this] { expire(); });
  const bool shown = pointers_.move(client, pointer, name, colour, place, sail::steady_now_ns());
  pointers_changed();
  return shown;
}

void WallOverlay::hide_pointer(uint64_t client, int pointer) {
  pointers_.hide(client, pointer);
  pointers_changed();
}

void WallOverlay::client_left(uint64_t client) {
  pointers_.client_left(client);
  pointers_changed();
}

void WallOverlay::expire() {
  pointers_.expire(sail::steady_now_ns());
  pointers_changed();
  if (pointers_.empty()) expiry_.stop();
}

void WallOverlay::pointers_changed() {
  if (std::exchange(sent_revision_, pointers_.revision()) == pointers_.revision()) return;
  to_receivers_.ask();
  to_subscribers_.ask();
}

void WallOverlay::receiver_joined(const std::string& receiver) {
  feed_.receiver_joined(receiver);
  to_receivers_.ask();
}

void WallOverlay::recorder_joined(const std::string& name, const sail::TileView& tile) {
  feed_.recorder_joined(name, tile);
  to_receivers_.ask();
}

void WallOverlay::set_on(bool on) {
  if (std::exchange(on_, on) == on) return;
  label();
  handlers_.on_switched();
}

void WallOverlay::label() {
  stale_ = true;
  to_receivers_.ask();
  if (on_ || handlers_.shows_clock()) {
    labels_.start(ms_to_next_second(), 0, [this] { label(); });
  } else {
    labels_.stop();
  }
}

void WallOverlay::make_labels() {
  std::vector<sail::OverlayLabel> labels = handlers_.labels(on_);
  if (!std::exchange(labelled_, !labels.empty()) && labels.empty()) return;
  feed_.set_labels(std::move(labels));
}

void WallOverlay::windows_changed() {
  drawn_ = true;
  to_receivers_.ask();
  if (!on_) label();
}

// A slow receiver gets its update later, with the state of that time.
void WallOverlay::notify_receivers() {
  if (std::exchange(stale_, false)) make_labels();
  if (std::exchange(drawn_, false)) feed_.set_drawings(handlers_.drawings());
  feed_.set_pointers(pointers_.overlay());
  for (const std::string& receiver : feed_.receivers()) {
    sail::RpcPeer* peer = handlers_.peer_of(receiver);
    if (peer == nullptr) continue;
    if (peer->unsent_bytes() > sail::kMaxDroppableQueue) {
      to_receivers_.ask();
      continue;
    }
    while (const auto news = feed_.take(receiver)) peer->notify("overlay", sail::to_json(*news));
  }
}

void WallOverlay::notify_subscribers() {
  handlers_.offer_pointers(sail::notification_line("pointers", pointers_.json()));
}

}  // namespace manager
