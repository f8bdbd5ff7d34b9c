#include "manager/desk/thumbnail_receivers.h"

#include <algorithm>

namespace manager {

void ThumbnailReceivers::want(const sail::ThumbnailRequest& request) {
  const auto known = wishes_.find(request.stream);
  if (known == wishes_.end() && request.per_second <= 0) return;
  Wish& wish = wishes_[request.stream];
  wish.request = request;
  wish.told = false;
}

bool ThumbnailReceivers::arrived(uint32_t stream, uint64_t receiver, int64_t now_ns) {
  const auto known = wishes_.find(stream);
  if (known == wishes_.end() || known->second.receiver != receiver) return false;
  known->second.until_ns = now_ns + kLaterNs;
  return true;
}

std::vector<ThumbnailReceivers::Order> ThumbnailReceivers::orders(
    int64_t now_ns, const std::function<std::vector<uint64_t>(uint32_t stream)>& shown_by) {
  std::vector<Order> orders;
  for (auto& [stream, wish] : wishes_) {
    if (wish.request.per_second > 0) choose(wish, shown_by(stream), now_ns, orders);
    if (wish.told || wish.receiver == 0) continue;
    orders.push_back({wish.receiver, wish.request});
    wish.told = true;
  }
  std::erase_if(wishes_, [](const auto& one) { return one.second.request.per_second <= 0; });
  return orders;
}

void ThumbnailReceivers::choose(Wish& wish, const std::vector<uint64_t>& shown_by, int64_t now_ns,
                                std::vector<Order>& orders) {
  const bool shows = std::ranges::find(shown_by, wish.receiver) != shown_by.end();
  if (shows && now_ns < wish.until_ns) return;
  // next receiver in turn, by peer id
  uint64_t next = 0;
  for (const uint64_t receiver : shown_by) {
    const bool later = receiver > wish.receiver;
    const bool best_is_later = next > wish.receiver;
    if (next == 0 || (later == best_is_later ? receiver < next : later)) next = receiver;
  }
  if (wish.receiver != 0 && next != wish.receiver) {
    orders.push_back(
        {wish.receiver,
         {.stream = wish.request.stream, .width = wish.request.width, .per_second = 0}});
  }
  wish.receiver = next;
  wish.told = false;
  wish.until_ns = now_ns + kFirstNs;
}

}  // namespace manager
