#include "sail/core/auth/proof.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace sail {
namespace {

constexpr std::string_view kSecret = "0123456789abcdef";

TEST(Proof, IsHmacSha256OfTheWords) {
  // RFC 4231, test case 2.
  const std::string_view words[] = {"what do ya want for nothing?"};
  EXPECT_EQ(proof_of("Jefe", words),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  const std::string_view one[] = {"a", "b"};
  const std::string_view other[] = {"ab"};
  EXPECT_NE(proof_of(kSecret, one), proof_of(kSecret, other));
}

TEST(Proof, OfAConnectionDependsOnAllThatMakesIt) {
  const ControlProof proof{{"viewer", std::string(kSecret)}, "1", "2"};
  EXPECT_NE(proof.of_listener(), proof.of_peer("ui")) << "sent back it is none";
  EXPECT_NE(proof.of_peer("receiver"), proof.of_peer("ui"));
  EXPECT_NE(proof.session(), proof.of_listener());
  for (const ControlProof& other : {ControlProof{{"viewer", "0123456789abcdeF"}, "1", "2"},
                                    ControlProof{{"operator", std::string(kSecret)}, "1", "2"},
                                    ControlProof{{"viewer", std::string(kSecret)}, "2", "1"},
                                    ControlProof{{"viewer", std::string(kSecret)}, "1", "3"}}) {
    EXPECT_NE(other.of_listener(), proof.of_listener());
    EXPECT_NE(other.of_peer("ui"), proof.of_peer("ui"));
    EXPECT_NE(other.session(), proof.session());
  }
}

// PROTOCOL.md, "Proofs".
TEST(Proof, IsTheDocumentsExample) {
  const ControlProof proof{key_named({"", "open sesame, please"}, "viewer"),
                           "000102030405060708090a0b0c0d0e0f", "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"};
  std::ifstream in(PROTOCOL_FILE);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  ControlProof bound = proof;
  for (int byte = 0x20; byte < 0x40; ++byte) bound.binding += fmt::format("{:02x}", byte);
  EXPECT_NE(bound.session(), proof.session());
  for (const std::string& word :
       {proof.key.secret, proof.peer_nonce, proof.listener_nonce, proof.of_listener(),
        proof.of_peer("ui"), bound.binding, bound.of_listener(), bound.of_peer("ui")}) {
    EXPECT_NE(text.find(word), std::string::npos) << word;
  }
}

TEST(Proof, OfARequestIsReadAsItWasWritten) {
  const std::string header = request_authorization(kSecret, "GET", "/preview", 7, 3);
  const auto read = read_request_proof(header);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->client, 7U);
  EXPECT_EQ(read->number, 3U);
  EXPECT_EQ(read->proof, request_proof(kSecret, "GET", "/preview", 3));
  EXPECT_NE(read->proof, request_proof(kSecret, "GET", "/preview", 4));
  EXPECT_NE(read->proof, request_proof(kSecret, "PUT", "/preview", 3));
  EXPECT_NE(read->proof, request_proof(kSecret, "GET", "/previews", 3));
  for (const char* none : {"", "Vitrail", "Vitrail ", "Vitrail 7", "Vitrail 7 ", "Vitrail 7 3",
                           "Vitrail -7 3 x", "Vitrail 7 x x", "Vitrail  7 3 x", "Bearer 7 3 x",
                           "Vitrail 99999999999999999999 3 x", "vitrail 7 3 x"}) {
    EXPECT_FALSE(read_request_proof(none)) << none;
  }
}

TEST(RequestNumbers, AreGoodOnceAndMayOvertakeOneAnother) {
  RequestNumbers numbers;
  EXPECT_FALSE(numbers.take(0));
  EXPECT_TRUE(numbers.take(1));
  EXPECT_FALSE(numbers.take(1));
  EXPECT_TRUE(numbers.take(5));
  EXPECT_TRUE(numbers.take(3));
  EXPECT_FALSE(numbers.take(3));
  EXPECT_FALSE(numbers.take(5));
  EXPECT_TRUE(numbers.take(5 + RequestNumbers::kWindow - 1));
  EXPECT_FALSE(numbers.take(4)) << "too old to be known";
  EXPECT_TRUE(numbers.take(6));
  EXPECT_TRUE(numbers.take(UINT64_MAX));
  EXPECT_FALSE(numbers.take(6));
  EXPECT_FALSE(numbers.take(UINT64_MAX));
}

TEST(Proof, Sha256IsThatOfTheStandard) {
  EXPECT_EQ(sha256_text("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
}  // namespace sail
