// The blocking client: which failures to connect mean that nothing is there.
#include "sail/core/rpc/rpc_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <thread>

#include "tests/support/environment_variable.h"
#include "tests/unit/sail/core/socket/tcp_support.h"

namespace sail {
namespace {

// Another program, on a thread of its own: it answers every connection, and speaks no TLS.
class OtherProgram {
 public:
  OtherProgram() {
    std::promise<Address> listening;
    auto address = listening.get_future();
    thread_ = std::thread([this, &listening] { run(listening); });
    address_ = address.get();
  }
  ~OtherProgram() {
    loop_.post([this] { loop_.stop(); });
    thread_.join();
  }
  OtherProgram(const OtherProgram&) = delete;
  OtherProgram& operator=(const OtherProgram&) = delete;

  const Address& address() const { return address_; }

 private:
  void run(std::promise<Address>& listening) {
    std::unique_ptr<TcpConnection> accepted;
    Collector collector;
    const auto listener = TcpListener::listen(loop_, kAnyPort,
                                              [&](auto connection) {
                                                accepted = std::move(connection);
                                                accepted->start_reading(collector);
                                                accepted->write_copy(as_bytes("HTTP/1.1 400\r\n"));
                                              },
                                              {}, {.tls = TlsUse::kAsItComes});
    ASSERT_TRUE(listener);
    listening.set_value((*listener)->address());
    loop_.run();
  }

  Loop loop_;
  Address address_;
  std::thread thread_;
};

TEST(RpcClient, AnotherProgramIsNotAMissingManager) {
  const test::EnvironmentVariable tls("VITRAIL_TLS", "always");
  const OtherProgram other;
  const auto client = RpcClient::connect(other.address(), {.advice = ": start one"});
  ASSERT_FALSE(client);
  EXPECT_EQ(client.error().code, ErrorCode::kUnauthorized);
  EXPECT_THAT(client.error().message, testing::HasSubstr("Another program"));
  EXPECT_THAT(client.error().message, testing::Not(testing::HasSubstr("start one")));
}

TEST(RpcClient, AMissingManagerIsToBeStarted) {
  const auto client = RpcClient::connect({"127.0.0.1", 1}, {.advice = ": start one"});
  ASSERT_FALSE(client);
  EXPECT_EQ(client.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(client.error().message, testing::EndsWith(": start one"));
}

}  // namespace
}  // namespace sail
