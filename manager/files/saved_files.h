// Named JSON documents in a folder, one private file each (private_file.h). Readers find either the
// old or the new version, complete; damaged files are left alone. Names are any plain text.
// Characters that file names cannot have are written as %XX, so no name leads out of the folder.
//
// Thread: any, one at a time. Functions block on the disk, unless stated otherwise.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/core/text/json.h"

namespace manager {

class SavedFiles {
 public:
  static constexpr size_t kMostFiles = 1000;
  static constexpr size_t kMostBytes = 16 << 20;  // Per file.

  // The first save creates the folder. what: noun for error messages, such as "layout".
  SavedFiles(std::filesystem::path folder, std::string what);

  // Returns the names of all files in alphabetical order; at most kMostFiles.
  std::vector<std::string> names() const;
  // kInvalidParams: no valid name. kLimit: too large, or too many files. kIo.
  sail::Result<void> save(const std::string& name, const sail::Json& document) const;
  // save() in two steps. Any thread may call write(), which writes to the disk.
  struct Pending {
    std::filesystem::path path;
    std::string text;
  };
  sail::Result<Pending> prepare(const std::string& name, const sail::Json& document) const;
  static sail::Result<void> write(const Pending& pending);
  // kNotFound. kBadData: not JSON, or too large. kIo: there is a file, but it cannot be read.
  sail::Result<sail::Json> load(const std::string& name) const;
  // kNotFound, kIo.
  sail::Result<void> remove(const std::string& name) const;

  std::filesystem::path path_of(const std::string& name) const;

 private:
  std::filesystem::path folder_;
  std::string what_;
};

// Returns the file name for a document: "a/b" → "a%2Fb".
std::string file_name_for(std::string_view name);
// Returns the document name for a file; empty if no document has this file name.
std::optional<std::string> name_of_file(std::string_view file_name);

}  // namespace manager
