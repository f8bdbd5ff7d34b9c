#include <limits>

#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"
#include "sail/wire/limits.h"

namespace manager::verbs {

namespace {

constexpr double kSlowest = 0.2;  // a second

}  // namespace

// Windows that are not there, or no more, have no thumbnails: that is no mistake of the client's.
Answer watch_thumbnails(const Caller& caller, const sail::Json& params) {
  sail::JsonFields fields(params, "watch_thumbnails");
  Thumbnails::Watch watch;
  if (params.is_object() && params.contains("windows") && params["windows"].is_string()) {
    watch.all = fields.string("windows", sail::kMaxNameLength) == "all";
    if (!watch.all) fields.mistake("windows", "must be \"all\" or a list of windows");
  } else {
    for (const sail::Json& item : fields.array("windows", sail::kMaxWindows)) {
      const auto number = sail::whole_number(item, 1, std::numeric_limits<uint32_t>::max());
      if (!number) fields.mistake("windows", "must be \"all\" or a list of windows");
      if (number && caller.manager.windows().find(static_cast<uint32_t>(*number)) != nullptr) {
        watch.windows.insert(static_cast<uint32_t>(*number));
      }
    }
  }
  watch.width = static_cast<int>(
      fields.integer_or("width", sail::kMinThumbnailSide, sail::kMaxThumbnailSide, watch.width));
  watch.per_second =
      fields.number_or("per_second", kSlowest, sail::kMaxThumbnailsPerSecond, watch.per_second);
  if (auto error = fields.finish()) return *error;
  caller.manager.watch_thumbnails(caller.session, std::move(watch));
  return sail::Json::object();
}

}  // namespace manager::verbs
