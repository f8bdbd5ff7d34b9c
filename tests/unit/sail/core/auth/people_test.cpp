// Passwords: key derivation, authentication, and a service's sessions of users.
#include "sail/core/auth/people.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "sail/core/rpc/hello.h"
#include "sail/core/rpc/rpc_service.h"
#include "tests/unit/sail/core/socket/tcp_support.h"

namespace sail {
namespace {

using testing::HasSubstr;

constexpr const char* kPassword = "correct horse battery";
const ControlProof kWords{
    {"user/ann", ""}, "000102030405060708090a0b0c0d0e0f", "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"};

// Computed with Python's hashlib and hmac; PROTOCOL.md ("People") has the same values.
TEST(Password, IsProvedByTheDocumentsWords) {
  const std::string salt = "00112233445566778899aabbccddeeff";
  const std::string made = derive_key(kPassword, salt);
  const Verifier verifier = verifier_of(made);
  const PersonProof proof = person_proof(kWords, made, "ui");
  EXPECT_EQ(made, "57312542235f0bd20de68ba91435932724a28fb139d398248a941a31002a374c");
  EXPECT_EQ(proof.session, "307e30806222ba8af0da35ebfad5d76368c8b7b830d0dd10533b9bc383a95e05");
  std::ifstream in(PROTOCOL_FILE);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  for (const std::string& word : {std::string(kPassword), salt, made, verifier.stored_key,
                                  verifier.listener_key, proof.of_peer, proof.of_listener}) {
    EXPECT_THAT(text, HasSubstr(word));
  }
}

TEST(Password, WhatTheListenerKeepsChecksAProofAndMakesNone) {
  const std::string made(64, 'a');
  const Verifier verifier = verifier_of(made);
  const PersonProof proof = person_proof(kWords, made, "ui");
  const auto checked = check_person(kWords, verifier, "ui", proof.of_peer);
  ASSERT_TRUE(checked);
  EXPECT_EQ(checked->of_listener, proof.of_listener);
  EXPECT_EQ(checked->session, proof.session);

  EXPECT_FALSE(check_person(kWords, verifier, "application", proof.of_peer));
  EXPECT_FALSE(check_person(kWords, verifier_of(std::string(64, 'b')), "ui", proof.of_peer));
  ControlProof later = kWords;
  later.listener_nonce.back() = '0';
  EXPECT_FALSE(check_person(later, verifier, "ui", proof.of_peer)) << "overheard";
  for (const std::string& kept : {verifier.stored_key, verifier.listener_key}) {
    EXPECT_FALSE(check_person(kWords, verifier, "ui", person_proof(kWords, kept, "ui").of_peer));
    ControlProof direct = kWords;
    direct.key.secret = kept;
    EXPECT_FALSE(check_person(kWords, verifier, "ui", direct.of_peer("ui")));
  }
  for (const char* none : {"", "0", "zz"}) {
    EXPECT_FALSE(check_person(kWords, verifier, "ui", none));
  }
}

const Person kAnn{Right::kPresenter, verifier_of(std::string(64, 'a'))};

TEST(PeopleTest, AreReadAsTheyAreKept) {
  People people;
  ASSERT_TRUE(people.add("ann", kAnn));
  ASSERT_TRUE(people.add("Bob_2", {Right::kViewer, verifier_of(std::string(64, 'b'))}));
  const auto read = People::read(people.json());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->all(), people.all());
  EXPECT_EQ(read->salt_of("user/ann"), people.salt_of("user/ann"));
  EXPECT_EQ(read->right_of("user/ann"), Right::kPresenter);
  EXPECT_EQ(read->right_of("ann"), Right::kNone);
  EXPECT_EQ(read->right_of("user/eve"), Right::kNone);
}

TEST(PeopleTest, DamagedFilesAreNoPeople) {
  People people;
  ASSERT_TRUE(people.add("ann", kAnn));
  const Json good = people.json();
  for (const auto& [path, value] :
       std::vector<std::pair<std::string, Json>>{{"/salt_secret", "short"},
                                                 {"/people", "none"},
                                                 {"/people/0/name", "a/b"},
                                                 {"/people/0/role", "receiver"},
                                                 {"/people/0/role", "application"},
                                                 {"/people/0/stored_key", "00"},
                                                 {"/people/0/listener_key", 7},
                                                 {"/people/0/more", 7},
                                                 {"/people/1", good["people"][0]}}) {
    Json bad = good;
    bad[Json::json_pointer(path)] = value;
    const auto read = People::read(bad);
    ASSERT_FALSE(read) << path;
    EXPECT_EQ(read.error().code, ErrorCode::kBadData) << path;
  }
}

TEST(PeopleTest, NamesAndRolesOfPeople) {
  People people;
  for (const std::string& name : {std::string(), std::string("a b"), std::string("a/b"),
                                  std::string("ä"), std::string(31, 'x')}) {
    EXPECT_EQ(people.add(name, kAnn).error().code, ErrorCode::kInvalidParams) << name;
  }
  EXPECT_EQ(people.add("ann", {Right::kProgram, {}}).error().code, ErrorCode::kInvalidParams);
  ASSERT_TRUE(people.add("ann", kAnn));
  EXPECT_EQ(people.add("ann", kAnn).error().code, ErrorCode::kConflict);
  EXPECT_EQ(people.change_password("bob", {}).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(people.remove("bob").error().code, ErrorCode::kNotFound);
  EXPECT_TRUE(people.remove("ann"));
}

TEST(PeopleTest, AreAsManyAsTheirFileMayHold) {
  People people;
  for (size_t i = 0; i < People::kMostPeople; ++i) {
    ASSERT_TRUE(people.add("person" + std::to_string(i), kAnn));
  }
  EXPECT_EQ(people.add("ann", kAnn).error().code, ErrorCode::kLimit);
  EXPECT_TRUE(People::read(people.json()));
}

// --- at a service

class PeopleServiceTest : public testing::Test {
 protected:
  PeopleServiceTest() {
    const auto made = derive_key(kPassword, people_.salt_of("user/ann"));
    EXPECT_TRUE(people_.add("ann", {Right::kPresenter, verifier_of(made)}));
    start();
  }
  void start(int64_t hello_ms = kHelloTimeoutMs) {
    const auto nothing = [](const RpcCall& call) { call.reply(Json::object()); };
    service_ = std::make_unique<RpcService>(
        loop_,
        RpcService::Options{
            .access = {.server = "wall", .key = {"", "0123456789abcdef"}, .people = &people_},
            .hello_ms = hello_ms},
        std::vector<RpcVerb>{{.name = "present",
                              .ui = Right::kPresenter,
                              .application = true,
                              .receiver = true,
                              .run = nothing},
                             {.name = "operate", .ui = Right::kOperator, .run = nothing}},
        RpcService::Handlers{.on_hello = [](const ServicePeer&) { return Json::object(); }}, log_);
    EXPECT_TRUE(service_->listen(kAnyPort));
  }
  std::unique_ptr<RpcPeer> connect() {
    std::unique_ptr<RpcPeer> peer;
    const auto guard = TcpConnection::connect(loop_, service_->address(), [&](auto connection) {
      peer = std::make_unique<RpcPeer>(loop_, std::move(*connection), RpcPeer::Handlers{});
    });
    EXPECT_TRUE(run_until(loop_, [&] { return peer != nullptr; }));
    return peer;
  }
  Result<Json> ask(RpcPeer& peer, const char* verb, const Json& params = Json::object()) {
    std::optional<Result<Json>> answer;
    peer.call(verb, params, [&](Result<Json> result) { answer = std::move(result); });
    EXPECT_TRUE(run_until(loop_, [&] { return answer.has_value(); }));
    return answer.value_or(fail(ErrorCode::kTimeout, "nothing came"));
  }
  Result<Welcome> sign_in(RpcPeer& peer, const std::string& name, const std::string& password,
                          Role role = Role::kUi) {
    std::optional<Result<Welcome>> answer;
    start_handshake(peer, {"user/" + name, password}, {.role = role}, kTestDeadlineMs,
                    [&](Result<Welcome> reported) { answer = std::move(reported); });
    EXPECT_TRUE(run_until(loop_, [&] { return answer.has_value(); }));
    return answer.value_or(fail(ErrorCode::kTimeout, "nothing came"));
  }

  Loop loop_;
  Log log_{"test", LogLevel::kOff};
  People people_;
  std::unique_ptr<RpcService> service_;
};

TEST_F(PeopleServiceTest, APasswordOpensWhatThePersonMay) {
  const auto peer = connect();
  const auto welcome = sign_in(*peer, "ann", kPassword);
  ASSERT_TRUE(welcome) << welcome.error().message;
  EXPECT_TRUE(ask(*peer, "present"));
  EXPECT_EQ(ask(*peer, "operate").error().code, ErrorCode::kUnauthorized);

  const uint64_t id = service_->peers().begin()->first;
  const WebRequest request{
      .method = "GET",
      .path = "/x",
      .authorization = request_authorization(welcome->session, "GET", "/x", id, 1),
      .host = "127.0.0.1"};
  EXPECT_FALSE(service_->judge_request(request).wrong);
}

TEST_F(PeopleServiceTest, NobodyElseIsLetInAndNobodyLearnsWhoIsHere) {
  for (const auto& [name, password] : {std::pair{"ann", "correct horse batterx"},
                                       std::pair{"ann", ""}, std::pair{"eve", kPassword}}) {
    const auto refused = sign_in(*connect(), name, password);
    ASSERT_FALSE(refused) << name;
    EXPECT_EQ(refused.error().code, ErrorCode::kUnauthorized);
    EXPECT_EQ(refused.error().message, "wrong name or password");
  }
  for (const Role role : {Role::kApplication, Role::kReceiver}) {
    EXPECT_FALSE(sign_in(*connect(), "ann", kPassword, role)) << role_name(role);
  }
  const Json eve{{"key", "user/eve"}, {"nonce", std::string(32, '0')}};
  const auto first = ask(*connect(), "challenge", eve);
  const auto second = ask(*connect(), "challenge", eve);
  ASSERT_TRUE(first && second);
  EXPECT_EQ((*first)["salt"], (*second)["salt"]);
  EXPECT_FALSE(first->contains("proof")) << "it would let anybody try passwords at home";
}

// A busy machine takes long to make a proof of a password.
TEST_F(PeopleServiceTest, WhoHasBeenChallengedHasLongerToProveAPassword) {
  const std::string made = derive_key(kPassword, people_.salt_of("user/ann"));
  start(300);
  const auto peer = connect();
  ControlProof words{{"user/ann", ""}, kWords.peer_nonce, "", peer->binding()};
  const auto reported = ask(*peer, "challenge", {{"key", "user/ann"}, {"nonce", words.peer_nonce}});
  ASSERT_TRUE(reported);
  words.listener_nonce = (*reported)["nonce"];
  const auto silent = connect();
  ASSERT_TRUE(run_until(loop_, [&] { return service_->peers().size() == 1; }));
  const Hello hello{.key = "user/ann", .proof = person_proof(words, made, "ui").of_peer};
  const auto welcome = ask(*peer, "hello", to_json(hello));
  EXPECT_TRUE(welcome) << welcome.error().message;
}

TEST_F(PeopleServiceTest, WrongPasswordsCountAsWrongKeysDo) {
  const WebRequest wrong{.method = "GET",
                         .path = "/metrics",
                         .authorization = "Bearer none",
                         .host = "127.0.0.1",
                         .bearer = "metrics"};
  for (int i = 0; i < KeyGuard::kFreeGuesses; ++i) {
    const auto peer = connect();
    ASSERT_TRUE(ask(*peer, "challenge", {{"key", "user/ann"}, {"nonce", kWords.peer_nonce}}));
    const Hello guess{.key = "user/ann", .proof = std::string(64, '0')};
    EXPECT_EQ(ask(*peer, "hello", to_json(guess)).error().code, ErrorCode::kUnauthorized);
  }
  EXPECT_GT(service_->judge_request(wrong).delay_ms, 0);
}

TEST_F(PeopleServiceTest, TheNamedKeyThatTheWallsWouldMakeIsNone) {
  const auto peer = connect();
  const WallKey key = key_named({"", "0123456789abcdef"}, "user/ann");
  const Json asked{{"key", key.name}, {"nonce", kWords.peer_nonce}};
  const auto reported = ask(*peer, "challenge", asked);
  ASSERT_TRUE(reported);
  const ControlProof words{key, kWords.peer_nonce, (*reported)["nonce"]};
  const Hello hello{.key = key.name, .proof = words.of_peer("ui")};
  EXPECT_EQ(ask(*peer, "hello", to_json(hello)).error().code, ErrorCode::kUnauthorized);
}

TEST_F(PeopleServiceTest, AListenerThatDoesNotKnowThePasswordIsLeft) {
  // The fake listener answers every request.
  std::unique_ptr<RpcPeer> end;
  auto listener = TcpListener::listen(loop_, kAnyPort, [&](auto connection) {
    end = std::make_unique<RpcPeer>(
        loop_, std::move(connection),
        RpcPeer::Handlers{
            .on_request =
                [](const std::string& method, const Json&, const RpcPeer::Reply& reply) {
                  reply(method == "challenge"
                            ? to_json(ChallengeAnswer{.nonce = std::string(32, '0'),
                                                      .salt = std::string(32, '1')})
                            : Json{{"proof", std::string(64, '2')}});
                },
            .on_closed = {}});
  });
  ASSERT_TRUE(listener);
  std::unique_ptr<RpcPeer> peer;
  const auto guard = TcpConnection::connect(loop_, (*listener)->address(), [&](auto connection) {
    peer = std::make_unique<RpcPeer>(loop_, std::move(*connection), RpcPeer::Handlers{});
  });
  ASSERT_TRUE(run_until(loop_, [&] { return peer != nullptr; }));
  const auto left = sign_in(*peer, "ann", kPassword);
  ASSERT_FALSE(left);
  EXPECT_THAT(left.error().message, HasSubstr("failed to prove that it knows the password"));
}

}  // namespace
}  // namespace sail
