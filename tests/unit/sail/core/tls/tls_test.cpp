// TLS under TcpConnection: transport of data, and peers that it must reject.
#include "sail/core/tls/tls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/ssl.h>

#include <algorithm>

#include "tests/unit/sail/core/socket/tcp_support.h"

namespace sail {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

constexpr TlsUse kTls = TlsUse::kAlways;
constexpr TlsUse kRaw = TlsUse::kAsItComes;
constexpr const char* kRefusal = "TLS is spoken here\n";
// Larger than all buffers of a connection together, and an odd number.
constexpr size_t kMuch = 3'000'017;

std::vector<uint8_t> pattern(size_t size, uint32_t seed) {
  std::vector<uint8_t> bytes(size);
  for (uint8_t& byte : bytes)
    byte = static_cast<uint8_t>((seed = seed * 1664525 + 1013904223) >> 24);
  return bytes;
}

class TlsTest : public testing::Test {
 protected:
  // Reads incoming bytes at once: the handshake needs a reader.
  void listen(TlsUse use) {
    auto listening = TcpListener::listen(loop_, kAnyPort,
                                         [this](auto accepted) {
                                           server_ = std::move(accepted);
                                           at_server_.closed.reset();
                                           server_->start_reading(at_server_);
                                         },
                                         {}, {.tls = use, .refusal = kRefusal});
    ASSERT_TRUE(listening);
    listener_ = *std::move(listening);
  }
  Result<std::unique_ptr<TcpConnection>> connect(const TcpConnection::ConnectOptions& options) {
    std::optional<Result<std::unique_ptr<TcpConnection>>> result;
    const auto guard = TcpConnection::connect(
        loop_, listener_->address(), [&](auto connected) { result = std::move(connected); },
        options);
    EXPECT_TRUE(run_until(loop_, [&] { return result.has_value(); }));
    return *std::move(result);
  }
  void connect_both(size_t piece = 65536) {
    at_server_ = Collector(piece);
    at_client_ = Collector(piece);
    listen(kTls);
    auto connected = connect({.tls = kTls});
    ASSERT_TRUE(connected) << connected.error().message;
    client_ = *std::move(connected);
    client_->start_reading(at_client_);
  }
  // Sends pieces of odd sizes, some empty, of several parts each. The bytes must outlive the call.
  void send_in_pieces(TcpConnection& to, std::span<const uint8_t> bytes) {
    constexpr size_t kSizes[] = {1, 16384, 70001, 5, 16383, 0, 16385, 333};
    for (size_t i = 0; !bytes.empty(); ++i) {
      std::array<std::span<const uint8_t>, 3> parts;
      for (size_t part = 0; part < parts.size(); ++part) {
        const size_t size = std::min(kSizes[(i + part) % std::size(kSizes)], bytes.size());
        parts[part] = bytes.first(size);
        bytes = bytes.subspan(size);
      }
      ++writes_;
      to.write(parts, [this](bool written) { written ? ++written_ : ++unwritten_; });
    }
  }

