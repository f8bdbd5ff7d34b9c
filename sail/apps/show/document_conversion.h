// Converts office documents to PDF by LibreOffice, in a sandbox.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "sail/apps/show/office_document.h"
#include "sail/core/base/result.h"

namespace sail {

struct ConversionRules {
  std::string program = "soffice";  // searched in PATH, unless it has a slash
  std::chrono::milliseconds longest{120'000};
  uint64_t most_written_bytes = uint64_t{1} << 30;  // of all files together
  uint64_t most_memory_bytes = uint64_t{4} << 30;
  int most_waiting = 8;  // conversions of one user, with the one that runs
};

// Returns the PDF in the cache. Converts the document unless that was done before: one conversion
// of a user at a time, others wait. Macros do not run, and links to other files and hosts are not
// followed. Blocks; ends early if `give_up` returns true. Call while the process has one thread.
// Errors name the file. kNotFound: there is no such file, or no LibreOffice. kBadData: it cannot be
// converted. kTimeout, kLimit: so says the message. kUnavailable: no sandbox, or given up.
Result<std::string> convert_document(const std::string& path, const DocumentCache& cache,
                                     const ConversionRules& rules,
                                     const std::function<bool()>& give_up);

}  // namespace sail
