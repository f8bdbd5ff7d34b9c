#include "ui/console/derived_key.h"

#include <fmt/core.h>

#include "sail/core/command_line/shared_options.h"
#include "sail/core/time/clock.h"

namespace ui {
namespace {

constexpr size_t kMostPresenter = 35;  // bytes of a key's name: manager/COMMANDS.md, "Rights"

}  // namespace

void add_key_choice(const sail::Command& command, KeyChoice& choice,
                    const std::vector<std::string>& roles) {
  const sail::Option role =
      command
          .option("--role", choice.role,
                  "viewer: look; presenter: play and arrange own windows; operator: arrange all "
                  "windows; application: show a stream; receiver: join as a receiver; metrics: "
                  "read /metrics; watch: what `vitrail cast` serves to browsers")
          .one_of(roles);
  command
      .option(
          "--name", choice.name,
          "Holder of the key; separates keys of one role and the windows of presenters; of watch: "
          "wall (default), window-N or rect-X-Y-W-H, as in `vitrail cast --window N`")
      .needs(role);
  command
      .option("--until", choice.until,
              "The key and its sessions end at this time: +SECONDS, HH:MM, YYYY-MM-DDTHH:MM or "
              "@SECONDS since 1970")
      .check([](const std::string& text) { return text.empty() ? "must be a time" : ""; })
      .needs(role);
}

sail::Result<sail::WallKey> derived_key(const sail::WallKey& key, const KeyChoice& choice) {
  if (choice.role.empty()) return key;
  if (key.secret.empty()) {
    return sail::fail(sail::ErrorCode::kNotFound,
                      "--role: the wall has no key, so everybody may change everything");
  }
  if (!key.name.empty()) {
    return sail::fail(
        sail::ErrorCode::kUnauthorized,
        fmt::format("the key of '{}' cannot derive other keys: use the wall's key", key.name));
  }
  const bool watches = choice.role == sail::kWatchRole;
  if (watches && choice.until.empty()) {
    return sail::fail(sail::ErrorCode::kInvalidParams, "--role watch needs --until");
  }
  const std::string holder = watches && choice.name.empty() ? "wall" : choice.name;
  std::string name = choice.role + (holder.empty() ? "" : '/' + holder);
  if (!choice.until.empty()) {
    if (choice.role == "receiver" || choice.role == "metrics") {
      return sail::fail(sail::ErrorCode::kInvalidParams,
                        "--until: keys for receivers and metrics have no end");
    }
    const auto until_ns = sail::parse_start_time(choice.until, sail::calendar_now_ns());
    if (!until_ns) return until_ns.error();
    name += fmt::format("/until-{}", *until_ns / sail::kSecondNs);
  }
  if (choice.role == "presenter" && name.size() > kMostPresenter) {
    return sail::fail(
        sail::ErrorCode::kLimit,
        fmt::format("'{}' has {} bytes, but a presenter's key of more than {} opens no windows: "
                    "use a shorter --name",
                    name, name.size(), kMostPresenter));
  }
  return sail::read_key(key_text(key_named(key, name)));
}

}  // namespace ui
