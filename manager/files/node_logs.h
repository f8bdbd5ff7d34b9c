// The output of launched programs, one log file per node. Programs write to the file directly, so
// logging continues after the manager has ended. Files that grow too long are cut to their newer
// part. Runs on the loop thread; reads and writes block.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"

namespace manager {

class NodeLogs {
 public:
  static constexpr size_t kMostBytes = 4 << 20;  // Per file; bursts may exceed it.
  static constexpr size_t kKeptBytes = 1 << 20;  // Size of a file after a cut.
  static constexpr size_t kMostReplyBytes = 64 << 10;

  // An empty folder disables logging.
  NodeLogs(sail::Loop& loop, std::filesystem::path folder);

  // Returns a descriptor for the output of a run of the node's program; the caller closes it; −1:
  // none.
  int begin(const std::string& node);
  // Returns the last output of the latest run.
  std::string end_of_run(const std::string& node) const;

  struct Part {
    std::string text;   // Whole lines of plain text.
    uint64_t next = 0;  // Start of the next part, in bytes since the file's first write.
  };
  // read() returns at most kMostReplyBytes from position `from` on; a position outside the file is
  // moved into it. read_end() returns the last `last` bytes. kNotFound: there is no log.
  sail::Result<Part> read(const std::string& node, uint64_t from) const;
  sail::Result<Part> read_end(const std::string& node, size_t last) const;

  // Cuts files that are too long, also those of programs that an earlier manager started.
  void cut();

 private:
  struct File {
    uint64_t cut_bytes = 0;  // Bytes removed from the beginning of the log.
    uint64_t run_begin = 0;  // Start of the latest run, in bytes since the file's first write.
  };
  std::filesystem::path path(const std::string& node) const;
  uint64_t cut_bytes(const std::string& node) const;

  std::filesystem::path folder_;
  std::map<std::string, File> files_;
  sail::Timer cut_timer_;
};

}  // namespace manager
