// A file of schedule entries: each has times that begin in order and end later.
#include "sail/core/calendar/schedule.h"

#include "tests/fuzz/fuzz.h"

FUZZ_TARGET(schedule) {
  using namespace sail;
  const auto json = parse_json({reinterpret_cast<const char*>(data), size}, kMaxScheduleBytes);
  if (!json) return 0;
  const auto schedule = Schedule::read(*json);
  if (!schedule) {
    fuzz::require(!schedule.error().message.empty(), "a refusal says why");
    return 0;
  }
  fuzz::require(schedule->all().size() <= kMaxScheduleEntries, "a schedule has a bound");
  constexpr int64_t kNowS = 1'800'000'000;
  int64_t before_s = kNowS;
  for (const auto& coming : schedule->coming(kNowS, 20)) {
    fuzz::require(coming.when.start_s >= before_s, "times are in order");
    fuzz::require(coming.when.end_s >= coming.when.start_s, "a time ends later");
    before_s = coming.when.start_s;
  }
  return 0;
}
