// The verdict on a window (grade, cause and sentence), and the rule by which a verdict changes.
// monitor/diagnosis.h makes the verdicts. Pure.
#pragma once

#include <string>

#include "manager/wall/cause.h"
#include "sail/core/text/json.h"

namespace manager {

enum class Grade { kWell, kSlow, kBad };
const char* grade_name(Grade grade);

struct Diagnosis {
  Grade grade = Grade::kWell;
  Cause cause = Cause::kOpening;
  std::string sentence = "no statistics yet";

  bool operator==(const Diagnosis&) const = default;
};
sail::Json to_json(const Diagnosis& diagnosis);

// The verdict on a window, shared by verbs, statistics, page, metrics and labels. To avoid flicker,
// the grade changes only when two reports in a row agree, or when the cause is a fact.
class StreamHealth {
 public:
  static constexpr int kReports = 2;

  // A report of the application has arrived.
  void report(Diagnosis diagnosis);
  // Without a new report: time has passed or another peer has left. Only facts change the verdict.
  void evaluate(Diagnosis diagnosis);
  const Diagnosis& diagnosis() const { return settled_; }
  Grade grade() const { return settled_.grade; }

 private:
  bool is_sure(const Diagnosis& diagnosis) const;

  Diagnosis settled_;
  int differing_ = 0;  // Consecutive reports with another grade.
};

}  // namespace manager