  Loop loop_;
  Collector at_server_;
  Collector at_client_;
  std::unique_ptr<TcpListener> listener_;
  std::unique_ptr<TcpConnection> server_;
  std::unique_ptr<TcpConnection> client_;
  size_t writes_ = 0;
  size_t written_ = 0;
  size_t unwritten_ = 0;
};

TEST_F(TlsTest, BringsEverythingThroughBothWays) {
  for (const size_t piece : {size_t{777}, size_t{65536}}) {
    connect_both(piece);
    const std::vector<uint8_t> forth = pattern(kMuch, 1);
    const std::vector<uint8_t> back = pattern(kMuch, 2);
    send_in_pieces(*client_, forth);
    send_in_pieces(*server_, back);
    EXPECT_GT(client_->unsent_bytes(), 0U);
    ASSERT_TRUE(run_until(loop_, [&] {
      return at_server_.bytes.size() >= kMuch && at_client_.bytes.size() >= kMuch &&
             written_ == writes_;
    }));
    EXPECT_TRUE(at_server_.bytes == forth);
    EXPECT_TRUE(at_client_.bytes == back);
    EXPECT_EQ(client_->unsent_bytes(), 0U);
    EXPECT_EQ(unwritten_, 0U);
  }
}

TEST_F(TlsTest, SharedTextIsKeptUntilItIsSent) {
  connect_both();
  const SharedText parts[] = {share(std::string(kMuch, 'a')), share("b")};
  client_->write_shared(parts);
  client_->write_shared(std::span(parts).last(1));
  EXPECT_GT(parts[0].use_count(), 1) << "it was not copied";
  ASSERT_TRUE(run_until(loop_, [&] {
    return at_server_.bytes.size() == kMuch + 2 && parts[0].use_count() == 1 &&
           parts[1].use_count() == 1;
  }));
  EXPECT_EQ(at_server_.text(), *parts[0] + "bb");
}

TEST_F(TlsTest, WhoPausesLosesNothing) {
  connect_both(1000);
  const std::vector<uint8_t> much = pattern(kMuch, 3);
  size_t pauses = 0;
  at_server_.then = [&] {
    server_->stop_reading();
    ++pauses;
  };
  send_in_pieces(*client_, much);
  ASSERT_TRUE(run_until(loop_, [&] {
    if (pauses > 0) server_->start_reading(at_server_);
    if (pauses > 20) at_server_.then = nullptr;
    return at_server_.bytes.size() == kMuch;
  }));
  EXPECT_TRUE(at_server_.bytes == much);
}

TEST_F(TlsTest, WhatWaitsDoesNotTakeTheMemoryOfItsCiphertext) {
  connect_both();
  server_->stop_reading();
  const std::vector<uint8_t> much = pattern(64 << 20, 4);
  const std::span<const uint8_t> whole(much);
  client_->write({&whole, 1}, [this](bool) { ++written_; });
  run_some(loop_);
  // The system has some bytes, our buffers hold half a megabyte, and the rest is untouched.
  EXPECT_EQ(written_, 0U);
  EXPECT_GT(client_->unsent_bytes(), much.size() / 2);
}

TEST_F(TlsTest, ClosingAfterWritesBringsTheLastByte) {
  connect_both();
  const std::vector<uint8_t> much = pattern(kMuch, 5);
  send_in_pieces(*client_, much);
  TcpConnection::close_after_writes(std::move(client_), kTestDeadlineMs);
  ASSERT_TRUE(run_until(loop_, [&] { return at_server_.closed.has_value(); }));
  EXPECT_TRUE(at_server_.bytes == much);
  EXPECT_EQ(at_server_.closed->code, ErrorCode::kUnavailable);
  EXPECT_EQ(written_, writes_);
}

TEST_F(TlsTest, WhoeverClosesAtOnceTellsItsOwnWritersAndThePeer) {
  for (const bool client_first : {true, false}) {
    writes_ = written_ = unwritten_ = 0;
    connect_both();
    const std::vector<uint8_t> much = pattern(64 << 20, 6);
    auto& closing = client_first ? client_ : server_;
    (client_first ? server_ : client_)->stop_reading();
    send_in_pieces(*closing, much);
    run_some(loop_);
    closing.reset();
    ASSERT_TRUE(run_until(loop_, [&] { return written_ + unwritten_ == writes_; }));
    EXPECT_GT(unwritten_, 0U);
    Collector& other = client_first ? at_server_ : at_client_;
    (client_first ? server_ : client_)->start_reading(other);
    EXPECT_TRUE(run_until(loop_, [&] { return other.closed.has_value(); }));
    client_.reset();
    server_.reset();
  }
}

TEST_F(TlsTest, BothEndsHaveTheSameBindingAndNoOtherSessionHasIt) {
  connect_both();
  EXPECT_EQ(client_->binding().size(), 64U);
  EXPECT_EQ(client_->binding(), server_->binding());
  const std::string first = client_->binding();
  const auto former = std::move(client_);
  connect_both();
  EXPECT_NE(client_->binding(), first);
}

TEST_F(TlsTest, OnlyTheCertificateThatWasToldIsTaken) {
  listen(kTls);
  EXPECT_TRUE(connect({.tls = kTls, .certificate = TcpListener::fingerprint(loop_)}));
  const auto other = connect({.tls = kTls, .certificate = std::string(64, '0')});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::kUnauthorized);
  EXPECT_THAT(other.error().message, HasSubstr("unexpected certificate"));
  const auto none = connect({.tls = kTls, .certificate = ""});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kUnauthorized);
}

TEST_F(TlsTest, EveryProcessHasACertificateOfItsOwn) {
  EXPECT_NE(TlsContext().fingerprint(), TlsContext().fingerprint());
}

