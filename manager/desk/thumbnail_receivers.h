// Chooses a receiver for the thumbnails of each carried stream, because the stream's application
// has no pictures. The receiver must show the stream. If it sends no thumbnail, another receiver is
// asked. Pure; time is an argument, steady.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "sail/core/time/clock.h"
#include "sail/core/wire/data/thumbnail.h"

namespace manager {

class ThumbnailReceivers {
 public:
  // Timeouts for the first thumbnail and for later ones. A receiver sends none while the picture
  // does not change.
  static constexpr int64_t kFirstNs = 5 * sail::kSecondNs;
  static constexpr int64_t kLaterNs = 30 * sail::kSecondNs;

  // A message to the receiver with this peer id.
  struct Order {
    uint64_t receiver = 0;
    sail::ThumbnailRequest request;
    bool operator==(const Order&) const = default;
  };

  // Thumbnails of the stream are wanted, or not any more (0 per second).
  void want(const sail::ThumbnailRequest& request);
  void forget(uint32_t stream) { wishes_.erase(stream); }
  // A receiver has sent a thumbnail. Returns false unless this receiver was the last one asked.
  bool arrived(uint32_t stream, uint64_t receiver, int64_t now_ns);
  // Returns what to send now. shown_by: the connected receivers that show a stream.
  std::vector<Order> orders(int64_t now_ns,
                            const std::function<std::vector<uint64_t>(uint32_t stream)>& shown_by);

 private:
  struct Wish {
    sail::ThumbnailRequest request;
    bool told = false;      // The receiver has been sent the request.
    uint64_t receiver = 0;  // the receiver that was asked; 0: none
    int64_t until_ns = 0;   // when another receiver is asked
  };
  // Chooses the receiver. The former one gets an order to stop.
  static void choose(Wish& wish, const std::vector<uint64_t>& shown_by, int64_t now_ns,
                     std::vector<Order>& orders);

  std::map<uint32_t, Wish> wishes_;  // By stream.
};

}  // namespace manager
