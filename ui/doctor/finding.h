// What `vitrail doctor` has found out. Values.
#pragma once

#include <string>
#include <vector>

#include "sail/wire/json.h"

namespace ui {

struct Finding {
  enum class Worth {
    kGood,
    kNote,  // may be wanted otherwise
    kBad,   // will be noticed on the wall
  };
  Worth worth = Worth::kGood;
  std::string about{};   // "socket buffers"
  std::string what{};    // a sentence, with figures
  std::string advice{};  // what to do; empty: nothing
};
using Findings = std::vector<Finding>;

const char* worth_name(Finding::Worth worth);
bool any_bad(const Findings& findings);
sail::Json findings_json(const Findings& findings);
// As another host's doctor wrote them; what is none is passed over.
Findings findings_from(const sail::Json& list);
// A line each, and its advice beneath.
std::string findings_text(const Findings& findings);

}  // namespace ui
