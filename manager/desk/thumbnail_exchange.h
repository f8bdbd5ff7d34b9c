// Passes thumbnails of windows from applications to watching clients. Runs on the loop thread.
#pragma once

#include <cstdint>

#include "manager/desk/thumbnails.h"
#include "sail/core/text/json.h"

namespace manager {

class Desk;
class Peers;
struct Touched;

class ThumbnailExchange {
 public:
  // Both must outlive this object.
  ThumbnailExchange(const Desk& desk, Peers& peers) : desk_(desk), peers_(peers) {}

  // Replaces what the client watched before. Skips windows that do not exist.
  void watch(uint64_t client, Thumbnails::Watch watch);
  void client_left(uint64_t client);
  void windows_changed(const Touched& touched);
  void arrived(uint32_t window, const sail::Thumbnail& thumbnail);
  // Sends due thumbnails. Call it regularly.
  void deliver();
  // See Thumbnails::picture().
  sail::Json picture(uint32_t window) const { return thumbnails_.picture(window); }

 private:
  void ask_applications();

  const Desk& desk_;
  Peers& peers_;
  Thumbnails thumbnails_;
};

}  // namespace manager
