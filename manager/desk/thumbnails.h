// Thumbnails of windows: which client wants which, what to request from applications, and the last
// picture of each window, so that new clients have pictures at once. Does not decode pictures.
// Pure; time is an argument.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "manager/desk/thumbnail_receivers.h"
#include "sail/core/text/json.h"
#include "sail/core/text/limits.h"
#include "sail/core/wire/data/thumbnail.h"

namespace manager {

class Desk;
class Peers;
struct Touched;

class Thumbnails {
 public:
  struct Watch {
    bool all = false;              // All windows, also future ones.
    std::set<uint32_t> windows{};  // These windows, unless all is set.
    int width = 320;               // Longer side in pixels.
    double per_second = 2;         // Per window, at most.

    bool of(uint32_t window) const { return all || windows.contains(window); }
  };
  // Beyond this size, the oldest pictures are dropped.
  static constexpr size_t kMaxKeptBytes = 64 << 20;

  // Replaces what the client watched before. A watch of no window ends it.
  void watch(uint64_t client, Watch watch);
  void client_left(uint64_t client);
  // Call it also when the window gets another stream.
  void window_opened(uint32_t window);
  void window_removed(uint32_t window);

  // A request to a window's application. take_requests() returns the new ones.
  struct Request {
    uint32_t window = 0;
    int width = 0;          // See sail::ThumbnailRequest.
    double per_second = 0;  // See sail::ThumbnailRequest.
    bool operator==(const Request&) const = default;
  };
  std::vector<Request> take_requests();

  // A picture of an open window has arrived. It is ignored if it was not requested.
  void arrived(uint32_t window, const sail::Thumbnail& thumbnail);

  // A picture that a client should get now. Call sent() if it was sent.
  struct Delivery {
    uint64_t client = 0;
    uint32_t window = 0;
  };
  std::vector<Delivery> due(int64_t now_ns) const;
  void sent(const Delivery& delivery, int64_t now_ns);
  // Returns the notification with the window's picture; empty: none.
  const std::string& line(uint32_t window) const;
  // Returns "size" and "jpeg" of the window's picture; null: none.
  sail::Json picture(uint32_t window) const;

 private:
  struct Window {
    std::optional<Request> requested;  // Last request sent to its application.
    std::string line;
    uint64_t arrival = 0;  // Sequence number of its picture.
  };
  struct Client {
    Watch watch;
    std::set<uint32_t> owed;              // Windows whose picture the client does not have.
    std::map<uint32_t, int64_t> sent_ns;  // Time of the last picture sent, by window.
  };
  void watch_changed(const Watch& watch);
  void keep(Window& window, std::string line);

  std::map<uint64_t, Client> clients_;
  std::map<uint32_t, Window> windows_;
  std::set<uint32_t> undecided_;       // Windows whose request may change.
  std::map<uint64_t, uint32_t> kept_;  // Windows with a picture, by arrival.
  size_t kept_bytes_ = 0;
  uint64_t arrivals_ = 0;
};

// Passes thumbnails of windows from applications, and of carried streams from receivers, to
// watching clients. Runs on the loop thread.
class ThumbnailExchange {
 public:
  // Both must outlive this object.
  ThumbnailExchange(const Desk& desk, Peers& peers) : desk_(desk), peers_(peers) {}

  // Replaces what the client watched before. Skips windows that do not exist.
  void watch(uint64_t client, Thumbnails::Watch watch);
  void client_left(uint64_t client);
  void windows_changed(const Touched& touched);
  void arrived(uint32_t window, const sail::Thumbnail& thumbnail);
  // Like arrived(), for a thumbnail from a receiver.
  void arrived_from(uint64_t receiver, const sail::Thumbnail& thumbnail);
  // Asks receivers, and sends due thumbnails. Call it regularly.
  void tick();
  // See Thumbnails::picture().
  sail::Json picture(uint32_t window) const { return thumbnails_.picture(window); }

 private:
  void forget_stream(uint32_t window);
  void ask();
  void ask_receivers();
  // Returns the peer ids of the receivers that show the stream.
  std::vector<uint64_t> shown_by(uint32_t stream) const;
  void deliver();

  const Desk& desk_;
  Peers& peers_;
  Thumbnails thumbnails_;
  ThumbnailReceivers receivers_;
  // Carried streams for which receivers are asked, by window.
  std::map<uint32_t, uint32_t> carried_;
};

}  // namespace manager
