// Film servers and disk servers on different machines: a man in the middle gains no access, and
// cannot change data unnoticed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "sail/core/auth/proof.h"
#include "sail/core/base/secret.h"
#include "sail/media/storage/ibp/disk_link.h"
#include "tests/support/between.h"
#include "tests/support/disk_server_thread.h"
#include "tests/support/environment_variable.h"
#include "tests/support/loop_test.h"
#include "tests/support/temp_folder.h"

namespace server {
namespace {

using sail::Between;
using sail::DiskLink;
using sail::TlsUse;
using testing::HasSubstr;

const sail::WallKey kDisksKey{"", "0123456789abcdef"};
constexpr size_t kPartBytes = 200'000;

class DiskBetweenTest : public testing::Test {
 protected:
  struct Asked {
    std::vector<uint8_t> room = std::vector<uint8_t>(kPartBytes);
    std::optional<sail::DiskAnswer> answer;
    bool whole() const { return answer && answer->outcome.received == kPartBytes; }
    std::string words() const {
      return answer->outcome.error ? answer->outcome.error->message : "";
    }
  };

  // Reads the part through a link to this address.
  Asked read_from(const sail::Address& address) {
    Asked asked;
    DiskLink link(loop_, address, {.key = kDisksKey, .silence_ms = 5000}, [] {});
    link.connect();
    const auto ticket = link.ask(sail::DiskRead{0, kPartBytes, "part"}, asked.room,
                                 [&](const auto& answer) { asked.answer = answer; });
    EXPECT_TRUE(run_until(loop_, [&] { return asked.answer.has_value(); }));
    return asked;
  }
  std::unique_ptr<sail::TcpConnection> connect() {
    std::unique_ptr<sail::TcpConnection> made;
    const auto guard = sail::TcpConnection::connect(
        loop_, disk_.address(), [&](auto connected) { made = *std::move(connected); });
    EXPECT_TRUE(run_until(loop_, [&] { return made != nullptr; }));
    return made;
  }

  const test::EnvironmentVariable tls_{"VITRAIL_TLS", "always"};
  const sail::TempFolder folder_;
  const std::string part_ = std::string(kPartBytes, 'x');
  const std::string file_ = folder_.write("part", part_);
  test::DiskServerThread disk_{DiskServerOptions{.folder = folder_.file(""), .key = kDisksKey}};
  sail::Loop loop_;
};

// Splits the received bytes into messages.
struct Messages : sail::TcpReader {
  std::span<uint8_t> read_buffer() override { return buffer; }
  void on_read(size_t count) override {
    bytes.insert(bytes.end(), buffer.begin(), buffer.begin() + static_cast<ptrdiff_t>(count));
  }
  void on_closed(const sail::Error&) override { closed = true; }
  std::optional<sail::DiskMessage> next() {
    if (bytes.size() < sail::kDiskHeaderBytes) return std::nullopt;
    const auto header =
        sail::decode_disk_header(std::span<const uint8_t>(bytes).first<sail::kDiskHeaderBytes>());
    if (!header || bytes.size() < sail::kDiskHeaderBytes + header->body_bytes) return std::nullopt;
    body = {bytes.begin() + sail::kDiskHeaderBytes,
            bytes.begin() + static_cast<ptrdiff_t>(sail::kDiskHeaderBytes + header->body_bytes)};
    bytes.erase(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(sail::kDiskHeaderBytes +
                                                                      header->body_bytes));
    return sail::decode_disk(header->type, body).value();
  }

