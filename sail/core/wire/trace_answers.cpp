#include "sail/core/wire/trace_answers.h"

#include <algorithm>
#include <array>

#include "sail/core/text/json_fields.h"
#include "sail/core/text/limits.h"

namespace sail {
namespace {

constexpr std::array<const char*, kTraceStages> kStageNames = {
    "submit", "encode", "send", "packets", "assemble", "decode", "show", "paint", "swap"};
constexpr size_t kNumbers = 6;  // numbers per stamp

Result<TraceStamp> stamp_of(const Json& numbers, int64_t base_ns) {
  const bool good = numbers.is_array() && numbers.size() == kNumbers &&
                    std::ranges::all_of(numbers, [](const Json& number) {
                      return number.is_number_integer() && number >= 0 && number <= kMaxTimeNs;
                    });
  if (!good || numbers[0] >= kTraceStages || numbers[4] > kMaxTimeNs - base_ns) {
    return fail(ErrorCode::kBadData,
                "a stamp must be six numbers, starting with the stage, with a valid time");
  }
  TraceStamp stamp{.stage = static_cast<TraceStage>(numbers[0].get<uint8_t>()),
                   .lane = numbers[1].get<uint32_t>(),
                   .stream = numbers[2].get<uint32_t>(),
                   .frame = numbers[3].get<uint64_t>(),
                   .begin_ns = base_ns + numbers[4].get<int64_t>(),
                   .end_ns = 0};
  stamp.end_ns = stamp.begin_ns + numbers[5].get<int64_t>();
  return stamp;
}

}  // namespace

const char* trace_stage_name(TraceStage stage) {
  return kStageNames[static_cast<size_t>(stage)];
}

Result<int64_t> trace_duration_ms(const Json& params) {
  JsonFields fields(params, "trace");
  const int64_t for_ms = fields.integer("for_ms", 1, kMaxTraceMs);
  if (auto error = fields.finish_open()) return *error;
  return for_ms;
}

Result<Json> TraceAnswers::read(const Json& params,
                                const std::function<std::vector<TraceStamp>()>& collect) {
  JsonFields fields(params, "trace_read");
  const auto from =
      static_cast<size_t>(fields.integer_or("from", 0, static_cast<int64_t>(kMaxCounter), 0));
  if (auto error = fields.finish_open()) return *error;
  if (from == 0) stamps_ = collect();
  const size_t begin = std::min(from, stamps_.size());
  const auto part =
      std::span(stamps_).subspan(begin, std::min(kMostInPart, stamps_.size() - begin));
  int64_t base_ns = part.empty() ? 0 : part.front().begin_ns;
  for (const TraceStamp& stamp : part) base_ns = std::min(base_ns, stamp.begin_ns);
  Json list = Json::array();
  for (const TraceStamp& stamp : part) {
    list.push_back({static_cast<int>(stamp.stage), stamp.lane, stamp.stream, stamp.frame,
                    stamp.begin_ns - base_ns, stamp.end_ns - stamp.begin_ns});
  }
  Json answer = {{"base_ns", base_ns}, {"stamps", std::move(list)}};
  const size_t next = begin + part.size();
  if (next < stamps_.size()) {
    answer["next"] = next;
  } else {
    stamps_ = {};
  }
  return answer;
}

Result<std::vector<TraceStamp>> trace_part(const Json& part) {
  JsonFields fields(part, "trace_read");
  const int64_t base_ns = fields.integer("base_ns", 0, kMaxTimeNs);
  const Json& list = fields.array("stamps", TraceAnswers::kMostInPart);
  if (auto error = fields.finish_open()) return *error;
  std::vector<TraceStamp> stamps;
  for (const Json& numbers : list) {
    auto stamp = stamp_of(numbers, base_ns);
    if (!stamp) return stamp.error();
    stamps.push_back(*stamp);
  }
  return stamps;
}

}  // namespace sail
