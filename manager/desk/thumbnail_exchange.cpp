#include "manager/desk/thumbnail_exchange.h"

#include <utility>

#include "manager/desk/desk.h"
#include "manager/peers/peers.h"
#include "sail/core/time/clock.h"

namespace manager {

void ThumbnailExchange::watch(uint64_t client, Thumbnails::Watch watch) {
  std::erase_if(watch.windows,
                [this](uint32_t number) { return desk_.windows().find(number) == nullptr; });
  thumbnails_.watch(client, std::move(watch));
  ask_applications();
  deliver();
}

void ThumbnailExchange::client_left(uint64_t client) {
  thumbnails_.client_left(client);
  ask_applications();
}

void ThumbnailExchange::windows_changed(const Touched& touched) {
  for (const uint32_t number : touched.streams) thumbnails_.window_opened(number);
  for (const uint32_t number : touched.removed) thumbnails_.window_removed(number);
  ask_applications();
}

void ThumbnailExchange::arrived(uint32_t window, const sail::Thumbnail& thumbnail) {
  thumbnails_.arrived(window, thumbnail);
  deliver();
}

void ThumbnailExchange::ask_applications() {
  for (const Thumbnails::Request& request : thumbnails_.take_requests()) {
    const Window* window = desk_.windows().find(request.window);
    if (window == nullptr) continue;
    peers_.notify(
        window->owner, "thumbnails",
        to_json(sail::ThumbnailRequest{
            .stream = window->stream, .width = request.width, .per_second = request.per_second}));
  }
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
