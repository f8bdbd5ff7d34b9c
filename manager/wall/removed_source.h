// A step of the history that took a source from the list. A value.
#pragma once

#include <string>

namespace manager {

// A removed source, and how to restore it.
struct RemovedSource {
  std::string title;
  std::string bin{};  // Id of an uploaded file in the bin (upload_bin.h).
  std::string url{};  // For others: the saved URL.

  bool operator==(const RemovedSource&) const = default;
};

}  // namespace manager
