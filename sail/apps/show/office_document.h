// Documents of office programs, and the cache of the PDFs that they were converted to.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "sail/core/base/result.h"

namespace sail {

// Returns true if the file's name is that of an office document and its content is none that is
// shown as it is. The file may be damaged.
bool is_office_document(const std::string& path);

// An office document in memory.
struct OfficeDocument {
  std::string bytes;
  std::string hash;  // of the bytes, in hexadecimal digits

  // Errors name the file. kBadData: damaged, or protected by a password, as far as the container
  // tells. kLimit: larger than 256 MiB. kNotFound, kIo: it cannot be read.
  static Result<OfficeDocument> read(const std::string& path);
};

// The PDFs of one user. Several processes may use the same folder.
class DocumentCache {
 public:
  // Of this user: in $XDG_CACHE_HOME or ~/.cache. Does not create it.
  static DocumentCache of_user();
  explicit DocumentCache(std::filesystem::path folder, uint64_t most_bytes = uint64_t{2} << 30)
      : folder_(std::move(folder)), most_bytes_(most_bytes) {}

  const std::filesystem::path& folder() const { return folder_; }
  // Returns the PDF of the document; empty: it was not converted, or was removed.
  std::optional<std::string> find(const OfficeDocument& document) const;
  // Moves the PDF into the cache and returns its place. Then removes the PDFs that were not used
  // for the longest time until the others have at most most_bytes; the new one stays.
  Result<std::string> add(const OfficeDocument& document, const std::filesystem::path& pdf) const;

 private:
  std::filesystem::path place_of(const OfficeDocument& document) const;
  void remove_oldest(const std::filesystem::path& kept) const;

  const std::filesystem::path folder_;
  const uint64_t most_bytes_;
};

}  // namespace sail
