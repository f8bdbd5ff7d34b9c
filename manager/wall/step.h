// Details of a step of the history: its author, and the source that it removed. Values only.
#pragma once

#include <cstdint>
#include <string>

namespace manager {

// The author of a change to the wall.
struct Author {
  uint64_t client = 0;  // Peer id; 0: not a connected UI client.
  std::string name;
  std::string key{};      // Name of the authenticated key.
  bool only_own = false;  // May change only its own windows.
};

// A removed source, and how to restore it.
struct RemovedSource {
  std::string title;
  std::string bin{};  // Id of an uploaded file in the bin (media/upload_file.h).
  std::string url{};  // Otherwise the saved URL.

  bool operator==(const RemovedSource&) const = default;
};

}  // namespace manager
