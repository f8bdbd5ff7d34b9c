// Findings as text and JSON.
#include <fmt/core.h>

#include <algorithm>

#include "sail/core/text/text.h"
#include "ui/client/answers.h"
#include "ui/doctor/checks.h"

namespace ui {
namespace {

constexpr size_t kMostTextBytes = 1000;  // limit for a text from another host

}  // namespace

const char* severity_name(Finding::Severity severity) {
  switch (severity) {
    case Finding::Severity::kGood:
      return "good";
    case Finding::Severity::kNote:
      return "note";
    case Finding::Severity::kBad:
      return "bad";
  }
  return "";
}

bool any_bad(const Findings& findings) {
  return std::ranges::any_of(
      findings, [](const Finding& finding) { return finding.severity == Finding::Severity::kBad; });
}

sail::Json findings_json(const Findings& findings) {
  sail::Json list = sail::Json::array();
  for (const Finding& finding : findings) {
    sail::Json object = {{"worth", severity_name(finding.severity)},
                         {"about", finding.about},
                         {"what", finding.what}};
    if (!finding.advice.empty()) object["advice"] = finding.advice;
    list.push_back(std::move(object));
  }
  return list;
}

Findings findings_from(const sail::Json& list) {
  Findings findings;
  if (!list.is_array()) return findings;
  const auto text = [](const sail::Json& object, const char* name) {
    return sail::make_plain_text(text_member(object, name), kMostTextBytes);
  };
  for (const sail::Json& object : list) {
    Finding finding{.about = text(object, "about"),
                    .what = text(object, "what"),
                    .advice = text(object, "advice")};
    for (const auto severity : {Finding::Severity::kNote, Finding::Severity::kBad}) {
      if (text_member(object, "worth") == severity_name(severity)) finding.severity = severity;
    }
    if (!finding.what.empty()) findings.push_back(std::move(finding));
  }
  return findings;
}

std::string findings_text(const Findings& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    const char* mark = finding.severity == Finding::Severity::kGood   ? "ok  "
                       : finding.severity == Finding::Severity::kNote ? "note"
                                                                      : "BAD ";
    text += fmt::format("{}  {}: {}\n", mark, finding.about, finding.what);
    if (!finding.advice.empty()) text += fmt::format("      → {}\n", finding.advice);
  }
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace ui
