#include "manager/peers/users.h"

#include <fmt/core.h>

#include <fstream>

#include "sail/core/base/private_file.h"
#include "sail/core/text/json.h"

namespace manager {
namespace {

constexpr size_t kMostUsersBytes = 1 << 20;

}  // namespace

Users Users::load(std::filesystem::path file) {
  Users users(std::move(file));
  std::error_code ignored;
  if (users.file_.empty() || !std::filesystem::exists(users.file_, ignored)) return users;
  std::ifstream in(users.file_, std::ios::binary);
  std::string text(kMostUsersBytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(in.gcount()));
  auto people = sail::parse_json(text, kMostUsersBytes).and_then(sail::People::read);
  if (people) {
    users.people_ = std::move(*people);
  } else {
    users.damage_ = fmt::format(
        "{} is damaged ({}): nobody can sign in with a password until you restore the file from a "
        "copy, or remove it to add all users again, and restart the manager",
        users.file_.string(), people.error().message);
  }
  return users;
}

std::string Users::why_closed() const {
  if (damage_.empty()) return "";
  return "nobody can sign in with a password: the manager's user file (people.json) is damaged. An "
         "administrator must restore it from a copy, or remove it and add all users again, and "
         "then restart the manager";
}

sail::Result<void> Users::change(const Act& act) {
  if (file_.empty()) {
    return sail::fail(sail::ErrorCode::kIo,
                      "the manager has no folder to save users in: start it with --state DIR");
  }
  if (!damage_.empty()) return sail::fail(sail::ErrorCode::kConflict, damage_);
  sail::People changed = people_;
  if (auto done = act(changed); !done) return done;
  auto kept = sail::make_private_folder(file_.parent_path()).and_then([&] {
    return sail::write_private_file(file_, changed.json().dump() + '\n');
  });
  if (!kept) return kept;
  people_ = std::move(changed);
  if (on_changed_) on_changed_();
  return {};
}

}  // namespace manager