TEST_F(TlsTest, WhoSpeaksWithoutIsToldWhyAndHeardNoMore) {
  listen(kTls);
  auto plain = connect({.tls = TlsUse::kNever});
  ASSERT_TRUE(plain);
  (*plain)->start_reading(at_client_);
  (*plain)->write_copy(as_bytes("hello\n"));
  ASSERT_TRUE(run_until(loop_, [&] { return at_client_.closed && at_server_.closed; }));
  EXPECT_EQ(at_client_.text(), kRefusal);
  EXPECT_EQ(at_server_.text(), "");
  EXPECT_EQ(at_server_.closed->code, ErrorCode::kUnauthorized);
  EXPECT_THAT(at_server_.closed->message, HasSubstr("needs TLS"));
}

TEST_F(TlsTest, NothingIsSaidInClearToWhoHasSaidNothing) {
  listen(kTls);
  auto plain = connect({.tls = TlsUse::kNever});
  ASSERT_TRUE(plain);
  (*plain)->start_reading(at_client_);
  ASSERT_TRUE(run_until(loop_, [&] { return server_ != nullptr; }));
  server_->write({}, [this](bool written) { written ? ++written_ : ++unwritten_; });
  server_->write_copy(as_bytes("a secret"));
  ASSERT_TRUE(run_until(loop_, [&] { return unwritten_ == 1; }));
  server_.reset();
  ASSERT_TRUE(run_until(loop_, [&] { return at_client_.closed.has_value(); }));
  EXPECT_EQ(at_client_.text(), "");
}

TEST_F(TlsTest, WithinThisHostAListenerTakesBoth) {
  for (const TlsUse use : {TlsUse::kNever, kTls}) {
    at_server_ = Collector();
    listen(TlsUse::kOffLoopback);
    auto made = connect({.tls = use});
    ASSERT_TRUE(made);
    (*made)->write_copy(as_bytes("hello"));
    EXPECT_TRUE(run_until(loop_, [&] { return at_server_.text() == "hello"; }));
    EXPECT_EQ((*made)->binding().empty(), use != kTls);
  }
}

// ---- bytes that are not a handshake, or not its continuation ----

class TlsGarbageTest : public TlsTest, public testing::WithParamInterface<std::string> {};

TEST_P(TlsGarbageTest, EndsTheConnection) {
  listen(kTls);
  auto raw = connect({.tls = kRaw});
  ASSERT_TRUE(raw);
  (*raw)->write_copy(as_bytes(GetParam()));
  ASSERT_TRUE(run_until(loop_, [&] { return at_server_.closed.has_value(); }));
  EXPECT_THAT(at_server_.closed->code, AnyOf(ErrorCode::kUnauthorized, ErrorCode::kLimit));
  EXPECT_EQ(at_server_.text(), "");
}

INSTANTIATE_TEST_SUITE_P(
    Garbage, TlsGarbageTest,
    testing::Values(std::string("\x16what is this, and what comes then?"),
                    std::string("\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00 and so on", 19),
                    // An endless handshake: records of one byte each, of a message of 16 MB.
                    [] {
                      std::string text("\x16\x03\x01\x00\x04\x01\xff\xff\xff", 9);
                      for (int i = 0; i < 20000; ++i)
                        text += std::string("\x16\x03\x01\x00\x01x", 6);
                      return text;
                    }()));

TEST_F(TlsTest, HalfAHandshakeIsWaitedForAndItsEndIsHeard) {
  listen(kTls);
  auto raw = connect({.tls = kRaw});
  ASSERT_TRUE(raw);
  (*raw)->write_copy(as_bytes(std::string_view("\x16\x03\x01", 3)));
  run_some(loop_);
  EXPECT_FALSE(at_server_.closed);
  raw->reset();
  ASSERT_TRUE(run_until(loop_, [&] { return at_server_.closed.has_value(); }));
  EXPECT_EQ(at_server_.closed->code, ErrorCode::kUnavailable);
}

TEST_F(TlsTest, AListenerWithoutTlsIsLeft) {
  listen(kRaw);
  at_server_.then = [this] { server_->write_copy(as_bytes("{\"jsonrpc\":\"2.0\"}\n")); };
  const auto refused = connect({.tls = kTls});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnauthorized);
  EXPECT_THAT(refused.error().message, HasSubstr("TLS 1.3"));
  at_server_ = Collector();  // sends nothing
  const auto silent = connect({.timeout_ms = 50, .tls = kTls});
  ASSERT_FALSE(silent);
  EXPECT_EQ(silent.error().code, ErrorCode::kTimeout);
}

