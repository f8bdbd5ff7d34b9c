// Where the wall's windows were at earlier times: for "the wall as it was at 14:03". A line of JSON
// for each layout that lasted, at most one a second: what changed since the line before, or all
// windows. Two successive files have a line with all windows, because such a line comes before the
// changes since the last one are larger than it. The files are a journal's, see JournalWriter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "manager/journal/journal_writer.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/log.h"
#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"
#include "sail/core/text/json.h"

namespace manager {

class Desk;

// Returns the layout at that time (seconds since 1970): "at" (since when), "size", "windows"
// (bottom to top: "window", "title", "rect"; at most 1024) and "total". kNotFound: nothing is kept
// from so long ago. kBadData: its lines are damaged. Any thread; blocks on the disk.
sail::Result<sail::Json> layout_at(const std::filesystem::path& folder, double at);

// Runs on the loop thread.
class PastLayouts {
 public:
  static constexpr int64_t kPauseMs = 1000;
  static constexpr unsigned kWholeEvery = 100;  // At least one of 100 lines has all windows.
  static constexpr uint64_t kKeepBytes = uint64_t{1} << 30;
  static constexpr uint64_t kFileBytes = 4 << 20;

  // An empty folder: nothing is kept. desk must outlive this object.
  PastLayouts(sail::Loop& loop, const std::filesystem::path& folder, const Desk& desk,
              const sail::Log& log);
  // Notes the layout soon.
  void wall_changed();
  // Notes the layout now, if it has changed. Null: nothing is kept.
  std::shared_ptr<JournalWriter> note();

 private:
  struct Place {
    std::string title;
    sail::Rect rect;
    bool operator==(const Place&) const = default;
  };

  const Desk& desk_;
  std::shared_ptr<JournalWriter> writer_;  // Null: nothing is kept.
  sail::Timer soon_;
  bool waiting_ = false;
  std::map<uint32_t, Place> noted_;
  std::vector<uint32_t> order_;
  unsigned until_whole_ = 0;  // Lines.
  size_t changed_ = 0;        // Windows in the lines since the last one with all windows.
};

}  // namespace manager
