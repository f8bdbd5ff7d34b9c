#include "sail/core/socket/tcp.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <random>
#include <tuple>
#include <vector>

#include "tests/support/temp_folder.h"
#include "tests/unit/sail/core/socket/tcp_support.h"

namespace sail {
namespace {

std::vector<uint8_t> random_bytes(size_t count) {
  std::mt19937 random(static_cast<uint32_t>(count));
  std::vector<uint8_t> bytes(count);
  std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<uint8_t>(random()); });
  return bytes;
}

// Two ends of a connection on one loop.
class Tcp : public testing::Test {
 protected:
  void connect() {
    std::tie(client_, server_) = connect_pair(loop_);
    ASSERT_TRUE(client_ && server_);
  }
  // Writes until the system accepts no more, so that further writes must wait.
  void fill() {
    static const std::vector<uint8_t> kChunk(1 << 20);
    const std::span<const uint8_t> part(kChunk);
    while (client_->unsent_bytes() == 0) client_->write({&part, 1}, nullptr);
  }

  Loop loop_;
  std::unique_ptr<TcpConnection> client_;
  std::unique_ptr<TcpConnection> server_;
};

TEST_F(Tcp, BothEndsKnowTheAddresses) {
  connect();
  EXPECT_EQ(client_->local_address(), server_->peer_address());
  EXPECT_EQ(client_->peer_address(), server_->local_address());
  EXPECT_EQ(client_->local_address().host, "127.0.0.1");
  EXPECT_NE(client_->local_address().port, 0);
}

TEST_F(Tcp, Ipv4PeersOfAnIpv6ListenerAreIpv4) {
  auto listening = TcpListener::listen(loop_, {"::", 0},
                                       [this](auto accepted) { server_ = std::move(accepted); });
  if (!listening) GTEST_SKIP() << "no IPv6 here: " << listening.error().message;
  const auto guard =
      TcpConnection::connect(loop_, {"127.0.0.1", (*listening)->address().port}, [](auto) {});
  ASSERT_TRUE(run_until(loop_, [this] { return server_ != nullptr; }));
  EXPECT_EQ(server_->peer_address().host, "127.0.0.1");
}

TEST_F(Tcp, ManyPartsArriveInOrderAtASlowReader) {
  connect();
  client_->set_buffer_sizes(16384);
  server_->set_buffer_sizes(16384);
  const std::vector<uint8_t> sent = random_bytes(6'000'000);
  // Writes of 0 to 40 parts with 0 to 60000 bytes each.
  std::mt19937 random(1);
  size_t at = 0;
  int writes = 0;
  std::vector<int> done;
  while (at < sent.size()) {
    std::vector<std::span<const uint8_t>> parts(random() % 41);
    for (auto& part : parts) {
      const size_t size = std::min<size_t>(random() % 60001, sent.size() - at);
      part = std::span(sent).subspan(at, size);
      at += size;
    }
    client_->write(parts, [&done, number = writes++](bool ok) {
      EXPECT_TRUE(ok);
      done.push_back(number);
    });
  }
  EXPECT_TRUE(done.empty()) << "a completion came inside write()";
  EXPECT_GT(client_->unsent_bytes(), 1'000'000U);

  Collector collector(4099);
  server_->start_reading(collector);
  ASSERT_TRUE(run_until(loop_, [&] {
    return collector.bytes.size() == sent.size() && done.size() == static_cast<size_t>(writes);
  }));
  EXPECT_TRUE(collector.bytes == sent);
  EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
  EXPECT_EQ(client_->unsent_bytes(), 0U);
}

TEST_F(Tcp, CopiedBytesMayGoAtOnce) {
  connect();
  std::string expected;
  for (int i = 0; i < 2000; ++i) {
    std::string line(static_cast<size_t>(i), static_cast<char>('a' + i % 26));
    client_->write_copy(as_bytes(line));
    expected += line;
    std::fill(line.begin(), line.end(), '?');
  }
  Collector collector;
  server_->start_reading(collector);
  ASSERT_TRUE(run_until(loop_, [&] { return collector.bytes.size() == expected.size(); }));
  EXPECT_EQ(std::string(collector.bytes.begin(), collector.bytes.end()), expected);
}

