// Results of `vitrail doctor`. Values.
#pragma once

#include <string>
#include <vector>

#include "sail/core/text/json.h"

namespace ui {

struct Finding {
  enum class Severity {
    kGood,
    kNote,  // fine, but perhaps not intended
    kBad,   // will be noticed on the wall
  };
  Severity severity = Severity::kGood;
  std::string about{};   // subject, such as "socket buffers"
  std::string what{};    // a sentence with figures
  std::string advice{};  // what to do; empty: nothing
};
using Findings = std::vector<Finding>;

const char* severity_name(Finding::Severity severity);
bool any_bad(const Findings& findings);
sail::Json findings_json(const Findings& findings);
// Parses findings from another host's doctor. Ignores invalid entries.
Findings findings_from(const sail::Json& list);
// A line for each finding, followed by its advice.
std::string findings_text(const Findings& findings);

}  // namespace ui
