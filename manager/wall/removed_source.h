// The undo data of a step that removed a source. Values only.
#pragma once

#include <string>

namespace manager {

// A removed source, and how to restore it.
struct RemovedSource {
  std::string title;
  std::string bin{};  // Id of an uploaded file in the bin (upload_bin.h).
  std::string url{};  // Otherwise the saved URL.

  bool operator==(const RemovedSource&) const = default;
};

}  // namespace manager
