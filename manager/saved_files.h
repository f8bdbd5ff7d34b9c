// Named JSON documents in a folder, one file each, for this user only (private_file.h): whoever
// reads one finds the old or the new one, whole; a damaged one is left alone. Names are any
// plain text: what a file name may not have is written as %XX, so that no name leads out of the
// folder.
//
// Thread: any, one at a time. Reads and writes as it is called, unless it says otherwise.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sail/base/result.h"
#include "sail/wire/json.h"

namespace manager {

class SavedFiles {
 public:
  static constexpr size_t kMostFiles = 1000;
  static constexpr size_t kMostBytes = 16 << 20;  // of one

  // Created with the first save. what: of what its files are, for sentences: "layout".
  SavedFiles(std::filesystem::path folder, std::string what);

  // The names of all files here, in alphabetical order; at most kMostFiles.
  std::vector<std::string> names() const;
  // kInvalidParams: no name. kLimit: too large, or too many. kIo.
  sail::Result<void> save(const std::string& name, const sail::Json& document) const;
  // The same in two steps, of which the second waits for the disk: by any thread.
  struct Pending {
    std::filesystem::path path;
    std::string text;
  };
  sail::Result<Pending> prepare(const std::string& name, const sail::Json& document) const;
  static sail::Result<void> write(const Pending& pending);
  // kNotFound, kBadData: no JSON or too large, kIo.
  sail::Result<sail::Json> load(const std::string& name) const;
  // kNotFound, kIo.
  sail::Result<void> remove(const std::string& name) const;

  std::filesystem::path path_of(const std::string& name) const;

 private:
  std::filesystem::path folder_;
  std::string what_;
};

// "a/b" → "a%2Fb".
std::string file_name_for(std::string_view name);
// Nothing when no name is written so.
std::optional<std::string> name_of_file(std::string_view file_name);

}  // namespace manager
