#include "manager/files/saved_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "sail/core/base/private_file.h"
#include "sail/core/text/encodings.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"

namespace manager {
namespace {

constexpr std::string_view kSuffix = ".json";

bool stays_in_file_name(char letter) {
  const auto byte = static_cast<unsigned char>(letter);
  return byte >= 0x20 && byte != 0x7f && letter != '/' && letter != '\\' && letter != '%';
}

}  // namespace

std::string file_name_for(std::string_view name) {
  const bool hidden = name.starts_with('.');
  return (hidden ? "%2E" : "") + sail::percent_encoded(name.substr(hidden), stays_in_file_name);
}

std::optional<std::string> name_of_file(std::string_view file_name) {
  auto name = sail::percent_decoded(file_name);
  const bool ours = name && !name->empty() && name->size() <= sail::kMaxNameLength &&
                    !sail::name_mistake(*name) && file_name_for(*name) == file_name;
  return ours ? std::move(name) : std::nullopt;
}

SavedFiles::SavedFiles(std::filesystem::path folder, std::string what)
    : folder_(std::move(folder)), what_(std::move(what)) {}

std::filesystem::path SavedFiles::path_of(const std::string& name) const {
  return folder_ / (file_name_for(name) + std::string(kSuffix));
}

std::vector<std::string> SavedFiles::names() const {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder_, error), end; !error && it != end;
       it.increment(error)) {
    const std::string file_name = it->path().filename().string();
    if (!file_name.ends_with(kSuffix)) continue;
    const auto name =
        name_of_file(std::string_view(file_name).substr(0, file_name.size() - kSuffix.size()));
    if (name) names.push_back(*name);
    if (names.size() == kMostFiles) break;
  }
  std::sort(names.begin(), names.end());
  return names;
}

sail::Result<SavedFiles::Pending> SavedFiles::prepare(const std::string& name,
                                                      const sail::Json& document) const {
  if (name.empty() || name.size() > sail::kMaxNameLength) {
    return sail::fail(
        sail::ErrorCode::kInvalidParams,
        fmt::format("a {} needs a name of 1 to {} bytes", what_, sail::kMaxNameLength));
  }
  if (const auto wrong = sail::name_mistake(name)) {
    return sail::fail(sail::ErrorCode::kInvalidParams,
                      fmt::format("the name of a {} {}", what_, *wrong));
  }
  std::string text = document.dump(1, ' ', false, sail::Json::error_handler_t::replace) + "\n";
  if (text.size() > kMostBytes) {
    return sail::fail(sail::ErrorCode::kLimit,
                      fmt::format("the {} '{}' would have {} bytes, more than the {} allowed",
                                  what_, name, text.size(), kMostBytes));
  }
  const std::filesystem::path path = path_of(name);
  std::error_code error;
  if (!std::filesystem::exists(path, error) && names().size() >= kMostFiles) {
    return sail::fail(sail::ErrorCode::kLimit,
                      fmt::format("there are {} of the kind '{}', the most there can be: remove "
                                  "some",
                                  kMostFiles, what_));
  }
  return Pending{path, std::move(text)};
}

sail::Result<void> SavedFiles::write(const Pending& pending) {
  return sail::make_private_folder(pending.path.parent_path()).and_then([&] {
    return sail::write_private_file(pending.path, pending.text);
  });
}

sail::Result<void> SavedFiles::save(const std::string& name, const sail::Json& document) const {
  return prepare(name, document).and_then(write);
}

sail::Result<sail::Json> SavedFiles::load(const std::string& name) const {
  const auto text = sail::read_file(path_of(name), kMostBytes);
  if (!text && text.error().code == sail::ErrorCode::kNotFound) {
    return sail::fail(sail::ErrorCode::kNotFound, fmt::format("there is no {} '{}'", what_, name));
  }
  if (!text) return text.error();
  auto document = sail::parse_json(*text, kMostBytes);
  if (document) return document;
  return sail::fail(
      sail::ErrorCode::kBadData,
      fmt::format("{} is damaged: {}", path_of(name).string(), document.error().message));
}

sail::Result<void> SavedFiles::remove(const std::string& name) const {
  std::error_code error;
  if (std::filesystem::remove(path_of(name), error)) return {};
  if (!error) {
    return sail::fail(sail::ErrorCode::kNotFound, fmt::format("there is no {} '{}'", what_, name));
  }
  return sail::fail(sail::ErrorCode::kIo,
                    fmt::format("cannot remove {}: {}", path_of(name).string(), error.message()));
}

}  // namespace manager
