// Details of a step of the history: its author, and the source that it removed. Values only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace manager {

// The author of a change to the wall.
struct Author {
  uint64_t client = 0;  // Peer id; 0: not a connected UI client.
  std::string name;
  std::string key{};      // Name of the authenticated key.
  bool only_own = false;  // May change only its own windows.
};

// How to move the camera of a saved URL, by ONVIF. The URL has the login.
struct SavedCamera {
  std::string device;   // URL of its device service, without a login.
  std::string moving;   // URL of the service that moves it; empty: it cannot move.
  std::string profile;  // Token of its profile.

  bool operator==(const SavedCamera&) const = default;
};

// A removed source, and how to restore it.
struct RemovedSource {
  std::string title;
  std::string bin{};                    // Id of an uploaded file in the bin (media/upload_file.h).
  std::string url{};                    // Otherwise the saved URL.
  std::optional<SavedCamera> camera{};  // camera of the saved URL

  bool operator==(const RemovedSource&) const = default;
};

}  // namespace manager
