#include "manager/failover/saved_term.h"

#include <fmt/core.h>

#include <utility>

#include "sail/core/base/private_file.h"
#include "sail/core/wire/standby.h"

namespace manager {
namespace {

constexpr const char* kTermFile = "term.json";
constexpr size_t kMostTermBytes = 1024;

}  // namespace

sail::Result<SavedTerm> load_term(const std::filesystem::path& state_folder) {
  if (state_folder.empty()) return SavedTerm{};
  const auto text = sail::read_file(state_folder / kTermFile, kMostTermBytes);
  if (!text && text.error().code == sail::ErrorCode::kNotFound) return SavedTerm{};
  if (!text) return text.error();
  auto saved = sail::parse_json(*text, kMostTermBytes)
                   .and_then([](const sail::Json& json) -> sail::Result<SavedTerm> {
                     sail::JsonFields fields(json, "term");
                     SavedTerm term;
                     sail::kTerm.read(fields, "term", term.term);
                     term.followed = fields.boolean_or("followed", false);
                     term.other = fields.string_or("other", sail::kMaxAddressText, "");
                     if (auto error = fields.finish_open()) return *error;
                     return term;
                   });
  if (saved) return saved;
  return sail::fail(
      sail::ErrorCode::kBadData,
      fmt::format("{} is damaged: {}", (state_folder / kTermFile).string(), saved.error().message));
}

sail::Result<SavedTerm> load_term_at_start(const std::filesystem::path& state_folder) {
  auto saved = load_term(state_folder);
  if (saved) return saved;
  const auto aside = sail::set_aside(state_folder / kTermFile);
  return sail::fail(
      saved.error().code,
      fmt::format(
          "{}; {}. The wall begins with a new term. If another manager runs this wall, stop this "
          "manager and start it with --standby-of and the other manager's address",
          saved.error().message,
          aside ? "the file is kept as " + aside->string() : aside.error().message));
}

sail::Result<void> save_term(const std::filesystem::path& state_folder, const SavedTerm& saved) {
  sail::Json json = {{"term", saved.term}, {"followed", saved.followed}};
  if (!saved.other.empty()) json["other"] = saved.other;
  return sail::make_private_folder(state_folder).and_then([&] {
    return sail::write_private_file(state_folder / kTermFile, json.dump() + "\n");
  });
}

}  // namespace manager
