// Upload-Metadata of an upload request. The file name in it must not lead out of the upload folder.
#include <cstdlib>
#include <string_view>

#include "manager/media/upload_rules.h"
#include "sail/core/text/text.h"
#include "tests/fuzz/fuzz.h"

namespace {

void check_name(std::string_view given) {
  using namespace manager;
  const std::string name = clean_file_name(given);
  fuzz::require(!name.empty() && name.size() <= kLongestUploadName, "a name is a name");
  fuzz::require(name.find_first_of("/\\<>:\"|?*") == std::string::npos, "a name is no path");
  fuzz::require(name.front() != '.' && name.front() != ' ', "a name is not hidden");
  fuzz::require(!sail::name_mistake(name), "a name is what it seems");
  fuzz::require(renamed("film.mp4", given).size() <= kLongestUploadName, "a new name is a name");
  fuzz::require(clean_file_name(name) == name, "a clean name stays as it is");
}

}  // namespace

FUZZ_TARGET(upload_request) {
  const std::string_view header(reinterpret_cast<const char*>(data), size);
  check_name(header);
  if (const auto name = manager::upload_metadata(header, "filename")) {
    fuzz::require(name->size() <= size, "decoding makes nothing longer");
    check_name(*name);
  }
  if (const auto number = manager::upload_number(header)) {
    fuzz::require(*number <= 999'999'999'999'999, "a number has at most 15 digits");
  }
  return 0;
}
