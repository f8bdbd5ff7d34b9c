#include "sail/apps/web/egress_proxy.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "sail/apps/web/socks_request.h"
#include "tests/support/http_server.h"

namespace sail {
namespace {

using namespace std::string_literals;

std::vector<uint8_t> bytes_of(const std::string& text) {
  return {text.begin(), text.end()};
}

TEST(SocksRequest, IsReadWhenItIsWhole) {
  const std::string request = "\x05\x01\x00\x03\x07vitrail\x1f\x90"s;
  for (size_t length = 0; length < request.size(); ++length) {
    const auto read = read_socks_request(bytes_of(request.substr(0, length)));
    ASSERT_TRUE(read) << length;
    EXPECT_FALSE(*read) << length;
  }
  const auto read = read_socks_request(bytes_of(request + "more"));
  ASSERT_TRUE(read && *read);
  EXPECT_EQ((*read)->host, "vitrail");
  EXPECT_EQ((*read)->port, 8080);
  EXPECT_EQ((*read)->bytes, request.size());
  const auto ipv4 = read_socks_request(bytes_of("\x05\x01\x00\x01\x0a\x00\x00\x07\x00\x50"s));
  EXPECT_EQ((*ipv4)->host, "10.0.0.7");
  const auto ipv6 =
      read_socks_request(bytes_of("\x05\x01\x00\x04"s + std::string(15, '\0') + "\x01\x00\x50"s));
  EXPECT_EQ((*ipv6)->host, "::1");
  const auto named = read_socks_request(bytes_of("\x05\x01\x00\x03\x03::1\x00\x50"s));
  EXPECT_EQ((*named)->host, "::1");
}

TEST(SocksRequest, IsRefusedWhenItIsNone) {
  EXPECT_FALSE(read_socks_greeting(bytes_of("GET / HTTP/1.1"s)));
  EXPECT_FALSE(read_socks_greeting(bytes_of("\x05\x01\x02"s))) << "with a password";
  EXPECT_EQ(read_socks_greeting(bytes_of("\x05\x02\x02\x00"s)).value_or(std::nullopt), 4U);
  EXPECT_FALSE(read_socks_request(bytes_of("\x04\x01"s)));
  EXPECT_FALSE(read_socks_request(bytes_of("\x05\x02"s))) << "to listen";
  EXPECT_FALSE(read_socks_request(bytes_of("\x05\x01\x00\x07\x00"s)));
  EXPECT_FALSE(read_socks_request(bytes_of("\x05\x01\x00\x03\x04\x61\x00\x62\x63\x00\x50"s)));
  EXPECT_FALSE(read_socks_request(bytes_of("\x05\x01\x00\x03\x00\x00\x50"s)));
}

TEST(EgressProxy, KnowsThisMachine) {
  for (const char* address : {"127.0.0.1", "127.3.2.1", "0.0.0.0", "::1", "::", "::ffff:127.0.0.1",
                              "169.254.169.254", "fe80::1", "localhost", "", "2130706433"}) {
    EXPECT_TRUE(is_near(address)) << address;
  }
  for (const char* address : {"192.0.2.1", "8.8.8.8", "::ffff:192.0.2.1", "2001:db8::1"}) {
    EXPECT_FALSE(is_near(address)) << address;
  }
}

// A connection of the browser, written by hand.
class Caller {
 public:
  explicit Caller(uint16_t proxy) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(proxy);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to), 0);
  }
  ~Caller() { close(socket_); }
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;

  void say(const std::string& bytes) {
    EXPECT_EQ(send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }
  // Returns this many bytes, or fewer if the connection closes.
  std::string hear(size_t count) {
    std::string heard;
    std::array<char, 65536> bytes{};
    while (heard.size() < count) {
      const ssize_t got =
          recv(socket_, bytes.data(), std::min(bytes.size(), count - heard.size()), 0);
      if (got <= 0) break;
      heard.append(bytes.data(), static_cast<size_t>(got));
    }
    return heard;
  }
  // Sends a SOCKS request. Returns the answer's status byte.
  int ask_for(const std::string& host, uint16_t port) {
    say("\x05\x01\x00"s);
    EXPECT_EQ(hear(2), "\x05\x00"s);
    say("\x05\x01\x00\x03"s + static_cast<char>(host.size()) + host + static_cast<char>(port >> 8) +
        static_cast<char>(port & 0xff));
    const std::string answer = hear(10);
    return answer.size() == 10 ? answer[1] : -1;
  }

 private:
  const int socket_;
};

