#include "ui/doctor/finding.h"

#include <fmt/core.h>

#include <algorithm>

#include "sail/core/text/text.h"
#include "ui/client/answers.h"

namespace ui {
namespace {

constexpr size_t kMostTextBytes = 1000;  // limit for a text from another host

}  // namespace

const char* worth_name(Finding::Worth worth) {
  switch (worth) {
    case Finding::Worth::kGood:
      return "good";
    case Finding::Worth::kNote:
      return "note";
    case Finding::Worth::kBad:
      return "bad";
  }
  return "";
}

bool any_bad(const Findings& findings) {
  return std::ranges::any_of(
      findings, [](const Finding& finding) { return finding.worth == Finding::Worth::kBad; });
}

sail::Json findings_json(const Findings& findings) {
  sail::Json list = sail::Json::array();
  for (const Finding& finding : findings) {
    sail::Json object = {
        {"worth", worth_name(finding.worth)}, {"about", finding.about}, {"what", finding.what}};
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
    for (const auto worth : {Finding::Worth::kNote, Finding::Worth::kBad}) {
      if (text_member(object, "worth") == worth_name(worth)) finding.worth = worth;
    }
    if (!finding.what.empty()) findings.push_back(std::move(finding));
  }
  return findings;
}

std::string findings_text(const Findings& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    const char* mark = finding.worth == Finding::Worth::kGood   ? "ok  "
                       : finding.worth == Finding::Worth::kNote ? "note"
                                                                : "BAD ";
    text += fmt::format("{}  {}: {}\n", mark, finding.about, finding.what);
    if (!finding.advice.empty()) text += fmt::format("      → {}\n", finding.advice);
  }
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace ui
