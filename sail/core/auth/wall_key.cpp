#include "sail/core/auth/wall_key.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <ctime>
#include <fstream>

#include "sail/core/auth/password.h"
#include "sail/core/auth/proof.h"
#include "sail/core/base/environment.h"
#include "sail/core/base/private_file.h"
#include "sail/core/base/secret.h"
#include "sail/core/text/limits.h"

namespace sail {
namespace {

namespace fs = std::filesystem;

// Shorter secrets could be guessed offline from an overheard proof.
constexpr size_t kShortestSecret = 16;

bool is_key_name(std::string_view name) {
  return name.size() <= kMaxKeyName && std::ranges::all_of(name, [](char letter) {
           return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                  (letter >= '0' && letter <= '9') || letter == '/' || letter == '-' ||
                  letter == '_';
         });
}

Result<void> check_alone(const fs::path& file) {
  struct stat facts {};
  if (stat(file.c_str(), &facts) != 0) {
    return fail(ErrorCode::kIo, fmt::format("cannot read the key file {}: {}", file.string(),
                                            std::strerror(errno)));
  }
  // systemd grants its user a credential by an ACL, which stat() reports as the group's rights.
  // Only that unit can enter the folder.
  const std::string credentials = environment("CREDENTIALS_DIRECTORY");
  const bool credential = !credentials.empty() && file.parent_path() == credentials;
  if ((facts.st_mode & (credential ? S_IRWXO : S_IRWXG | S_IRWXO)) == 0) return {};
  return fail(ErrorCode::kUnauthorized,
              fmt::format("other users can access the key file {}: run `chmod 600 {}`, and if "
                          "somebody may have read the key, create a new one with `vitrail key new`",
                          file.string(), file.string()));
}

}  // namespace

Result<WallKey> read_key(std::string_view text) {
  const size_t colon = text.find(':');
  WallKey key;
  if (colon != std::string_view::npos) key.name = text.substr(0, colon);
  key.secret = text.substr(colon == std::string_view::npos ? 0 : colon + 1);
  if (colon == 0 || !is_key_name(key.name))
    return fail(ErrorCode::kInvalidParams,
                "the key's name is invalid: use letters, digits, '/', '-' and '_'");
  if (key.secret.size() > kMaxKeySecret) {
    return fail(ErrorCode::kLimit, fmt::format("the key is longer than {} bytes", kMaxKeySecret));
  }
  // A program of a wall without a key has only a key name. Short passwords of users are allowed,
  // because the manager limits the rate of guesses.
  const bool named_only = !key.name.empty() && key.secret.empty();
  if (key.secret.size() >= kShortestSecret || named_only || is_person(key.name)) return key;
  return fail(
      ErrorCode::kInvalidParams,
      fmt::format("the key is shorter than {} characters: create one with `vitrail key new`",
                  kShortestSecret));
}

std::string key_text(const WallKey& key) {
  return key.name.empty() ? key.secret : key.name + ':' + key.secret;
}

WallKey key_named(const WallKey& wall_key, std::string_view name) {
  if (name.empty()) return wall_key;
  if (wall_key.secret.empty()) return {std::string(name), ""};
  const std::string_view words[] = {"vitrail key", name};
  return {std::string(name), proof_of(wall_key.secret, words)};
}

std::optional<int64_t> end_of_key(std::string_view key_name) {
  constexpr std::string_view kUntil = "/until-";
  const size_t slash = key_name.rfind('/');
  if (slash == std::string_view::npos || !key_name.substr(slash).starts_with(kUntil)) return {};
  const std::string_view digits = key_name.substr(slash + kUntil.size());
  int64_t seconds = 0;
  const auto [end, error] = std::from_chars(digits.begin(), digits.end(), seconds);
  if (error != std::errc() || end != digits.end() || seconds < 0) return {};
  return seconds;
}

Right right_of(std::string_view key_name) {
  if (const auto end = end_of_key(key_name); end && std::time(nullptr) >= *end) return Right::kNone;
  const std::string_view role = key_name.substr(0, key_name.find('/'));
  for (const Right right :
       {Right::kViewer, Right::kProgram, Right::kPresenter, Right::kOperator, Right::kAdmin}) {
    if (role == right_name(right)) return right;
  }
  return key_name.empty() ? Right::kAdmin : Right::kNone;
}

const char* right_name(Right right) {
  constexpr const char* kNames[] = {"none",      "viewer",   "application",
                                    "presenter", "operator", "admin"};
  return kNames[static_cast<size_t>(right)];
}

bool includes(Right has, Right needed) {
  return has >= needed && !(has == Right::kPresenter && needed == Right::kProgram);
}

bool opens_to_application(std::string_view key_name) {
  return right_of(key_name) >= Right::kProgram;
}

bool opens_to_receiver(std::string_view key_name) {
  return right_of(key_name) == Right::kAdmin || key_name == "receiver";
}

bool opens_to_viewer(std::string_view key_name, std::string_view what) {
  if (right_of(key_name) != Right::kNone) return true;
  const size_t role_end = key_name.find('/');
  const size_t what_end = key_name.rfind('/');
  const auto end = end_of_key(key_name);
  return end && std::time(nullptr) < *end && key_name.substr(0, role_end) == kWatchRole &&
         what_end > role_end && key_name.substr(role_end + 1, what_end - role_end - 1) == what;
}

Result<WallKey> read_key_file(const fs::path& file) {
  if (const auto alone = check_alone(file); !alone) return alone.error();
  std::ifstream in(file);
  if (!in) {
    return fail(ErrorCode::kIo,
                fmt::format("cannot read {}: {}", file.string(), std::strerror(errno)));
  }
  std::string text;
  std::getline(in, text);
  auto key = read_key(text);
  if (key) return key;
  return fail(key.error().code, fmt::format("{}: {}", file.string(), key.error().message));
}

Result<WallKey> key_for(const Address& peer) {
  if (const std::string text = environment("VITRAIL_KEY"); !text.empty()) {
    auto key = read_key(text);
    if (key) return key;
    return fail(key.error().code, "VITRAIL_KEY: " + key.error().message);
  }
  if (const std::string file = environment("VITRAIL_KEY_FILE"); !file.empty()) {
    return read_key_file(file);
  }
  const fs::path kept = key_file(peer);
  std::error_code ignored;
  if (kept.empty() || !fs::exists(kept, ignored)) return WallKey();
  return read_key_file(kept);
}

bool is_key_in_environment() {
  return !environment("VITRAIL_KEY").empty() || !environment("VITRAIL_KEY_FILE").empty();
}

Result<WallKey> key_for_server(const Address& at) {
  auto key = key_for(address_for_this_host(at));
  if (!key || key->name.empty()) return key;
  return fail(ErrorCode::kUnauthorized,
              fmt::format("this key is for '{}': a server needs the wall's own key", key->name));
}

fs::path key_file(const Address& at) {
  const Address here = address_for_this_host(at);
  const fs::path folder = user_state_folder();
  if (folder.empty() || !is_loopback(here.host)) return {};
  return folder / "keys" / address_text(here);
}

Result<void> save_key(const Address& at, const WallKey& key) {
  const fs::path file = key_file(at);
  if (file.empty()) {
    return fail(
        ErrorCode::kIo,
        fmt::format("cannot store a key for {}: not a loopback address, or $HOME is not set",
                    address_text(at)));
  }
  return make_private_folder(file.parent_path().parent_path())
      .and_then([&] { return make_private_folder(file.parent_path()); })
      .and_then([&] { return write_private_file(file, key_text(key) + '\n'); });
}

void delete_key(const Address& at) {
  std::error_code ignored;
  if (const fs::path file = key_file(at); !file.empty()) fs::remove(file, ignored);
}

WallKey new_key() {
  return {"", random_word()};
}

Address address_for_this_host(Address listening) {
  if (listening.host == "0.0.0.0") listening.host = "127.0.0.1";
  if (listening.host == "::") listening.host = "::1";
  return listening;
}

Result<void> check_exposure(const Address& at, const WallKey& key, bool insecure) {
  if (insecure || is_loopback(at.host)) return {};
  if (tls_use() == TlsUse::kNever) {
    return fail(ErrorCode::kUnauthorized,
                fmt::format("other machines can reach {}, and VITRAIL_TLS=never lets anyone on the "
                            "network read and change all traffic: to allow this, add --insecure",
                            at.host));
  }
  if (!key.secret.empty()) return {};
  return fail(ErrorCode::kUnauthorized,
              fmt::format("other machines can reach {}, and without a key anyone there can "
                          "connect: create one with `vitrail key new FILE` and set "
                          "VITRAIL_KEY_FILE to FILE, or allow this with --insecure",
                          at.host));
}

TlsUse listening_tls(bool insecure) {
  const TlsUse use = tls_use();
  return insecure && use == TlsUse::kOffLoopback ? TlsUse::kNever : use;
}

}  // namespace sail
