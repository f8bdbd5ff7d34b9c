#include "sail/net/wall_token.h"

#include <fmt/core.h>

#include <filesystem>
#include <fstream>

#include "sail/base/environment.h"
#include "sail/base/private_file.h"
#include "sail/base/token.h"
#include "sail/wire/limits.h"

namespace sail {
namespace {

namespace fs = std::filesystem;

// Empty when there is no folder, and for what is not of this host.
fs::path file_of(const Address& at) {
  const Address here = address_for_this_host(at);
  const fs::path folder = user_state_folder();
  if (folder.empty() || !is_loopback(here.host)) return {};
  return folder / "tokens" / address_text(here);
}

}  // namespace

std::string token_in_environment() {
  return environment("VITRAIL_TOKEN");
}

std::string token_for(const Address& peer) {
  const std::string token = token_in_environment();
  return token.empty() ? kept_token(peer) : token;
}

std::string kept_token(const Address& at) {
  std::ifstream file(file_of(at));
  std::string token;
  std::getline(file, token);
  return token.size() <= kMaxTokenLength ? token : "";
}

Result<void> keep_token(const Address& at, const std::string& token) {
  const fs::path file = file_of(at);
  if (file.empty()) {
    return fail(ErrorCode::kIo, fmt::format("no place to keep a token for {}", address_text(at)));
  }
  return make_private_folder(file.parent_path().parent_path())
      .and_then([&] { return make_private_folder(file.parent_path()); })
      .and_then([&] { return write_private_file(file, token + '\n'); });
}

void forget_token(const Address& at) {
  std::error_code ignored;
  if (const fs::path file = file_of(at); !file.empty()) fs::remove(file, ignored);
}

std::string new_token() {
  return fmt::format("{:016x}{:016x}", random_secret(), random_secret());
}

Address address_for_this_host(Address listening) {
  if (listening.host == "0.0.0.0") listening.host = "127.0.0.1";
  if (listening.host == "::") listening.host = "::1";
  return listening;
}

Result<void> check_exposure(const Address& at, const std::string& token, bool insecure) {
  if (insecure || !token.empty() || is_loopback(at.host)) return {};
  return fail(ErrorCode::kUnauthorized,
              fmt::format("other machines reach {}, and without a token everybody there would be "
                          "let in: set VITRAIL_TOKEN, or say --insecure if that is meant",
                          at.host));
}

}  // namespace sail
