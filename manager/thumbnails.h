// Small pictures of what windows show: who wants which, what applications are asked for on account
// of that, and the last one of each window, so that whoever comes new has pictures at once. Nobody
// here looks into a picture. Pure: time is an argument.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sail/wire/limits.h"
#include "sail/wire/thumbnail.h"

namespace manager {

class Thumbnails {
 public:
  struct Watch {
    bool all = false;              // windows, those to come too
    std::set<uint32_t> windows{};  // unless all: these
    int width = 320;               // of the longer side, pixels
    double per_second = 2;         // of each window, at most

    bool of(uint32_t window) const { return all || windows.contains(window); }
  };
  // Pictures of more than that are not kept: the oldest go.
  static constexpr size_t kMaxKeptBytes = 64 << 20;

  // Instead of what the client wanted before. A watch of no window ends it.
  void watch(uint64_t client, Watch watch);
  void client_left(uint64_t client);
  // Also one with another stream from now on.
  void window_opened(uint32_t window);
  void window_removed(uint32_t window);

  // What the windows' applications have to be told since the last time.
  struct Request {
    uint32_t window = 0;
    int width = 0;          // as in sail::ThumbnailRequest
    double per_second = 0;  // likewise
    bool operator==(const Request&) const = default;
  };
  std::vector<Request> take_requests();

  // A picture of a window that is open came. Unless nobody asked for it, it is the window's now.
  void arrived(uint32_t window, const sail::Thumbnail& thumbnail);

  // A client that is to get a window's picture now; after that, if it was sent, sent() is to be
  // told.
  struct Delivery {
    uint64_t client = 0;
    uint32_t window = 0;
  };
  std::vector<Delivery> due(int64_t now_ns) const;
  void sent(const Delivery& delivery, int64_t now_ns);
  // The notification with the window's picture; "" when there is none.
  const std::string& line(uint32_t window) const;
  // What of it is the picture: "size" and "jpeg"; null when there is none.
  sail::Json picture(uint32_t window) const;

 private:
  struct Window {
    std::optional<Request> told;  // to its application
    std::string line;
    uint64_t arrival = 0;  // counts all pictures
  };
  struct Client {
    Watch watch;
    std::set<uint32_t> owed;              // windows whose picture it has not been sent
    std::map<uint32_t, int64_t> sent_ns;  // when it was sent one
  };
  void wishes_change(const Watch& watch);
  void keep(Window& window, std::string line);

  std::map<uint64_t, Client> clients_;
  std::map<uint32_t, Window> windows_;
  std::set<uint32_t> undecided_;       // windows whose application may have to be told something
  std::map<uint64_t, uint32_t> kept_;  // by arrival, oldest first
  size_t kept_bytes_ = 0;
  uint64_t arrivals_ = 0;
};

}  // namespace manager
