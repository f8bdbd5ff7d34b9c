// The HTTP server with handwritten clients: slow ones, leaving ones, too many.
#include "sail/apps/server/http/http_server.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <future>
#include <thread>
#include <utility>

#include "tests/support/loop_test.h"
#include "tests/support/temp_folder.h"

namespace server {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr size_t kFilmBytes = size_t{64} << 20;
constexpr int kSmallBuffer = 32 << 10;

char byte_at(uint64_t place) {
  return static_cast<char>(place % 251);
}

// Counts the bytes read; fails from a given offset on.
class Disk : public sail::ByteSource {
 public:
  struct Counts {
    std::atomic<uint64_t> bytes{0};
    std::atomic<uint64_t> broken_from{UINT64_MAX};
  };
  explicit Disk(Counts& counts) : counts_(counts) {}
  const std::string& name() const override { return name_; }
  sail::Result<uint64_t> size() const override { return kFilmBytes; }
  sail::Result<void> read(uint64_t offset, std::span<uint8_t> bytes) const override {
    if (offset >= counts_.broken_from) return sail::fail(sail::ErrorCode::kIo, "it is broken");
    counts_.bytes += bytes.size();
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(byte_at(offset + i));
    return {};
  }

 private:
  Counts& counts_;
  const std::string name_ = "disk";
};

class Client {
 public:
  explicit Client(const sail::Address& to) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &kSmallBuffer, sizeof kSmallBuffer);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(to.port);
    inet_pton(AF_INET, to.host.c_str(), &address.sin_addr);
    EXPECT_EQ(connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    const timeval wait_timeout{sail::kTestDeadlineMs / 1000, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &wait_timeout, sizeof wait_timeout);
    host_ = sail::address_text(to);
  }
  ~Client() { close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void say(const std::string& line, const std::string& headers = "") {
    const std::string text = line + " HTTP/1.1\r\nHost: " + host_ + "\r\n" + headers + "\r\n";
    EXPECT_EQ(send(socket_, text.data(), text.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(text.size()));
  }
  std::string head() {
    std::string head;
    while (!head.ends_with("\r\n\r\n")) {
      const std::string byte = read(1);
      if (byte.empty()) return head;
      head += byte;
    }
    return head;
  }
  std::string ask(const std::string& line, const std::string& headers = "") {
    say(line, headers);
    return head();
  }
  // Returns fewer bytes if the connection ends.
  std::string read(size_t count) {
    std::string bytes(count, '\0');
    size_t got = 0;
    while (got < count) {
      const ssize_t more = recv(socket_, &bytes[got], count - got, 0);
      if (more <= 0) break;
      got += static_cast<size_t>(more);
    }
    bytes.resize(got);
    return bytes;
  }

 private:
  const int socket_;
  std::string host_;
};

// The film server, without a catalogue and with a storage that can be full.
class FilmsForHttp : public FilmAccess {
 public:
  explicit FilmsForHttp(FilmFiles files) : files_(std::move(files)) {}

  const FilmFiles& files() const override { return files_; }
  void find(const std::string& title, Answer<CatalogueEntry> answer) override {
    if (title != "film.mp4" && title != "a&b.mp4" && title != "x;y.mp4") {
      return answer(sail::fail(sail::ErrorCode::kNotFound, "there is no film " + title));
    }
    answer(CatalogueEntry{
        .title = title,
        .stamp = {},
        .facts = FilmFacts{.size = {}, .codec = "h264", .duration_ns = 1'000'000'000},
        .tags = {}});
  }
  void poster(const std::string& title, Answer<std::string> answer) override {
    if (title == "film.mp4") return answer(std::string("a jpeg"));
    answer(
        sail::fail(title == "new.mp4" ? sail::ErrorCode::kUnavailable : sail::ErrorCode::kNotFound,
                   "there is none"));
  }
  sail::Result<Promise> reserve(const std::string& title, const FilmNeed& need) override {
    if (full && !need.best_effort) {
      return sail::fail(sail::ErrorCode::kBusy,
                        title + (need.mb_per_s > 60 ? " needs too much" : " needs little"));
    }
    ++promised;
    return Promise(new FilmNeed(need), [this](const FilmNeed* reserved) {
      --promised;
      delete reserved;
    });
  }

  std::atomic<bool> full{false};
  std::atomic<int> promised{0};

 private:
  const FilmFiles files_;
};

class HttpServerTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_.write("film.mp4", "what is read comes from the disk of the test");
  }
  void start(HttpOptions options = {}) {
    options.listen = {"127.0.0.1", 0};
    std::promise<void> listening;
    thread_ = std::thread([this, options, &listening] {
      server_ = std::move(
          HttpServer::start(loop_, access_, options, sail::Log("test", sail::LogLevel::kOff))
              .value());
      address_ = server_->address();
      listening.set_value();
      loop_.run();
      server_.reset();
      access_.files().storage->stop();
      loop_.stop();
      loop_.run();
    });
    listening.get_future().wait();
  }
  ~HttpServerTest() override {
    loop_.stop();
    if (thread_.joinable()) thread_.join();
  }
  // Runs on the server's thread.
  size_t films() {
    std::promise<size_t> films;
    loop_.post([&] { films.set_value(server_->films()); });
    return films.get_future().get();
  }
  static void wait_until(const std::function<bool()>& condition) {
    while (!condition()) std::this_thread::yield();
  }

  sail::TempFolder folder_;
  Disk::Counts disk_;
  FilmsForHttp access_{
      {Library::open(folder_.file("")).value(),
       FilmStorage::create([this](const auto&) { return std::make_unique<Disk>(disk_); })}};
  sail::Loop loop_;
  std::unique_ptr<HttpServer> server_;
  sail::Address address_;
  std::thread thread_;
};

TEST_F(HttpServerTest, AWholeFilmAndPartsOfItComeByOneConnection) {
  start();
  Client client(address_);
  const std::string all = client.ask("GET /film.mp4");
  EXPECT_THAT(all, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(all, HasSubstr("\r\nContent-Length: 67108864\r\n"));
  EXPECT_THAT(all, HasSubstr("\r\nAccept-Ranges: bytes\r\n"));
  EXPECT_THAT(all, HasSubstr("\r\nContent-Type: video/mp4\r\n"));
  const std::string film = client.read(kFilmBytes);
  ASSERT_EQ(film.size(), kFilmBytes);
  bool right = true;
  for (size_t i = 0; i < film.size(); ++i) right = right && film[i] == byte_at(i);
  EXPECT_TRUE(right);
  for (const auto& [range, offset, bytes] :
       {std::tuple("bytes=67000000-67108862", 67'000'000U, 108'863U), {"bytes=5-5", 5U, 1U}}) {
    EXPECT_THAT(client.ask("GET /film.mp4", std::string("Range: ") + range + "\r\n"),
                StartsWith("HTTP/1.1 206 Partial Content\r\n"));
    const std::string part = client.read(bytes);
    ASSERT_EQ(part.size(), bytes);
    EXPECT_EQ(part.front(), byte_at(offset));
    EXPECT_EQ(part.back(), byte_at(offset + bytes - 1));
  }
  EXPECT_THAT(client.ask("HEAD /film.mp4"), HasSubstr("\r\nContent-Length: 67108864\r\n"));
  EXPECT_THAT(client.ask("GET /film.mp4", "Range: bytes=67108864-\r\n"),
              HasSubstr("\r\nContent-Range: bytes */67108864\r\n"));
  wait_until([&] { return films() == 0; });
  EXPECT_EQ(access_.promised, 0);
}

TEST_F(HttpServerTest, AClientThatTakesNothingHasLittleRead) {
  start();
  Client slow(address_);
  EXPECT_THAT(slow.ask("GET /film.mp4"), StartsWith("HTTP/1.1 200 "));
  Client other(address_);
  EXPECT_THAT(other.ask("GET /film.mp4"), StartsWith("HTTP/1.1 200 "));
  EXPECT_EQ(other.read(kFilmBytes).size(), kFilmBytes);
  EXPECT_LT(disk_.bytes, kFilmBytes + kFilmBytes / 2) << "the system's buffers and four pieces";
  wait_until([&] { return films() == 1 && access_.promised == 1; });
}

TEST_F(HttpServerTest, AClientThatLeavesGivesItsPlaceBack) {
  start({.max_films = 1});
  {
    Client client(address_);
    EXPECT_THAT(client.ask("GET /film.mp4"), StartsWith("HTTP/1.1 200 "));
    Client other(address_);
    const std::string refused = other.ask("GET /film.mp4");
    EXPECT_THAT(refused, StartsWith("HTTP/1.1 503 "));
    EXPECT_THAT(refused, HasSubstr("\r\nRetry-After: "));
  }
  wait_until([&] { return films() == 0 && access_.promised == 0; });
  Client again(address_);
  EXPECT_THAT(again.ask("GET /film.mp4"), StartsWith("HTTP/1.1 200 "));
}

TEST_F(HttpServerTest, AClientThatTakesNothingForLongIsDisconnected) {
  start({.wait_timeout_s = 1});
  Client slow(address_);
  EXPECT_THAT(slow.ask("GET /film.mp4"), StartsWith("HTTP/1.1 200 "));
  wait_until([&] { return films() == 0 && access_.promised == 0; });
  EXPECT_LT(slow.read(kFilmBytes).size(), kFilmBytes);
}

TEST_F(HttpServerTest, WhatCannotBeReadEndsTheConnectionShort) {
  disk_.broken_from = kFilmBytes / 2;
  start();
  Client client(address_);
  EXPECT_THAT(client.ask("GET /film.mp4"), StartsWith("HTTP/1.1 200 "));
  const size_t got = client.read(kFilmBytes).size();
  EXPECT_LE(got, kFilmBytes / 2);
  wait_until([&] { return films() == 0 && access_.promised == 0; });
}

TEST_F(HttpServerTest, AFullStorageRefusesAFilmOrGivesItWhatIsLeft) {
  access_.full = true;
  start();
  Client client(address_);
  const std::string refused = client.ask("GET /film.mp4");
  EXPECT_THAT(refused, StartsWith("HTTP/1.1 503 "));
  Client body(address_);
  body.say("GET /film.mp4", "Connection: close\r\n");
  EXPECT_THAT(body.read(4096), HasSubstr("film.mp4 needs too much"));
  Client best_effort(address_);
  EXPECT_THAT(best_effort.ask("GET /film.mp4?best_effort"), StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(Client(address_).ask("HEAD /film.mp4"), StartsWith("HTTP/1.1 200 "))
      << "takes nothing from the storage";
}

TEST_F(HttpServerTest, APosterTakesNothingOfTheStorage) {
  access_.full = true;
  start();
  Client client(address_);
  const std::string head = client.ask("GET /film.mp4?poster");
  EXPECT_THAT(head, StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(head, HasSubstr("\r\nContent-Type: image/jpeg\r\n"));
  EXPECT_EQ(client.read(6), "a jpeg");
  const std::string later = Client(address_).ask("GET /new.mp4?poster");
  EXPECT_THAT(later, StartsWith("HTTP/1.1 503 "));
  EXPECT_THAT(later, HasSubstr("\r\nRetry-After: "));
  EXPECT_THAT(Client(address_).ask("GET /other.mp4?poster"), StartsWith("HTTP/1.1 404 "));
  EXPECT_EQ(disk_.bytes, 0U);
}

TEST_F(HttpServerTest, WhatIsNoFilmIsRefusedInWords) {
  start();
  const auto ask = [this](const std::string& line, const std::string& headers = "") {
    return Client(address_).ask(line, headers);
  };
  for (const char* path : {"/", "/other.mp4", "/../film.mp4/..", "/%2e%2e/film"}) {
    EXPECT_THAT(ask(std::string("GET ") + path),
                testing::MatchesRegex("HTTP/1.1 40[0-9] (.|\n|\r)*"))
        << path;
  }
  const std::string post = ask("POST /film.mp4", "Content-Length: 0\r\n");
  EXPECT_THAT(post, StartsWith("HTTP/1.1 405 "));
  EXPECT_THAT(post, HasSubstr("\r\nAllow: GET, HEAD\r\n"));
  EXPECT_THAT(ask("GET /film.mp4", "Origin: http://elsewhere\r\n"), StartsWith("HTTP/1.1 403 "));
  EXPECT_THAT(ask("GET /film.mp4"), StartsWith("HTTP/1.1 200 "));
}

TEST_F(HttpServerTest, APathMayHaveAmpersandsAndSemicolonsAsTheyAre) {
  for (const char* name : {"a&b.mp4", "x;y.mp4"}) folder_.write(name, "a film");
  start();
  for (const char* path :
       {"/a&b.mp4", "/x;y.mp4", "/a%26b.mp4", "/x%3By.mp4", "/x;y.mp4?x=1&y=2"}) {
    EXPECT_THAT(Client(address_).ask(std::string("HEAD ") + path), StartsWith("HTTP/1.1 200 "))
        << path;
  }
  EXPECT_THAT(Client(address_).ask("HEAD /a;c.mp4"), StartsWith("HTTP/1.1 404 "));
}

TEST_F(HttpServerTest, IdleConnectionsMakeRoom) {
  start({.max_films = 2, .max_idle = 4});
  std::vector<std::unique_ptr<Client>> idle;
  for (int i = 0; i < 40; ++i) idle.push_back(std::make_unique<Client>(address_));
  Client client(address_);
  EXPECT_THAT(client.ask("HEAD /film.mp4"), StartsWith("HTTP/1.1 200 "));
}

TEST_F(HttpServerTest, AKeyIsAskedForByDigest) {
  start({.key = {.name = "", .secret = "a secret of sixteen"}});
  Client client(address_);
  const std::string asked = client.ask("GET /film.mp4");
  EXPECT_THAT(asked, StartsWith("HTTP/1.1 401 "));
  EXPECT_THAT(asked, HasSubstr("\r\nWWW-Authenticate: Digest realm="));
  EXPECT_THAT(Client(address_).ask("GET /film.mp4?poster"), StartsWith("HTTP/1.1 401 "));
  EXPECT_EQ(disk_.bytes, 0U);
}

}  // namespace
}  // namespace server
