// Small pictures of the windows, on their way from applications to the clients that watch. Thread:
// the loop's.
#pragma once

#include <cstdint>

#include "manager/thumbnails.h"
#include "sail/wire/json.h"

namespace manager {

class Desk;
class Peers;
struct Touched;

class ThumbnailExchange {
 public:
  // Both outlive this.
  ThumbnailExchange(const Desk& desk, Peers& peers) : desk_(desk), peers_(peers) {}

  // Instead of what the client wanted before; windows that are not there are passed over.
  void watch(uint64_t client, Thumbnails::Watch watch);
  void client_left(uint64_t client);
  void windows_changed(const Touched& touched);
  void arrived(uint32_t window, const sail::Thumbnail& thumbnail);
  // Sends what is due. To be called now and then.
  void deliver();
  // As Thumbnails'.
  sail::Json picture(uint32_t window) const { return thumbnails_.picture(window); }

 private:
  void ask_applications();

  const Desk& desk_;
  Peers& peers_;
  Thumbnails thumbnails_;
};

}  // namespace manager
