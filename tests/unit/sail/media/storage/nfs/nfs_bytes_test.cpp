// Misbehaving NFS servers; tests/e2e/films/test_nfs.py has a real one.
#include "sail/media/storage/nfs/nfs_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <string>
#include <thread>

#include "sail/media/storage/source_uri.h"

namespace sail {
namespace {

using testing::HasSubstr;

constexpr int64_t kNfsTimeoutMs = 3'600'000;

// Sends one text to each client; then closes the connection, or waits until the client does.
class Talker {
 public:
  Talker(std::string words, bool closes)
      : words_(std::move(words)), closes_(closes), thread_([this] { serve(); }) {}
  ~Talker() {
    ending_ = true;
    shutdown(listening_, SHUT_RDWR);
    thread_.join();
    close(listening_);
  }
  Talker(const Talker&) = delete;
  Talker& operator=(const Talker&) = delete;

  std::string film() const { return "nfs://127.0.0.1:" + std::to_string(port_) + "/films/film"; }
  int visits() const { return visits_; }

 private:
  void serve() {
    for (;;) {
      const int visitor = accept(listening_, nullptr, nullptr);
      if (ending_) return;
      ++visits_;
      char heard[4096];
      // Only after a request, so that the text is its answer.
      if (recv(visitor, heard, sizeof(heard), 0) > 0) {
        send(visitor, words_.data(), words_.size(), MSG_NOSIGNAL);
        while (!closes_ && recv(visitor, heard, sizeof(heard), 0) > 0) {
        }
      }
      close(visitor);
    }
  }
  uint16_t listen_somewhere() {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(at);
    auto* address = reinterpret_cast<sockaddr*>(&at);
    EXPECT_EQ(bind(listening_, address, size), 0);
    EXPECT_EQ(listen(listening_, 8), 0);
    EXPECT_EQ(getsockname(listening_, address, &size), 0);
    return ntohs(at.sin_port);
  }

  const std::string words_;
  const bool closes_;
  const int listening_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const uint16_t port_ = listen_somewhere();
  std::atomic<bool> ending_{false};
  std::atomic<int> visits_{0};
  std::thread thread_;
};

Error failure_of(const std::string& uri, int64_t silence_ms, const GiveUp& give_up = {}) {
  const FarTimeouts timeouts = {
      .failures = 3, .silence_ms = silence_ms, .pause_ms = 1, .most_pause_ms = 1};
  const auto opened = open_nfs(uri, give_up, timeouts);
  EXPECT_FALSE(opened);
  return opened ? Error{} : opened.error();
}

TEST(NfsBytes, NobodyListens) {
  const std::string film = Talker("", true).film();
  const Error error = failure_of(film, kNfsTimeoutMs);
  EXPECT_EQ(error.code, ErrorCode::kIo);
  EXPECT_THAT(error.message, HasSubstr("cannot open " + film + ": "));
  EXPECT_THAT(error.message, HasSubstr("refused"));
}

TEST(NfsBytes, AServerThatHangsUpIsAskedAgainAndThenGivenUp) {
  Talker talker("", true);
  EXPECT_EQ(failure_of(talker.film(), kNfsTimeoutMs).code, ErrorCode::kIo);
  EXPECT_EQ(talker.visits(), 3);
}

TEST(NfsBytes, SoIsOneThatIsSilent) {
  Talker talker("", false);
  const Error error = failure_of(talker.film(), 50);
  EXPECT_EQ(error.code, ErrorCode::kIo);
  EXPECT_THAT(error.message, HasSubstr("stopped responding"));
  EXPECT_EQ(talker.visits(), 3);
}

TEST(NfsBytes, NonsenseIsNoAnswer) {
  const std::string huge("\xff\xff\xff\xff", 4);
  const std::string unasked = std::string("\x80\x00\x00\x18", 4) + std::string(24, '?');
  for (const std::string& words :
       {huge, unasked, std::string(100'000, 'x'), std::string(4, '\0')}) {
    Talker talker(words, false);
    EXPECT_EQ(failure_of(talker.film(), 50).code, ErrorCode::kIo);
  }
}

TEST(NfsBytes, IsGivenUp) {
  Talker talker("", false);
  const Error error = failure_of(talker.film(), kNfsTimeoutMs, [&] { return talker.visits() > 0; });
  EXPECT_EQ(error.code, ErrorCode::kTimeout);
}

TEST(NfsBytes, AnAddressIsLookedAtBeforeAnybodyIsAsked) {
  EXPECT_EQ(open_bytes("nfs://store").error().code, ErrorCode::kInvalidParams);
  EXPECT_TRUE(is_far("nfs://store/films/film"));
}

}  // namespace
}  // namespace sail
