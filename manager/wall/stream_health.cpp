#include "manager/wall/stream_health.h"

#include <utility>

namespace manager {

const char* grade_name(Grade grade) {
  switch (grade) {
    case Grade::kWell:
      return "well";
    case Grade::kSlow:
      return "slow";
    case Grade::kBad:
      return "bad";
  }
  return "";
}

sail::Json to_json(const Diagnosis& diagnosis) {
  const char* cause = cause_code(diagnosis.cause);
  return {{"state", grade_name(diagnosis.grade)},
          {"picture", picture_code(picture_of(diagnosis.cause))},
          {"cause", cause},
          {"narrow", cause},
          {"sentence", diagnosis.sentence}};
}

// When a fact ends, the verdict changes at once as well.
bool StreamHealth::is_sure(const Diagnosis& diagnosis) const {
  return is_fact(diagnosis.cause) || is_fact(settled_.cause);
}

void StreamHealth::report(Diagnosis diagnosis) {
  const bool otherwise = diagnosis.grade != settled_.grade && !is_sure(diagnosis);
  differing_ = otherwise ? differing_ + 1 : 0;
  if (otherwise && differing_ < kReports) return;
  differing_ = 0;
  settled_ = std::move(diagnosis);
}

void StreamHealth::evaluate(Diagnosis diagnosis) {
  if (is_sure(diagnosis)) report(std::move(diagnosis));
}

}  // namespace manager
