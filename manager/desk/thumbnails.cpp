#include "manager/desk/thumbnails.h"

#include <algorithm>
#include <utility>

#include "manager/desk/desk.h"
#include "manager/peers/peers.h"
#include "sail/core/time/clock.h"
#include "sail/core/wire/data/codec_name.h"
#include "sail/core/wire/rpc.h"

namespace manager {

void Thumbnails::watch(uint64_t client, Watch watch) {
  if (!watch.all && watch.windows.empty()) {
    client_left(client);
    return;
  }
  Client& watching = clients_[client];
  watch_changed(watching.watch);
  watch_changed(watch);
  // The client already has the pictures of windows that it watched before.
  for (const auto& [number, window] : windows_) {
    if (watch.of(number) && !watching.watch.of(number)) watching.owed.insert(number);
  }
  watching.watch = std::move(watch);
  std::erase_if(watching.owed, [&](uint32_t number) { return !watching.watch.of(number); });
}

void Thumbnails::client_left(uint64_t client) {
  const auto left = clients_.extract(client);
  if (!left.empty()) watch_changed(left.mapped().watch);
}

void Thumbnails::watch_changed(const Watch& watch) {
  undecided_.insert(watch.windows.begin(), watch.windows.end());
  if (!watch.all) return;
  for (const auto& [number, window] : windows_) undecided_.insert(number);
}

void Thumbnails::window_opened(uint32_t number) {
  windows_[number].requested.reset();
  undecided_.insert(number);
}

void Thumbnails::window_removed(uint32_t number) {
  const auto removed = windows_.extract(number);
  if (removed.empty()) return;
  kept_.erase(removed.mapped().arrival);
  kept_bytes_ -= removed.mapped().line.size();
  for (auto& [id, client] : clients_) {
    client.owed.erase(number);
    client.sent_ns.erase(number);
    client.watch.windows.erase(number);
  }
}

std::vector<Thumbnails::Request> Thumbnails::take_requests() {
  std::vector<Request> requests;
  for (const uint32_t number : std::exchange(undecided_, {})) {
    const auto found = windows_.find(number);
    if (found == windows_.end()) continue;
    Window& window = found->second;
    Request wanted{.window = number, .width = sail::kMinThumbnailSide, .per_second = 0};
    for (const auto& [id, client] : clients_) {
      if (!client.watch.of(number)) continue;
      wanted.width = std::max(wanted.width, client.watch.width);
      wanted.per_second = std::max(wanted.per_second, client.watch.per_second);
    }
    const bool never_requested = !window.requested && wanted.per_second == 0;
    if (never_requested || wanted == window.requested) continue;
    window.requested = wanted;
    requests.push_back(wanted);
  }
  return requests;
}

void Thumbnails::arrived(uint32_t window, const sail::Thumbnail& thumbnail) {
  const auto found = windows_.find(window);
  if (found == windows_.end() || !found->second.requested ||
      found->second.requested->per_second == 0)
    return;
  keep(found->second,
       sail::notification_line("thumbnail", {{"window", window},
                                             {"size", sail::size_json(thumbnail.size)},
                                             {"jpeg", thumbnail.jpeg}}));
  kept_[found->second.arrival] = window;
  for (auto& [id, client] : clients_) {
    if (client.watch.of(window)) client.owed.insert(window);
  }
  while (kept_bytes_ > kMaxKeptBytes) {
    Window& oldest = windows_.at(kept_.begin()->second);
    kept_.erase(kept_.begin());
    kept_bytes_ -= oldest.line.size();
    oldest.line.clear();
  }
}

void Thumbnails::keep(Window& window, std::string line) {
  kept_.erase(window.arrival);
  kept_bytes_ -= window.line.size();
  window.line = std::move(line);
  window.arrival = ++arrivals_;
  kept_bytes_ += window.line.size();
}

std::vector<Thumbnails::Delivery> Thumbnails::due(int64_t now_ns) const {
  std::vector<Delivery> deliveries;
  for (const auto& [id, client] : clients_) {
    const auto pause_ns = static_cast<int64_t>(1e9 / client.watch.per_second);
    for (const uint32_t number : client.owed) {
      if (line(number).empty()) continue;
      const auto sent = client.sent_ns.find(number);
      if (sent != client.sent_ns.end() && now_ns - sent->second < pause_ns) continue;
      deliveries.push_back({id, number});
    }
  }
  return deliveries;
}

void Thumbnails::sent(const Delivery& delivery, int64_t now_ns) {
  Client& client = clients_.at(delivery.client);
  client.owed.erase(delivery.window);
  client.sent_ns[delivery.window] = now_ns;
}

const std::string& Thumbnails::line(uint32_t window) const {
  static const std::string kNone;
  const auto found = windows_.find(window);
  return found == windows_.end() ? kNone : found->second.line;
}

sail::Json Thumbnails::picture(uint32_t window) const {
  const auto message = sail::parse_json(line(window), sail::kMaxControlLine);
  if (!message) return nullptr;
  const sail::Json& params = message->at("params");
  return {{"size", params.at("size")}, {"jpeg", params.at("jpeg")}};
}

void ThumbnailExchange::watch(uint64_t client, Thumbnails::Watch watch) {
  std::erase_if(watch.windows,
                [this](uint32_t number) { return desk_.windows().find(number) == nullptr; });
  thumbnails_.watch(client, std::move(watch));
  ask();
  deliver();
}

void ThumbnailExchange::client_left(uint64_t client) {
  thumbnails_.client_left(client);
  ask();
}

void ThumbnailExchange::windows_changed(const Touched& touched) {
  for (const uint32_t number : touched.streams) {
    forget_stream(number);
    thumbnails_.window_opened(number);
  }
  for (const uint32_t number : touched.removed) {
    forget_stream(number);
    thumbnails_.window_removed(number);
  }
  ask();
}

// Receivers forget the stream when it is no longer in the scene.
void ThumbnailExchange::forget_stream(uint32_t window) {
  const auto carried = carried_.extract(window);
  if (!carried.empty()) receivers_.forget(carried.mapped());
}

void ThumbnailExchange::arrived(uint32_t window, const sail::Thumbnail& thumbnail) {
  thumbnails_.arrived(window, thumbnail);
  deliver();
}

void ThumbnailExchange::arrived_from(uint64_t receiver, const sail::Thumbnail& thumbnail) {
  const Window* window = desk_.windows().find_stream(thumbnail.stream);
  if (window == nullptr || window->stream != thumbnail.stream) return;
  if (!receivers_.arrived(thumbnail.stream, receiver, sail::steady_now_ns())) return;
  arrived(window->number, thumbnail);
}

void ThumbnailExchange::ask() {
  for (const Thumbnails::Request& request : thumbnails_.take_requests()) {
    const Window* window = desk_.windows().find(request.window);
    if (window == nullptr) continue;
    const sail::ThumbnailRequest wanted{
        .stream = window->stream, .width = request.width, .per_second = request.per_second};
    const auto codec = sail::parse_codec_name(window->codec);
    if (codec && codecs::is_carried(codec->id)) {
      receivers_.want(wanted);
      carried_[request.window] = window->stream;
    } else {
      peers_.notify(window->owner, sail::ThumbnailRequest::kMethod, to_json(wanted));
    }
  }
  ask_receivers();
}

void ThumbnailExchange::ask_receivers() {
  const auto orders = receivers_.orders(sail::steady_now_ns(),
                                        [this](uint32_t stream) { return shown_by(stream); });
  for (const ThumbnailReceivers::Order& order : orders) {
    peers_.notify(order.receiver, sail::ThumbnailRequest::kMethod, to_json(order.request));
  }
}

std::vector<uint64_t> ThumbnailExchange::shown_by(uint32_t stream) const {
  std::vector<uint64_t> peers;
  for (const std::string& name : desk_.director().shown_by(stream)) {
    const ReceiverEntry* receiver = peers_.receivers().find(name);
    if (receiver != nullptr && receiver->connected()) peers.push_back(receiver->peer);
  }
  return peers;
}

void ThumbnailExchange::tick() {
  ask_receivers();
  deliver();
}

void ThumbnailExchange::deliver() {
  const int64_t now_ns = sail::steady_now_ns();
  for (const Thumbnails::Delivery& delivery : thumbnails_.due(now_ns)) {
    sail::ServicePeer* client = peers_.find(delivery.client);
    if (client != nullptr && client->rpc().offer_line(thumbnails_.line(delivery.window))) {
      thumbnails_.sent(delivery, now_ns);
    }
  }
}

}  // namespace manager