struct Refusals {
  std::vector<std::string> get() {
    const std::lock_guard lock(mutex);
    return hosts;
  }
  std::mutex mutex;
  std::vector<std::string> hosts;
};

EgressProxy::OnRefused into(Refusals& refusals) {
  return [&refusals](const std::string& host) {
    const std::lock_guard lock(refusals.mutex);
    refusals.hosts.push_back(host);
  };
}

TEST(EgressProxy, NobodyReachesThisMachine) {
  test::HttpServer server([](const test::HttpRequest&) { return test::HttpAnswer{}; });
  Refusals refusals;
  const auto proxy = EgressProxy::start(is_near, into(refusals)).value();
  for (const char* host : {"127.0.0.1", "localhost", "::1", "0.0.0.0", "127.1"}) {
    EXPECT_EQ(Caller(proxy->port()).ask_for(host, server.port()), 5) << host;
  }
  EXPECT_TRUE(server.requests().empty());
  const auto refused = refusals.get();
  EXPECT_NE(std::ranges::find(refused, "localhost"), refused.end())
      << "names are refused for where they lead";
}

TEST(EgressProxy, BringsAllBytesBothWays) {
  const std::string film(5'000'000, 'x');
  test::HttpServer server([&film](const test::HttpRequest&) {
    test::HttpAnswer answer;
    answer.body = film;
    answer.then = test::HttpAnswer::Then::kClose;
    return answer;
  });
  const auto proxy = EgressProxy::start([](const std::string&) { return false; }, {}).value();
  Caller caller(proxy->port());
  ASSERT_EQ(caller.ask_for("127.0.0.1", server.port()), 0);
  caller.say("GET /film HTTP/1.1\r\n\r\n");
  const std::string answer = caller.hear(2 * film.size());
  EXPECT_GT(answer.size(), film.size());
  EXPECT_TRUE(answer.ends_with(film));
  EXPECT_EQ(server.requests().at(0).path, "/film");
}

TEST(EgressProxy, NonsenseEndsItsOwnConnection) {
  const auto proxy = EgressProxy::start([](const std::string&) { return false; }, {}).value();
  Caller stranger(proxy->port());
  stranger.say("GET / HTTP/1.1\r\n\r\n");
  EXPECT_EQ(stranger.hear(1), "");
  Caller eager(proxy->port());
  eager.say("\x05\x01\x00\x05\x01\x00\x03\x01\x61\x00\x50 and what follows"s);
  EXPECT_EQ(eager.hear(100), "\x05\x00"s) << "nothing is sent before there is a way";
  EXPECT_EQ(Caller(proxy->port()).ask_for("127.0.0.1", 1), 5) << "nobody listens there";
}

TEST(EgressProxy, ThoseWhoSayNothingKeepNobodyOut) {
  test::HttpServer server([](const test::HttpRequest&) { return test::HttpAnswer{}; });
  const auto proxy = EgressProxy::start([](const std::string&) { return false; }, {}).value();
  std::vector<std::unique_ptr<Caller>> silent;
  for (size_t i = 0; i < EgressProxy::kMaxBrowserConnections; ++i) {
    silent.push_back(std::make_unique<Caller>(proxy->port()));
  }
  EXPECT_EQ(Caller(proxy->port()).ask_for("127.0.0.1", server.port()), 0);
  EXPECT_EQ(silent.front()->hear(1), "") << "the oldest has gone";
}

}  // namespace
}  // namespace sail