TEST_F(Tcp, SharedTextIsKeptUntilItIsSent) {
  connect();
  const SharedText parts[] = {share(std::string(3'000'000, 'a')), share("b")};
  for (int i = 0; i < 4; ++i) client_->write_shared(parts);
  EXPECT_GT(client_->unsent_bytes(), parts[0]->size());
  EXPECT_LT(client_->unsent_memory(), parts[0]->size()) << "four writes have one text";
  EXPECT_EQ(parts[1].use_count(), 5) << "it was not copied";
  Collector collector;
  server_->start_reading(collector);
  const std::string expected = *parts[0] + *parts[1];
  ASSERT_TRUE(run_until(loop_, [&] {
    return collector.bytes.size() == 4 * expected.size() && parts[1].use_count() == 1;
  }));
  EXPECT_EQ(collector.text(), expected + expected + expected + expected);
  client_->write_shared(parts);
  client_.reset();
  EXPECT_TRUE(run_until(loop_, [&] { return parts[0].use_count() == 1; }));
}

TEST_F(Tcp, BytesGoWhereTheReaderSays) {
  connect();
  struct Places : TcpReader {
    std::array<uint8_t, 3> header{};
    std::array<uint8_t, 5> body{};
    size_t filled = 0;
    std::span<uint8_t> read_buffer() override {
      if (filled < header.size()) return std::span(header).subspan(filled);
      return std::span(body).subspan(filled - header.size());
    }
    void on_read(size_t bytes) override { filled += bytes; }
    void on_closed(const Error&) override {}
  } places;
  server_->start_reading(places);
  client_->write_copy(as_bytes("abc12345"));
  ASSERT_TRUE(run_until(loop_, [&] { return places.filled == 8; }));
  EXPECT_EQ(std::string(places.header.begin(), places.header.end()), "abc");
  EXPECT_EQ(std::string(places.body.begin(), places.body.end()), "12345");
  server_->stop_reading();
}

TEST_F(Tcp, NothingIsReadBetweenStopAndStart) {
  connect();
  Collector first(1);
  first.then = [&] {
    if (first.bytes.size() == 3) server_->stop_reading();
  };
  server_->start_reading(first);
  client_->write_copy(as_bytes("abcdef"));
  ASSERT_TRUE(run_until(loop_, [&] { return first.bytes.size() == 3; }));
  client_.reset();
  run_some(loop_);
  EXPECT_THAT(first.bytes, testing::ElementsAre('a', 'b', 'c'));
  EXPECT_FALSE(first.closed);

  Collector second;
  server_->start_reading(second);
  ASSERT_TRUE(run_until(loop_, [&] { return second.closed.has_value(); }));
  EXPECT_THAT(second.bytes, testing::ElementsAre('d', 'e', 'f'));
  EXPECT_EQ(second.closed->code, ErrorCode::kUnavailable);
}

TEST_F(Tcp, ConnectionMayBeDestroyedInOnRead) {
  connect();
  Collector collector(1);
  collector.then = [&] { server_.reset(); };
  server_->start_reading(collector);
  client_->write_copy(as_bytes("abc"));
  ASSERT_TRUE(run_until(loop_, [&] { return !server_; }));
  run_some(loop_);
  EXPECT_THAT(collector.bytes, testing::ElementsAre('a'));
  EXPECT_FALSE(collector.closed);
}

TEST_F(Tcp, ConnectionMayBeDestroyedInOnClosed) {
  connect();
  Collector collector;
  collector.then = [&] { server_.reset(); };
  server_->start_reading(collector);
  client_.reset();
  ASSERT_TRUE(run_until(loop_, [&] { return !server_; }));
  EXPECT_EQ(collector.closed->code, ErrorCode::kUnavailable);
}

