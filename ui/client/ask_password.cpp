#include "ui/client/ask_password.h"

#include <fmt/core.h>
#include <termios.h>
#include <unistd.h>

#include <fstream>
#include <iostream>

#include "sail/core/text/limits.h"

namespace ui {
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