// First message of a client that supports at most TLS 1.2.
std::string old_client_hello() {
  SSL_CTX* settings = SSL_CTX_new(TLS_client_method());
  SSL_CTX_set_max_proto_version(settings, TLS1_2_VERSION);
  SSL* session = SSL_new(settings);
  BIO* sent = BIO_new(BIO_s_mem());
  SSL_set_bio(session, BIO_new(BIO_s_mem()), sent);
  SSL_set_connect_state(session);
  SSL_do_handshake(session);
  const char* bytes = nullptr;
  const auto size = static_cast<size_t>(BIO_get_mem_data(sent, &bytes));
  std::string text(bytes, size);
  SSL_free(session);
  SSL_CTX_free(settings);
  return text;
}

TEST_F(TlsTest, AnOlderTlsIsRefused) {
  listen(kTls);
  auto raw = connect({.tls = kRaw});
  ASSERT_TRUE(raw);
  (*raw)->start_reading(at_client_);
  (*raw)->write_copy(as_bytes(old_client_hello()));
  ASSERT_TRUE(run_until(loop_, [&] { return at_server_.closed && at_client_.closed; }));
  EXPECT_EQ(at_server_.closed->code, ErrorCode::kUnauthorized);
  EXPECT_THAT(at_server_.closed->message, HasSubstr("unsupported protocol"));
  // A TLS alert: "protocol version".
  EXPECT_THAT(at_client_.text(), testing::StartsWith("\x15\x03"));
  EXPECT_THAT(at_client_.text(), testing::EndsWith("\x02\x46"));
}

// ---- modified bytes ----

// Forwards bytes and changes the one at `spoilt`.
struct Wire : TcpReader {
  std::span<uint8_t> read_buffer() override { return buffer; }
  void on_read(size_t count) override {
    if (passed <= spoilt && spoilt < passed + count) buffer[spoilt - passed] ^= 1;
    passed += count;
    to->write_copy(std::span(buffer).first(count));
  }
  void on_closed(const Error&) override {}

  std::vector<uint8_t> buffer = std::vector<uint8_t>(65536);
  TcpConnection* to = nullptr;
  size_t spoilt = SIZE_MAX;
  size_t passed = 0;
};

class TlsWireTest : public TlsTest {
 protected:
  // Connects client_ through two wires.
  void connect_by_wire() {
    listen(kTls);
    far_ = *connect({.tls = kRaw});
    auto between = TcpListener::listen(loop_, kAnyPort,
                                       [this](auto accepted) {
                                         near_ = std::move(accepted);
                                         forth_.to = far_.get();
                                         back_.to = near_.get();
                                         near_->start_reading(forth_);
                                         far_->start_reading(back_);
                                       },
                                       {}, {.tls = kRaw});
    ASSERT_TRUE(between);
    const auto guard = TcpConnection::connect(
        loop_, (*between)->address(), [this](auto connected) { client_ = *std::move(connected); },
        {.tls = kTls});
    ASSERT_TRUE(run_until(loop_, [&] { return client_ != nullptr; }));
    client_->start_reading(at_client_);
    client_->write_copy(as_bytes("good"));
    ASSERT_TRUE(run_until(loop_, [&] { return at_server_.text() == "good"; }));
  }

  Wire forth_;
  Wire back_;
  std::unique_ptr<TcpConnection> near_;
  std::unique_ptr<TcpConnection> far_;
};

TEST_F(TlsWireTest, AChangedBitEndsTheSessionAndThePeerHearsWhy) {
  connect_by_wire();
  forth_.spoilt = forth_.passed + 8;
  client_->write_copy(as_bytes("more"));
  ASSERT_TRUE(run_until(loop_, [&] { return at_server_.closed && at_client_.closed; }));
  EXPECT_EQ(at_server_.closed->code, ErrorCode::kBadData);
  EXPECT_EQ(at_server_.text(), "good");
  EXPECT_THAT(at_client_.closed->message, HasSubstr("bad record mac"));
}

TEST_F(TlsWireTest, AnEndThatThePeerDidNotMakeIsSeen) {
  connect_by_wire();
  far_.reset();
  ASSERT_TRUE(run_until(loop_, [&] { return at_server_.closed.has_value(); }));
  EXPECT_EQ(at_server_.closed->code, ErrorCode::kUnavailable);
  EXPECT_THAT(at_server_.closed->message, HasSubstr("without a TLS close"));
}

TEST_F(TlsWireTest, WhoLeavesWithNothingUnsentSaysSo) {
  connect_by_wire();
  client_.reset();
  ASSERT_TRUE(run_until(loop_, [&] { return at_server_.closed.has_value(); }));
  EXPECT_EQ(at_server_.closed->code, ErrorCode::kUnavailable);
  EXPECT_THAT(at_server_.closed->message, HasSubstr("the peer closed"));
}

}  // namespace
}  // namespace sail
