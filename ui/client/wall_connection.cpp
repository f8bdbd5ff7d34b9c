#include "ui/client/wall_connection.h"

#include <fmt/core.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <utility>

#include "sail/core/base/environment.h"
#include "sail/core/base/private_file.h"
#include "sail/core/text/limits.h"
#include "sail/core/wire/standby.h"
#include "ui/client/answers.h"

namespace ui {
namespace {

// Timeout for a manager that may hang, if a standby can be tried instead.
constexpr int64_t kQuickMs = 2500;

// Empty if this user has no state folder.
std::filesystem::path standby_file(const sail::Address& manager) {
  const std::filesystem::path folder = sail::user_state_folder();
  return folder.empty() ? folder : folder / "standbys" / sail::address_text(manager);
}

std::string kept_standby(const sail::Address& manager) {
  std::ifstream in(standby_file(manager), std::ios::binary);
  std::string text(sail::kMaxAddressText, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  return text.substr(0, text.find('\n'));
}

std::optional<sail::Address> standby_of(const sail::Address& manager) {
  std::string text = kept_standby(manager);
  if (text.empty()) text = sail::environment("VITRAIL_STANDBY");
  const auto at = sail::parse_address(text, {"", sail::kDefaultControlPort});
  if (!at || at->host.empty() || *at == manager) return std::nullopt;
  return *at;
}

// Ignores errors. Keeps the address of a standby that the manager has lost, because that standby
// may have taken over.
void keep_standby(const sail::Address& manager, const std::string& standby) {
  if (standby.empty() || standby == kept_standby(manager)) return;
  const std::filesystem::path file = standby_file(manager);
  if (file.empty()) return;
  (void)sail::make_private_folder(file.parent_path().parent_path())
      .and_then([&] { return sail::make_private_folder(file.parent_path()); })
      .and_then([&] { return sail::write_private_file(file, standby + '\n'); });
}

bool is_gone(const sail::Error& error) {
  return error.code == sail::ErrorCode::kUnavailable || error.code == sail::ErrorCode::kTimeout;
}

}  // namespace

sail::Result<std::unique_ptr<sail::RpcClient>> connect_to_wall(const sail::Address& manager,
                                                               sail::RpcClientOptions options) {
  const auto standby = standby_of(manager);
  options.follow = true;
  sail::RpcClientOptions first = options;
  // The standby may come or go during the connection.
  first.on_notification = [manager, others = options.on_notification](const std::string& method,
                                                                      const sail::Json& params) {
    if (method == sail::StandbyNews::kMethod) keep_standby(manager, text_member(params, "address"));
    if (others) others(method, params);
  };
  if (standby) first.timeout_ms = std::min(first.timeout_ms, kQuickMs);
  auto client = sail::RpcClient::connect(manager, std::move(first));
  if (client) {
    keep_standby(manager, text_member((*client)->welcome(), "standby"));
    return client;
  }
  if (!standby || !is_gone(client.error())) return client;
  // The standby has the wall's key, and no key is stored for the standby's own address.
  if (!options.key) {
    auto key = sail::key_for(manager);
    if (!key) return key.error();
    options.key = std::move(*key);
  }
  auto other = sail::RpcClient::connect(*standby, std::move(options));
  if (other) return other;
  return sail::fail(client.error().code,
                    fmt::format("{}; standby at {}: {}", client.error().message,
                                sail::address_text(*standby), other.error().message));
}

sail::Result<std::unique_ptr<sail::RpcClient>> connect_to_wall(const sail::SiteWall& wall,
                                                               sail::RpcClientOptions options) {
  if (!wall.key_file.empty()) {
    auto key = sail::read_key_file(wall.key_file);
    if (!key) return key.error();
    options.key = std::move(*key);
  }
  return connect_to_wall(wall.manager, std::move(options));
}

namespace {

constexpr size_t kShortestPassword = 8;

// Turns off echo for its lifetime. Also turns off signal keys such as Ctrl-C: a program ended by
// one would leave the terminal without echo.
class EchoOff {
 public:
  EchoOff() {
    tcgetattr(STDIN_FILENO, &before_);
    termios echo_off = before_;
    echo_off.c_lflag &= ~static_cast<tcflag_t>(ECHO | ISIG);
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &echo_off);
  }
  ~EchoOff() {
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &before_);
    fmt::print(stderr, "\n");
  }
  EchoOff(const EchoOff&) = delete;
  EchoOff& operator=(const EchoOff&) = delete;

 private:
  termios before_{};
};

sail::Result<std::string> first_line(std::istream& in) {
  std::string line;
  if (std::getline(in, line)) return line;
  return sail::fail(sail::ErrorCode::kIo, "no password: the input is empty or cannot be read");
}

}  // namespace

sail::Result<std::string> ask_password(const std::string& question) {
  if (isatty(STDIN_FILENO) != 1) return first_line(std::cin);
  fmt::print(stderr, "{}: ", question);
  const EchoOff echo_off;
  return first_line(std::cin);
}

sail::Result<std::string> new_password(const std::string& file, const std::string& name) {
  std::ifstream in(file);
  auto password =
      file.empty() ? ask_password(fmt::format("New password for {}", name)) : first_line(in);
  if (!password) return password;
  if (password->size() < kShortestPassword || password->size() > sail::kMaxKeySecret) {
    return sail::fail(sail::ErrorCode::kInvalidParams,
                      fmt::format("the password must have {} to {} bytes", kShortestPassword,
                                  sail::kMaxKeySecret));
  }
  if (!file.empty() || isatty(STDIN_FILENO) != 1) return password;
  const auto again = ask_password("Repeat the password");
  if (again && *again == *password) return password;
  return sail::fail(sail::ErrorCode::kInvalidParams, "the passwords do not match");
}

}  // namespace ui
