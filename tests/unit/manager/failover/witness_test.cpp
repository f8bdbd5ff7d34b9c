// The client of the witness, and the lease that managers compete for.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "manager/failover/etcd_client.h"
#include "manager/failover/witness_access.h"
#include "manager/failover/witness_lease.h"
#include "sail/core/text/limits.h"
#include "sail/core/time/clock.h"
#include "tests/support/fake_etcd.h"
#include "tests/support/loop_test.h"
#include "tests/support/temp_folder.h"

namespace manager {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;
using Term = Claim::Term;

constexpr const char* kEmptyObject =
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";

class WitnessTest : public testing::Test {
 protected:
  static bool held(const WitnessLease& lease) { return lease.state().held(sail::steady_now_ns()); }
  bool becomes(const std::function<bool()>& condition) { return run_until(loop, condition); }

  sail::Loop loop;
  test::FakeEtcd etcd;
};

TEST_F(WitnessTest, OneManagerHasTheLease) {
  auto first = std::make_unique<WitnessLease>(etcd.witness(), "hall");
  first->claim({.term = 1});
  ASSERT_TRUE(becomes([&] { return held(*first); }));
  EXPECT_EQ(first->state().term, 1U);
  EXPECT_EQ(etcd.value("/test/ruler"), "1");
  EXPECT_EQ(etcd.value("/test/term"), "1");
  first->claim({.term = 1, .kind = Term::kUnchanged});
  WitnessLease second(etcd.witness(), "hall");
  second.claim({.term = 2});
  ASSERT_TRUE(becomes([&] { return second.state().other_term == 1; }));
  EXPECT_FALSE(held(second));
  EXPECT_TRUE(held(*first));
  first.reset();
  ASSERT_TRUE(becomes([&] { return held(second); })) << "the first one has given it back";
  EXPECT_EQ(second.state().term, 2U);
  second.release();
  EXPECT_FALSE(held(second));
  ASSERT_TRUE(becomes([&] { return etcd.value("/test/ruler").empty(); }));
  EXPECT_EQ(etcd.value("/test/term"), "2") << "this one is for ever";
}

TEST_F(WitnessTest, AManagerThatIsKilledAndStartedAgainNeedNotWait) {
  WitnessLease killed(etcd.witness(), "hall");
  killed.claim({.term = 4, .kind = Term::kUnchanged});
  ASSERT_TRUE(becomes([&] { return held(killed); }));
  WitnessLease again(etcd.witness(), "hall");
  again.claim({.term = 4, .kind = Term::kResumed});
  ASSERT_TRUE(becomes([&] { return held(again); }));
  EXPECT_EQ(again.state().term, 4U);
  again.claim({.term = 4, .kind = Term::kUnchanged});
  ASSERT_TRUE(becomes([&] { return killed.state().other_term == 4; })) << "if it runs after all";
  EXPECT_FALSE(held(killed));
}

TEST_F(WitnessTest, ALeaseThatEndedIsClaimedAgain) {
  WitnessLease lease(etcd.witness(), "hall");
  lease.claim({.term = 1, .kind = Term::kUnchanged});
  ASSERT_TRUE(becomes([&] { return held(lease); }));
  etcd.end_leases();
  EXPECT_EQ(etcd.value("/test/ruler"), "");
  ASSERT_TRUE(becomes([&] { return etcd.value("/test/ruler") == "1"; }));
  etcd.put("/test/term", "2");
  etcd.end_leases();
  ASSERT_TRUE(becomes([&] { return lease.state().other_term == 2; })) << "it is outrun";
  EXPECT_FALSE(held(lease));
}

TEST_F(WitnessTest, OneThatIsAwayIsNamedUntilItIsBack) {
  WitnessLease lease(etcd.witness(), "hall");
  lease.claim({.term = 1});
  ASSERT_TRUE(becomes([&] { return held(lease); }));
  etcd.be_away(true);
  ASSERT_TRUE(becomes([&] { return !lease.state().trouble.empty(); }));
  EXPECT_THAT(lease.state().trouble,
              HasSubstr("the witness " + etcd.witness().text() + " does not answer: 127.0.0.1:"));
  ASSERT_TRUE(becomes([&] { return !held(lease); })) << "the lease has a limited life";
  etcd.be_away(false);
  ASSERT_TRUE(becomes([&] { return held(lease); }));
  EXPECT_EQ(lease.state().trouble, "");
}

TEST_F(WitnessTest, TheNewestReasonOfAServerIsNamed) {
  etcd.be_away(true);
  WitnessLease lease(etcd.witness(), "hall");
  lease.claim({.term = 1});
  ASSERT_TRUE(becomes([&] { return !lease.state().trouble.empty(); }));
  etcd.answer_always("HTTP/1.1 412 Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
  etcd.be_away(false);
  ASSERT_TRUE(becomes([&] { return lease.state().trouble.find("412") != std::string::npos; }));
}

TEST_F(WitnessTest, AnotherServerOfTheClusterIsAsked) {
  const test::FakeEtcd other;
  sail::Witness both = etcd.witness();
  both.servers.push_back(other.witness().servers[0]);
  etcd.be_away(true);
  EtcdClient client(both, "hall");
  EXPECT_FALSE(client.grant(3));
  EXPECT_TRUE(client.grant(3));
}

TEST_F(WitnessTest, AnotherServerIsAskedAfterAWrongAnswer) {
  test::FakeEtcd other;
  sail::Witness both = etcd.witness();
  both.servers.push_back(other.witness().servers[0]);
  etcd.answer_always(kEmptyObject);
  EtcdClient client(both, "hall");
  EXPECT_THAT(client.grant(3).error().message, StartsWith(both.servers[0] + ": a lease"));
  EXPECT_TRUE(client.grant(3));
  other.put("/test/ruler", "somebody else's");
  EXPECT_THAT(client.read().error().message,
              StartsWith(both.servers[1] + ": the key /test/ruler holds no term"));
  EXPECT_THAT(client.read().error().message, StartsWith(both.servers[0] + ": a transaction"));
}

TEST_F(WitnessTest, ServersThatAreAwayAreTriedBeforeTheLeaseEnds) {
  test::FakeEtcd second;
  test::FakeEtcd third;
  second.be_away(true);
  third.be_away(true);
  sail::Witness cluster = etcd.witness();
  cluster.servers.push_back(second.witness().servers[0]);
  cluster.servers.push_back(third.witness().servers[0]);
  WitnessLease lease(cluster, "hall");
  lease.claim({.term = 1});
  ASSERT_TRUE(becomes([&] { return held(lease); }));
  etcd.be_away(true);
  ASSERT_TRUE(becomes([&] { return !lease.state().trouble.empty(); }));
  etcd.be_away(false);
  bool always = true;
  ASSERT_TRUE(becomes([&] {
    always = always && held(lease);
    return lease.state().trouble.empty();
  }));
  EXPECT_TRUE(always);
}

TEST_F(WitnessTest, TheGreatestTermHasNoSuccessor) {
  etcd.put("/test/term", std::to_string(sail::kMaxCounter));
  WitnessLease lease(etcd.witness(), "hall");
  lease.claim({.term = 1});
  ASSERT_TRUE(becomes([&] { return !lease.state().trouble.empty(); }));
  EXPECT_THAT(lease.state().trouble,
              HasSubstr("cannot be used: the key /test/term holds the greatest term"));
  EXPECT_FALSE(held(lease));
}

TEST_F(WitnessTest, EachWallHasKeysOfItsOwn) {
  sail::Witness without_prefix = etcd.witness();
  without_prefix.prefix.clear();
  EtcdClient client(without_prefix, "hall");
  const auto stored = client.read();
  ASSERT_TRUE(stored);
  EXPECT_TRUE(client.put(7, client.grant(3).value_or(""), *stored).value_or(false));
  EXPECT_EQ(etcd.value("/vitrail/hall/ruler"), "7");
  EXPECT_FALSE(client.put(8, client.grant(3).value_or(""), *stored).value_or(true))
      << "the keys have changed";
}

TEST_F(WitnessTest, WrongAnswersAreErrors) {
  EtcdClient client(etcd.witness(), "hall");
  const auto answer = [&](const std::string& status, const std::string& body) {
    etcd.answer_always(
        fmt::format("HTTP/1.1 {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}", status,
                    body.size(), body));
  };
  for (const char* body : {"", "[]", "nonsense", "{}", R"({"ID":7})", R"({"ID":"x"})",
                           R"({"ID":"123456789012345678901"})"}) {
    answer("200 OK", body);
    EXPECT_FALSE(client.grant(3)) << body;
  }
  for (const char* body :
       {"{}", R"({"responses":[{},{}]})", R"({"responses":[{"response_range":{"kvs":7}},{}]})",
        R"({"responses":[{"response_range":{"kvs":[{"value":"!"}]}},{"response_range":{}}]})",
        R"({"responses":[{"response_range":{"kvs":[{"value":"MA=="}]}},{"response_range":{}}]})"}) {
    answer("200 OK", body);
    EXPECT_FALSE(client.read()) << body;
    EXPECT_FALSE(client.keep_alive("7")) << body;
  }
  answer("200 OK", '"' + std::string(65 << 10, 'x') + '"');
  EXPECT_THAT(client.grant(3).error().message, EndsWith(": the answer is longer than 64 KiB"));
  answer("503 Service Unavailable", R"({"error":"no leader"})");
  EXPECT_THAT(client.grant(3).error().message, HasSubstr("no leader"));
  answer("403 Forbidden", R"({"error":"permission denied"})");
  EXPECT_THAT(client.grant(3).error().message, HasSubstr("all keys /test/*"));
  answer("400 Bad Request", R"({"error":"user name is empty"})");
  EXPECT_THAT(client.grant(3).error().message, HasSubstr("$VITRAIL_WITNESS_USER"));
  answer("302 Found\r\nLocation: /elsewhere", "");
  EXPECT_THAT(client.grant(3).error().message, EndsWith(": status 302")) << "it is not followed";
  etcd.answer_always("");
  etcd.put("/test/term", "somebody else's");
  EXPECT_THAT(client.read().error().message, HasSubstr("a prefix of its own"));
}

TEST(WitnessPassword, IsOneLineOfAFileOfThisUser) {
  const sail::TempFolder folder;
  const std::string file = folder.write("password", "correct horse\n");
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  const sail::Witness secured{.servers = {"head3:2379"}, .tls = true};
  const WitnessAccess access{.user = "wall", .password_file = file};
  EXPECT_EQ(witness_password(secured, access), "correct horse");
  const auto in_clear = witness_password({.servers = {"head3:2379"}}, access);
  EXPECT_THAT(in_clear.error().message, HasSubstr("etcds://"));
  const auto missing = witness_password(secured, {.password_file = folder.file("missing")});
  EXPECT_EQ(missing.error().code, sail::ErrorCode::kIo);
  const auto other = witness_password(secured, {.password_file = folder.file("")});
  EXPECT_THAT(other.error().message, HasSubstr("is not a regular file"));
  folder.write("password", "\n");
  EXPECT_EQ(witness_password(secured, access).error().code, sail::ErrorCode::kInvalidParams);
  std::filesystem::permissions(file, std::filesystem::perms::all);
  EXPECT_EQ(witness_password(secured, access).error().code, sail::ErrorCode::kUnauthorized);
}

}  // namespace
}  // namespace manager
