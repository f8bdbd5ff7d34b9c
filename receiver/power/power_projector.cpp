// Talks to the projector that shows a tile.
#include <fmt/core.h>

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "receiver/power/pjlink.h"
#include "receiver/power/power_runs.h"
#include "sail/core/base/private_file.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/text/text.h"

namespace receiver {
namespace {

// Bytes of a password file; PJLink's passwords have at most 32.
constexpr size_t kMaxPasswordFile = 256;

// The first line of the file; empty without a file.
sail::Result<std::string> read_password(const std::string& path) {
  if (path.empty()) return std::string();
  auto text = sail::read_file(path, kMaxPasswordFile);
  if (!text) return text.error();
  const auto password = std::string(sail::trimmed(text->substr(0, text->find('\n'))));
  if (!password.empty()) return password;
  return sail::fail(sail::ErrorCode::kBadData,
                    fmt::format("the first line of 'password_file' ({}) is empty: write the "
                                "projector's password there, or remove 'password_file'",
                                path));
}

class ProjectorRun : public sail::TcpReader {
 public:
  ProjectorRun(sail::Loop& loop, sail::PowerControl control, PowerDone done)
      : loop_(loop), control_(std::move(control)), done_(std::move(done)) {}

  // Disks may be slow.
  void begin(sail::PowerOrder order) {
    const auto password = std::make_shared<sail::Result<std::string>>();
    pending_ = sail::in_background(
        loop_, [password, path = control_.password_file] { *password = read_password(path); },
        [this, password, order] {
          if (!*password) return finish(password->error());
          exchange_.emplace(order, **password);
          connect();
        });
  }

 private:
  // May destroy this.
  void finish(sail::Result<sail::PowerState> result) {
    const PowerDone done = std::exchange(done_, nullptr);
    if (!result) {
      result = sail::fail(result.error().code,
                          fmt::format("projector {}: {}", control_.pjlink, result.error().message));
    }
    done(result);
  }
  void connect() {
    pending_ = sail::TcpConnection::connect(loop_, {control_.pjlink, control_.port},
                                            [this](auto connected) {
                                              if (!connected) return finish(connected.error());
                                              connection_ = *std::move(connected);
                                              connection_->start_reading(*this);
                                            },
                                            {.tls = sail::TlsUse::kNever});
  }

  std::span<uint8_t> read_buffer() override { return buffer_; }
  void on_read(size_t bytes) override {
    const std::string answer =
        exchange_->take({reinterpret_cast<const char*>(buffer_.data()), bytes});
    if (!answer.empty()) {
      connection_->write_copy({reinterpret_cast<const uint8_t*>(answer.data()), answer.size()});
    }
    if (!exchange_->result()) return;
    connection_->stop_reading();
    finish(*exchange_->result());
  }
  void on_closed(const sail::Error& error) override { finish(error); }

  sail::Loop& loop_;
  const sail::PowerControl control_;
  PowerDone done_;
  std::shared_ptr<void> pending_;
  std::optional<PjlinkExchange> exchange_;
  std::array<uint8_t, PjlinkExchange::kMaxLine> buffer_{};
  std::unique_ptr<sail::TcpConnection> connection_;
};

}  // namespace

std::shared_ptr<void> ask_projector(sail::Loop& loop, const sail::PowerControl& control,
                                    sail::PowerOrder order, PowerDone done) {
  auto run = std::make_shared<ProjectorRun>(loop, control, std::move(done));
  run->begin(order);
  return run;
}

}  // namespace receiver
