// What the launched receivers say, in a file a node: they write there themselves, so that it goes
// on when the manager has gone. A file is cut to its newer part when it has grown too long.
// Thread: the loop's; reads and writes as it is called.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "sail/base/result.h"
#include "sail/net/loop.h"

namespace manager {

class NodeLogs {
 public:
  static constexpr size_t kMostBytes = 4
                                       << 20;  // a file; one that was written in a burst is longer
  static constexpr size_t kKeptBytes = 1 << 20;  // of one that was cut
  static constexpr size_t kMostToldBytes = 64 << 10;

  // An empty folder: nothing is kept.
  NodeLogs(sail::Loop& loop, std::filesystem::path folder);

  // A descriptor for a run of that node's receiver to write to, which the caller closes; −1: there
  // is none.
  int begin(const std::string& node);
  // The end of what that run wrote.
  std::string end_of_run(const std::string& node) const;

  struct Part {
    std::string text;   // whole lines that are plain text
    uint64_t next = 0;  // where the part after it begins, bytes since the file was first written
  };
  // At most kMostToldBytes from there on; from the end of the file when there is less: its last
  // `last` bytes. kNotFound when nothing was kept of it.
  sail::Result<Part> read(const std::string& node, uint64_t from) const;
  sail::Result<Part> read_end(const std::string& node, size_t last) const;

  // Cuts what is too long.
  void cut();

 private:
  struct File {
    uint64_t cut_bytes = 0;  // from its beginning
    uint64_t run_begin = 0;  // bytes since it was first written
  };
  std::filesystem::path path(const std::string& node) const;
  uint64_t cut_bytes(const std::string& node) const;

  std::filesystem::path folder_;
  std::map<std::string, File> files_;
  sail::Timer look_;
};

}  // namespace manager