TEST_F(Tcp, CompletionsComeFalseAfterTheConnectionIsGone) {
  connect();
  fill();
  std::vector<bool> done;
  auto bytes = std::make_unique<std::vector<uint8_t>>(100'000);
  const std::span<const uint8_t> part(*bytes);
  for (int i = 0; i < 3; ++i) {
    client_->write({&part, 1}, [&](bool ok) {
      done.push_back(ok);
      if (done.size() == 3) bytes.reset();  // ASan detects a later access
    });
  }
  client_.reset();
  EXPECT_TRUE(done.empty()) << "a completion came inside the destructor";
  ASSERT_TRUE(run_until(loop_, [&] { return done.size() == 3; }));
  EXPECT_THAT(done, testing::Each(false));
}

TEST_F(Tcp, CompletionMayDestroyTheConnection) {
  connect();
  fill();
  int done = 0;
  const std::span<const uint8_t> part = as_bytes("abc");
  for (int i = 0; i < 3; ++i) {
    client_->write({&part, 1}, [&, text = std::string(100, 'x')](bool) {
      client_.reset();
      done += text[0] == 'x' ? 1 : 0;
    });
  }
  Collector collector;
  server_->start_reading(collector);
  EXPECT_TRUE(run_until(loop_, [&] { return done == 3; }));
}

TEST_F(Tcp, APeerThatGoesAwayEndsWritingWithoutKillingUs) {
  connect();
  Collector collector;
  client_->start_reading(collector);
  fill();
  std::optional<bool> done;
  const std::span<const uint8_t> part = as_bytes("abc");
  client_->write({&part, 1}, [&](bool ok) { done = ok; });
  server_.reset();
  ASSERT_TRUE(run_until(loop_, [&] { return done && collector.closed; }));
  EXPECT_FALSE(*done);

  // Further writes and reads are harmless.
  std::optional<bool> late;
  client_->write({&part, 1}, [&](bool ok) { late = ok; });
  client_->write_copy(part);
  EXPECT_FALSE(late) << "a completion came inside write()";
  Collector second;
  client_->start_reading(second);
  EXPECT_FALSE(second.closed) << "on_closed came inside start_reading()";
  ASSERT_TRUE(run_until(loop_, [&] { return late && second.closed; }));
  EXPECT_FALSE(*late);
}

TEST_F(Tcp, WritersHearOfTheEndThoughNobodyReads) {
  connect();
  server_.reset();
  const std::span<const uint8_t> part = as_bytes("abc");
  bool failed = false;
  EXPECT_TRUE(run_until(loop_, [&] {
    client_->write({&part, 1}, [&](bool ok) { failed = failed || !ok; });
    return failed;
  }));
}

TEST_F(Tcp, CloseAfterWritesSendsEverything) {
  connect();
  client_->set_buffer_sizes(16384);
  server_->set_buffer_sizes(16384);
  const std::vector<uint8_t> sent = random_bytes(3'000'000);
  const std::span<const uint8_t> part(sent);
  bool done = false;
  client_->write({&part, 1}, [&](bool ok) { done = ok; });
  ASSERT_GT(client_->unsent_bytes(), 0U);
  // Unread bytes at the closing end must not destroy bytes in flight to the other.
  server_->write_copy(as_bytes("nobody reads this"));
  TcpConnection::close_after_writes(std::move(client_), kTestDeadlineMs);
  Collector collector;
  server_->start_reading(collector);
  ASSERT_TRUE(run_until(loop_, [&] { return collector.closed.has_value(); }));
  EXPECT_TRUE(collector.bytes == sent);
  EXPECT_TRUE(done);
  EXPECT_EQ(collector.closed->code, ErrorCode::kUnavailable) << collector.closed->message;
}

TEST_F(Tcp, CloseAfterWritesEndsInTime) {
  connect();
  fill();
  std::optional<bool> done;
  const std::span<const uint8_t> part = as_bytes("abc");
  client_->write({&part, 1}, [&](bool ok) { done = ok; });
  TcpConnection::close_after_writes(std::move(client_), 10);
  ASSERT_TRUE(run_until(loop_, [&] { return done.has_value(); }));
  EXPECT_FALSE(*done);
}

TEST(TcpTeardown, TheLoopDropsWhatIsLeftUncalled) {
  const auto held = std::make_shared<int>(0);
  bool called = false;
  std::vector<uint8_t> bytes(8 << 20);
  const std::span<const uint8_t> part(bytes);
  {
    Loop loop;
    std::unique_ptr<TcpConnection> server;
    std::unique_ptr<TcpConnection> client;
    auto listening = TcpListener::listen(
        loop, kAnyPort, [&, held](auto accepted) { server = std::move(accepted); });
    auto guard = TcpConnection::connect(loop, (*listening)->address(),
                                        [&](auto connected) { client = std::move(*connected); });
    ASSERT_TRUE(run_until(loop, [&] { return client && server; }));
    client->write({&part, 1}, [&called, held](bool) { called = true; });
    ASSERT_GT(client->unsent_bytes(), 0U);
    server->write({&part, 1}, [&called, held](bool) { called = true; });
    TcpConnection::close_after_writes(std::move(server), 1000000);
    guard = TcpConnection::connect(loop, {"localhost", (*listening)->address().port},
                                   [&called, held](auto) { called = true; });
    client.reset();
  }
  EXPECT_FALSE(called);
  EXPECT_EQ(held.use_count(), 1);
}

// ---- connecting ----

using Connected = std::optional<Result<std::unique_ptr<TcpConnection>>>;

Connected connect_and_wait(Loop& loop, const Address& to,
                           int64_t timeout_ms = TcpConnection::kConnectTimeoutMs) {
  Connected connected;
  const auto guard =
      TcpConnection::connect(loop, to, [&](auto result) { connected.emplace(std::move(result)); },
                             {.timeout_ms = timeout_ms});
  EXPECT_FALSE(connected) << "the callback came inside connect()";
  EXPECT_TRUE(run_until(loop, [&] { return connected.has_value(); }));
  return connected;
}

// A port without a listener.
uint16_t free_port(Loop& loop) {
  return (*TcpListener::listen(loop, kAnyPort, [](auto) {}))->address().port;
}

TEST(TcpConnect, RefusedIsUnavailable) {
  Loop loop;
  const Address nobody{"127.0.0.1", free_port(loop)};
  const Connected connected = connect_and_wait(loop, nobody);
  ASSERT_FALSE(*connected);
  EXPECT_EQ(connected->error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(connected->error().message, testing::HasSubstr(address_text(nobody)));
  EXPECT_THAT(connected->error().message, testing::HasSubstr("connection refused"));
}

TEST(TcpConnect, UnknownHostIsNotFound) {
  Loop loop;
  const Connected connected = connect_and_wait(loop, {"no-such-host.invalid", 7440});
  ASSERT_FALSE(*connected);
  EXPECT_EQ(connected->error().code, ErrorCode::kNotFound);
  EXPECT_THAT(connected->error().message, testing::HasSubstr("no-such-host.invalid:7440"));
}

TEST(TcpConnect, TriesEveryAddressOfAName) {
  Loop loop;
  std::unique_ptr<TcpConnection> server;
  // localhost may resolve to ::1 first, where nothing listens.
  auto listening =
      TcpListener::listen(loop, kAnyPort, [&](auto accepted) { server = std::move(accepted); });
  const Connected connected = connect_and_wait(loop, {"localhost", (*listening)->address().port});
  ASSERT_TRUE(*connected) << connected->error().message;
  EXPECT_EQ((**connected)->peer_address(), (*listening)->address());
}

TEST(TcpConnect, DestroyingTheGuardCancels) {
  Loop loop;
  bool called = false;
  int accepted = 0;
  auto listening = TcpListener::listen(loop, kAnyPort, [&](auto) { ++accepted; });
  const uint16_t port = (*listening)->address().port;
  for (const char* host : {"127.0.0.1", "localhost", "no-such-host.invalid"}) {
    auto guard = TcpConnection::connect(loop, {host, port}, [&](auto) { called = true; });
    guard.reset();  // before anything started
    guard = TcpConnection::connect(loop, {host, port}, [&](auto) { called = true; });
    loop.post([&] { guard.reset(); });  // during lookup or connect
    ASSERT_TRUE(run_until(loop, [&] { return !guard; }));
  }
  run_some(loop);
  EXPECT_FALSE(called);
}

TEST(TcpConnect, CallbackMayDestroyTheGuard) {
  Loop loop;
  std::shared_ptr<void> guard;
  guard = TcpConnection::connect(loop, {"127.0.0.1", free_port(loop)},
                                 [&, text = std::string(100, 'x')](const auto& result) {
                                   EXPECT_FALSE(result);
                                   guard.reset();
                                   EXPECT_EQ(text.size(), 100U);
                                 });
  EXPECT_TRUE(run_until(loop, [&] { return !guard; }));
}

// A listening socket with a full backlog, which answers no more.
class FullListener {
 public:
  explicit FullListener(Loop& loop) : descriptor_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(bind(descriptor_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(listen(descriptor_, 0), 0);
    getsockname(descriptor_, reinterpret_cast<sockaddr*>(&address), &size);
    address_ = {"127.0.0.1", ntohs(address.sin_port)};
    while (!error_ && waiting_.size() < 10) {
      Connected connected = connect_and_wait(loop, address_, 200);
      if (*connected) {
        waiting_.push_back(std::move(**connected));
      } else {
        error_ = connected->error();
      }
    }
  }
  ~FullListener() { close(descriptor_); }
  FullListener(const FullListener&) = delete;
  FullListener& operator=(const FullListener&) = delete;

  const Address& address() const { return address_; }
  // Error of the first connection that did not fit.
  const std::optional<Error>& error() const { return error_; }
  void take_one() { close(accept(descriptor_, nullptr, nullptr)); }

 private:
  const int descriptor_;
  Address address_;
  std::vector<std::unique_ptr<TcpConnection>> waiting_;
  std::optional<Error> error_;
};

TEST(TcpConnect, GivesUpInTime) {
  Loop loop;
  const FullListener full(loop);
  ASSERT_TRUE(full.error());
  EXPECT_EQ(full.error()->code, ErrorCode::kTimeout);
}

TEST(TcpConnect, AMachineThatIsNotReachedIsGivenUpSooner) {
  Loop loop;
  const FullListener full(loop);
  Connected connected;
  const auto guard = TcpConnection::connect(
      loop, full.address(), [&](auto result) { connected.emplace(std::move(result)); },
      {.timeout_ms = 2 * kTestDeadlineMs, .reach_ms = 50});
  ASSERT_TRUE(run_until(loop, [&] { return connected.has_value(); }));
  ASSERT_FALSE(*connected);
  EXPECT_EQ(connected->error().code, ErrorCode::kTimeout);
}

TEST(TcpConnect, WhatTheSystemSendsAgainIsCounted) {
  Loop loop;
  const auto [client, server] = connect_pair(loop);
  EXPECT_EQ(client->counts().retransmitted, 0U);

  // The first SYN of this connection gets no answer.
  FullListener full(loop);
  std::unique_ptr<TcpConnection> late;
  const auto guard = TcpConnection::connect(loop, full.address(), [&](auto connected) {
    ASSERT_TRUE(connected) << connected.error().message;
    late = std::move(*connected);
  });
  run_some(loop);
  full.take_one();
  ASSERT_TRUE(run_until(loop, [&] { return late != nullptr; }));
  EXPECT_GE(late->counts().retransmitted, 1U);
}

// The peer's system acknowledges, although its program reads nothing.
TEST(TcpConnect, ThePeersSystemAcknowledgesWhatComes) {
  Loop loop;
  const auto [client, server] = connect_pair(loop);
  const uint64_t before = client->counts().acknowledged;
  const std::vector<uint8_t> bytes(1000);
  client->write_copy(bytes);
  EXPECT_TRUE(run_until(loop, [&sender = client] { return !sender->counts().unacknowledged; }));
  const TcpCounts counts = client->counts();
  EXPECT_GE(counts.acknowledged - before, bytes.size());
  EXPECT_GT(counts.round_trip_us, 0);
}

// ---- listening ----

TEST(TcpListen, OccupiedPortIsAConflict) {
  Loop loop;
  auto first = TcpListener::listen(loop, kAnyPort, [](auto) {});
  ASSERT_TRUE(first);
  const Address taken = (*first)->address();
  const auto second = TcpListener::listen(loop, taken, [](auto) {});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kConflict);
  EXPECT_EQ(second.error().message,
            "port " + std::to_string(taken.port) + " on 127.0.0.1 is in use");

  first->reset();
  EXPECT_TRUE(TcpListener::listen(loop, taken, [](auto) {})) << "the port is free at once";
}

TEST(TcpListen, WantsANumericAddressOfThisHost) {
  Loop loop;
  const auto name = TcpListener::listen(loop, {"localhost", 0}, [](auto) {});
  ASSERT_FALSE(name);
  EXPECT_EQ(name.error().code, ErrorCode::kInvalidParams);
  const auto foreign = TcpListener::listen(loop, {"192.0.2.1", 0}, [](auto) {});
  ASSERT_FALSE(foreign);
  EXPECT_EQ(foreign.error().code, ErrorCode::kIo);
}

TEST(PortFile, IsWhatScriptsWaitFor) {
  const TempFolder folder;
  ASSERT_TRUE(write_port_file(folder.file("port"), 7440));
  std::ifstream file(folder.file("port"));
  int port = 0;
  EXPECT_TRUE(file >> port);
  EXPECT_EQ(port, 7440);
  EXPECT_TRUE(write_port_file("", 7440)) << "nobody waits";
  const auto nowhere = write_port_file(folder.file("none/port"), 7440);
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().message, "cannot write " + folder.file("none/port"));
}

TEST(TcpListen, TakesManyAtOnce) {
  constexpr size_t kMany = 200;
  Loop loop;
  std::vector<std::unique_ptr<TcpConnection>> servers;
  std::vector<std::unique_ptr<TcpConnection>> clients;
  auto listening = TcpListener::listen(
      loop, kAnyPort, [&](auto accepted) { servers.push_back(std::move(accepted)); });
  ASSERT_TRUE(listening);
  std::vector<std::shared_ptr<void>> guards;
  for (size_t i = 0; i < kMany; ++i) {
    guards.push_back(TcpConnection::connect(loop, (*listening)->address(), [&](auto connected) {
      ASSERT_TRUE(connected) << connected.error().message;
      clients.push_back(std::move(*connected));
    }));
  }
  ASSERT_TRUE(run_until(loop, [&] { return clients.size() == kMany && servers.size() == kMany; }));

  // Bytes written to each connection arrive at its own peer.
  std::vector<std::unique_ptr<Collector>> collectors;
  for (auto& server : servers) {
    collectors.push_back(std::make_unique<Collector>());
    server->start_reading(*collectors.back());
  }
  for (auto& client : clients) client->write_copy(as_bytes("x"));
  EXPECT_TRUE(run_until(loop, [&] {
    return std::all_of(collectors.begin(), collectors.end(),
                       [](const auto& one) { return one->bytes.size() == 1; });
  }));
}

TEST(TcpListen, MayBeDestroyedInItsCallback) {
  Loop loop;
  std::unique_ptr<TcpListener> listener;
  auto listening = TcpListener::listen(loop, kAnyPort, [&, text = std::string(100, 'x')](auto) {
    listener.reset();
    EXPECT_EQ(text.size(), 100U);
  });
  listener = std::move(*listening);
  const Address at = listener->address();
  const auto a = TcpConnection::connect(loop, at, [](auto) {});
  const auto b = TcpConnection::connect(loop, at, [](auto) {});
  EXPECT_TRUE(run_until(loop, [&] { return !listener; }));
}

// Processor time of this process, in ms.
int64_t used_ms() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto ms = [](const timeval& time) {
    return int64_t{time.tv_sec} * 1000 + int64_t{time.tv_usec} / 1000;
  };
  return ms(usage.ru_utime) + ms(usage.ru_stime);
}