  std::vector<uint8_t> buffer = std::vector<uint8_t>(4096);
  std::vector<uint8_t> bytes;
  std::vector<uint8_t> body;
  bool closed = false;
};

TEST_F(DiskBetweenTest, WhoStandsBetweenIsLeftBeforeAnythingIsProved) {
  EXPECT_TRUE(read_from(disk_.address()).whole());
  const Between between(loop_, disk_.address());
  const Asked asked = read_from(between.address());
  EXPECT_EQ(asked.answer->outcome.received, 0U);
  EXPECT_THAT(asked.words(), HasSubstr("different key"));
  const size_t ask_bytes = encode_disk(0, sail::DiskAsk{sail::random_word(), ""}).size();
  EXPECT_EQ(between.heard().size(), ask_bytes) << "no proof, and nothing that is to be read";
}

// Replays the client's proof of one session in another one.
TEST_F(DiskBetweenTest, AProofOfAnotherSessionIsRefused) {
  const auto first = connect();
  Messages heard;
  const sail::DiskAsk ask{sail::random_word(), ""};
  sail::ControlProof proof{kDisksKey, ask.nonce, "", first->binding()};
  first->start_reading(heard);
  first->write_copy(encode_disk(0, ask));
  std::optional<sail::DiskMessage> message;
  ASSERT_TRUE(run_until(loop_, [&] { return (message = heard.next()).has_value(); }));
  proof.listener_nonce = std::get<sail::DiskChallenge>(*message).nonce;
  const auto proved = encode_disk(0, sail::DiskProve{proof.of_peer("disk")});

  const auto second = connect();
  Messages refusal;
  second->start_reading(refusal);
  second->write_copy(encode_disk(0, ask));
  ASSERT_TRUE(run_until(loop_, [&] { return refusal.next().has_value(); }));
  second->write_copy(proved);
  EXPECT_TRUE(run_until(loop_, [&] { return refusal.closed; }));
  message = refusal.next();
  EXPECT_FALSE(message && std::holds_alternative<sail::DiskWelcome>(*message));

  first->write_copy(proved);
  ASSERT_TRUE(run_until(loop_, [&] { return (message = heard.next()).has_value(); }));
  EXPECT_TRUE(std::holds_alternative<sail::DiskWelcome>(*message)) << "in its own it is right";
}

TEST_F(DiskBetweenTest, ARequestWithoutANumberEndsTheConnection) {
  const auto client = connect();
  Messages heard;
  const sail::DiskAsk ask{sail::random_word(), ""};
  sail::ControlProof proof{kDisksKey, ask.nonce, "", client->binding()};
  client->start_reading(heard);
  client->write_copy(encode_disk(0, ask));
  std::optional<sail::DiskMessage> message;
  ASSERT_TRUE(run_until(loop_, [&] { return (message = heard.next()).has_value(); }));
  proof.listener_nonce = std::get<sail::DiskChallenge>(*message).nonce;
  client->write_copy(encode_disk(0, sail::DiskProve{proof.of_peer("disk")}));
  ASSERT_TRUE(run_until(loop_, [&] { return (message = heard.next()).has_value(); }));
  client->write_copy(encode_disk(0, sail::DiskRead{0, 8, "part"}));
  EXPECT_TRUE(run_until(loop_, [&] { return heard.closed; }));
  message = heard.next();
  ASSERT_TRUE(message && std::holds_alternative<sail::DiskFailed>(*message));
  EXPECT_THAT(std::get<sail::DiskFailed>(*message).text, HasSubstr("number"));
}

// All in one segment: messages after a pending store are answered too.
TEST_F(DiskBetweenTest, WritesRightBehindTheirStoreAreAnswered) {
  test::DiskServerThread open_to_all(DiskServerOptions{.folder = folder_.file("")});
  std::unique_ptr<sail::TcpConnection> connection;
  const auto guard = sail::TcpConnection::connect(
      loop_, open_to_all.address(), [&](auto connected) { connection = *std::move(connected); });
  ASSERT_TRUE(run_until(loop_, [&] { return connection != nullptr; }));
  const std::vector<uint8_t> bytes(100, 'y');
  std::vector<uint8_t> sent = encode_disk(0, sail::DiskAsk{});
  const auto send = [&](uint32_t number, const sail::DiskMessage& message) {
    const auto more = encode_disk(number, message);
    sent.insert(sent.end(), more.begin(), more.end());
  };
  send(1, sail::DiskStore{"new"});
  send(1, sail::DiskWrite{0, bytes});
  send(1, sail::DiskKeep{bytes.size()});
  send(2, sail::DiskStore{"part"});  // the part already exists
  send(2, sail::DiskWrite{0, bytes});
  Messages heard;
  connection->start_reading(heard);
  connection->write_copy(sent);
  int whole = 0;
  int failed = 0;
  for (int answers = 0; answers < 6; ++answers) {  // the first one is the welcome
    std::optional<sail::DiskMessage> message;
    ASSERT_TRUE(run_until(loop_, [&] { return (message = heard.next()).has_value(); })) << answers;
    const auto* stored = std::get_if<sail::DiskStored>(&*message);
    if (stored != nullptr && stored->whole) ++whole;
    if (std::holds_alternative<sail::DiskFailed>(*message)) ++failed;
  }
  EXPECT_EQ(whole, 2) << "the new part, and the one that was there";
  EXPECT_EQ(failed, 1);
}

TEST_F(DiskBetweenTest, WhoBringsBytesOnCanChangeNoneAndSayNoneAgain) {
  const Between faithful(loop_, disk_.address(), TlsUse::kAsItComes);
  const Asked right = read_from(faithful.address());
  ASSERT_TRUE(right.whole()) << right.words();
  EXPECT_TRUE(std::equal(part_.begin(), part_.end(), right.room.begin()));

  constexpr size_t kPlace = 100'000;
  const Between changing(loop_, disk_.address(), TlsUse::kAsItComes,
                         [](size_t at, std::span<uint8_t> bytes) {
                           if (at <= kPlace && kPlace < at + bytes.size()) bytes[kPlace - at] ^= 1;
                         });
  EXPECT_FALSE(read_from(changing.address()).whole());

  std::vector<uint8_t> before;
  const Between repeating(loop_, disk_.address(), TlsUse::kAsItComes,
                          [&](size_t at, std::span<uint8_t> bytes) {
                            if (at > kPlace && bytes.size() == before.size()) {
                              std::copy(before.begin(), before.end(), bytes.begin());
                            }
                            before.assign(bytes.begin(), bytes.end());
                          });
  EXPECT_FALSE(read_from(repeating.address()).whole());
}

}  // namespace
}  // namespace server