TEST(TcpListen, WithoutDescriptorsConnectionsWait) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer itself needs descriptors to look at memory";
#endif
  Loop loop;
  std::unique_ptr<TcpConnection> server;
  std::vector<std::string> starved;
  auto listening = TcpListener::listen(
      loop, kAnyPort, [&](auto accepted) { server = std::move(accepted); },
      [&](const Error& why) { starved.push_back(why.message); });
  // libuv opens a descriptor for itself with the first connection.
  ASSERT_TRUE(*connect_and_wait(loop, (*listening)->address()));
  ASSERT_TRUE(run_until(loop, [&] { return server != nullptr; }));
  server.reset();
  run_some(loop);

  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  const int next = dup(0);
  close(next);
  // One more for the connecting end, none for the accepted one.
  const rlimit scarce{static_cast<rlim_t>(next) + 1, before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &scarce);
  const Connected client = connect_and_wait(loop, (*listening)->address());
  const int64_t used_before_ms = used_ms();
  run_some(loop, 150);
  EXPECT_LT(used_ms() - used_before_ms, 100) << "it spins";
  EXPECT_FALSE(server);
  ASSERT_FALSE(starved.empty());
  EXPECT_EQ(starved[0], fmt::format("cannot accept connections: too many open files (limit {}: "
                                    "raise `ulimit -n`, or LimitNOFILE= of the systemd "
                                    "unit)",
                                    scarce.rlim_cur));
  setrlimit(RLIMIT_NOFILE, &before);
  ASSERT_TRUE(*client) << client->error().message;
  EXPECT_TRUE(run_until(loop, [&] { return server != nullptr; }));
}

}  // namespace
}  // namespace sail
