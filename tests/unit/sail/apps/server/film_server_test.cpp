// Admission, refusals, and the cost of misbehaving peers.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "sail/apps/server/film_server.h"
#include "sail/core/auth/proof.h"
#include "sail/core/base/secret.h"
#include "tests/support/loop_test.h"
#include "tests/support/rpc_document.h"
#include "tests/support/temp_folder.h"
#include "tests/support/test_film.h"

namespace server {
namespace {

using sail::ErrorCode;
using sail::Json;

const sail::WallKey kKey{"", "open sesame, please"};
const sail::WallKey kOther{"", "close sesame, please"};

class ServerTest : public testing::Test {
 protected:
  ServerTest() {
    test::write_test_film(folder_.file("a.vmov"), {.size = {64, 64}, .frames = 5});
    test::write_test_film(folder_.file("b.vmov"), {.size = {64, 64}, .frames = 5});
    // Nobody listens there.
    options_ = {.library = Library::open(folder_.file("")).value(),
                .listen = {"127.0.0.1", 0},
                .managers = {{"127.0.0.1", 1}}};
  }
  ~ServerTest() override {
    if (!server_) return;
    server_->shut_down();
    EXPECT_TRUE(sail::run_until(loop_, [&] { return ended_; }));
  }
  void start() {
    auto started = FilmServer::start(loop_, options_, sail::Log("test", sail::LogLevel::kOff),
                                     [this] { ended_ = true; });
    ASSERT_TRUE(started) << started.error().message;
    server_ = std::move(*started);
  }
  std::unique_ptr<test::LinePeer> connect() {
    return std::make_unique<test::LinePeer>(loop_, server_->address());
  }
  Json hello(test::LinePeer& peer, const sail::WallKey& key = {}, const char* role = "ui") {
    Json params{{"role", role}, {"protocol", 3}, {"name", "test"}};
    if (!key.name.empty()) params["key"] = key.name;
    if (!key.secret.empty()) {
      sail::ControlProof proof{key, sail::random_word(), ""};
      Json asked{{"nonce", proof.peer_nonce}};
      if (!key.name.empty()) asked["key"] = key.name;
      proof.listener_nonce = ask(peer, "challenge", asked)["result"].value("nonce", "");
      params["proof"] = proof.of_peer(role);
    }
    return ask(peer, "hello", params);
  }
  Json ask(test::LinePeer& peer, const char* verb, const Json& params = Json::object()) {
    const int id = ++next_id_;
    peer.send({{"id", id}, {"method", verb}, {"params", params}});
    return peer.next({{"id", id}});
  }
  static int error_of(const Json& answer) {
    return answer.contains("error") ? answer["error"].value("code", 0) : 0;
  }

  const sail::TempFolder folder_;
  sail::Loop loop_;
  FilmServerOptions options_{.library = Library::open("/").value()};
  std::unique_ptr<FilmServer> server_;
  bool ended_ = false;
  int next_id_ = 0;
};

TEST_F(ServerTest, HelloComesFirstWithTheKey) {
  options_.key = kKey;
  start();
  EXPECT_EQ(error_of(ask(*connect(), "films")), static_cast<int>(ErrorCode::kInvalidRequest));
  EXPECT_EQ(error_of(hello(*connect(), kOther)), static_cast<int>(ErrorCode::kUnauthorized));
  EXPECT_EQ(error_of(hello(*connect())), static_cast<int>(ErrorCode::kUnauthorized));
  EXPECT_EQ(error_of(hello(*connect(), kKey, "application")),
            static_cast<int>(ErrorCode::kInvalidParams));
  const auto peer = connect();
  EXPECT_EQ(error_of(hello(*peer, kKey)), 0);
  EXPECT_EQ(error_of(hello(*peer)), static_cast<int>(ErrorCode::kInvalidRequest));
  EXPECT_EQ(error_of(ask(*peer, "films")), 0);
}

TEST_F(ServerTest, ProgramsPlayFilmsAndViewersLook) {
  options_.key = kKey;
  start();
  const auto program = connect();
  EXPECT_EQ(error_of(hello(*program, key_named(kKey, "application/1"))), 0);
  EXPECT_EQ(error_of(ask(*program, "stop", {{"film", 7}})), static_cast<int>(ErrorCode::kNotFound));
  const auto viewer = connect();
  EXPECT_EQ(error_of(hello(*viewer, key_named(kKey, "viewer"))), 0);
  EXPECT_EQ(error_of(ask(*viewer, "films")), 0);
  EXPECT_EQ(error_of(ask(*viewer, "stop", {{"film", 7}})),
            static_cast<int>(ErrorCode::kUnauthorized));
  EXPECT_EQ(error_of(hello(*connect(), key_named(kOther, "application/1"))),
            static_cast<int>(ErrorCode::kUnauthorized));
}

TEST_F(ServerTest, OnlyManagersThatItsOperatorListedAreDialled) {
  bool dialled = false;
  const auto stranger =
      sail::TcpListener::listen(loop_, {"127.0.0.1", 0}, [&](auto) { dialled = true; }).value();
  bool asked = false;
  const auto second =
      sail::TcpListener::listen(loop_, {"127.0.0.1", 0}, [&](auto) { asked = true; }).value();
  options_.managers.push_back(second->address());
  start();
  const auto peer = connect();
  hello(*peer);
  const Json refused = ask(
      *peer, "play", {{"title", "a.vmov"}, {"manager", sail::address_text(stranger->address())}});
  EXPECT_EQ(error_of(refused), static_cast<int>(ErrorCode::kInvalidParams));
  EXPECT_NE(
      refused["error"]["message"].get<std::string>().find(sail::address_text(second->address())),
      std::string::npos);
  // Also under another name of the host.
  peer->send(
      {{"id", 99},
       {"method", "play"},
       {"params",
        {{"title", "a.vmov"}, {"manager", fmt::format("localhost:{}", second->address().port)}}}});
  EXPECT_TRUE(sail::run_until(loop_, [&] { return asked; }));
  EXPECT_FALSE(dialled);
}

TEST_F(ServerTest, BadParametersAreRefusedByName) {
  start();
  const auto peer = connect();
  hello(*peer);
  const std::vector<std::pair<const char*, Json>> mistakes = {
      {"play", Json::object()},
      {"play", {{"title", 5}}},
      {"play", {{"title", "a.vmov"}, {"colour", "red"}}},
      {"play", {{"title", "a.vmov"}, {"manager", "a b:c"}}},
      {"play", {{"title", "a.vmov"}, {"url", "server://host/b.vmov"}}},
      {"play", {{"title", "a.vmov"}, {"url", "/etc/a.vmov"}}},
      {"play", {{"title", "a.vmov"}, {"place", {1, 2, 3}}}},
      {"play", {{"title", "a.vmov"}, {"place", {0, 0, 0, 10}}}},
      {"play", {{"title", "a.vmov"}, {"place", "left"}}},
      {"play", {{"title", "a.vmov"}, {"transport", "quic"}}},
      {"play", {{"title", "a.vmov"}, {"delay_ms", 2001}}},
      {"play", {{"title", "a.vmov"}, {"mtu", 575}}},
      {"play", {{"title", "a.vmov"}, {"rate", 17}}},
      {"play", {{"title", "a.vmov"}, {"fps", 0}}},
      {"play", {{"title", "a.vmov"}, {"start_s", -1}}},
      {"play", {{"title", "a.vmov"}, {"loop", "yes"}}},
      {"play", {{"title", "/etc/passwd"}}},
      {"titles", {{"search", 1}}},
      {"films", {{"film", 0}}},
      {"stop", Json::object()},
      {"seek", {{"film", 1}}},
      {"rate", {{"film", 1}, {"rate", "fast"}}},
  };
  for (const auto& [verb, params] : mistakes) {
    EXPECT_EQ(error_of(ask(*peer, verb, params)), static_cast<int>(ErrorCode::kInvalidParams))
        << verb << ' ' << params;
  }
  for (const char* verb : {"pause", "resume", "stop"}) {
    EXPECT_EQ(error_of(ask(*peer, verb, {{"film", 1}})), static_cast<int>(ErrorCode::kNotFound));
  }
}

TEST_F(ServerTest, NonsenseEndsNobodyElsesSession) {
  start();
  const auto good = connect();
  hello(*good);
  {
    const auto bad = connect();
    hello(*bad);
    bad->send_bytes("\xff\xfe no JSON\n[1,2]\n{}\n");
    EXPECT_EQ(error_of(bad->next({{"id", nullptr}})), static_cast<int>(ErrorCode::kParseError));
    bad->send_bytes(std::string(sail::kMaxControlLine + 10, 'x'));
    EXPECT_TRUE(sail::run_until(loop_, [&] { return bad->closed(); }));
  }
  EXPECT_EQ(error_of(ask(*good, "films")), 0);
}

TEST_F(ServerTest, WhoSaysNothingIsSentAway) {
  options_.hello_ms = 20;
  start();
  const auto silent = connect();
  EXPECT_TRUE(sail::run_until(loop_, [&] { return silent->closed(); }));
}

TEST_F(ServerTest, PeersAreLimited) {
  options_.max_peers = 2;
  start();
  const auto one = connect();
  const auto two = connect();
  hello(*one);
  hello(*two);
  const auto three = connect();
  EXPECT_EQ(error_of(hello(*three)), static_cast<int>(ErrorCode::kLimit));
  EXPECT_TRUE(sail::run_until(loop_, [&] { return three->closed(); }));
  EXPECT_EQ(error_of(ask(*one, "films")), 0);
}

TEST_F(ServerTest, AWebPagesFormDoesNothing) {
  start();
  const auto form = connect();
  form->send_bytes(
      "POST / HTTP/1.1\r\nContent-Type: text/plain\r\n\r\n"
      R"({"jsonrpc":"2.0","id":1,"method":"hello","params":{"role":"ui","protocol":3}})"
      "\n"
      R"({"jsonrpc":"2.0","id":2,"method":"play","params":{"title":"a.vmov"}})"
      "\n");
  EXPECT_TRUE(sail::run_until(loop_, [&] { return form->closed(); }));
  EXPECT_TRUE(server_->wall_films().all().empty());
}

TEST_F(ServerTest, GuessesOfTheKeyAreSlowAndTheRightOneIsNot) {
  options_.key = kKey;
  start();
  std::vector<std::unique_ptr<test::LinePeer>> guessing;
  for (int i = 0; i < 30; ++i) {
    guessing.push_back(connect());
    guessing.back()->send({{"id", 1},
                           {"method", "hello"},
                           {"params",
                            {{"role", "ui"},
                             {"protocol", 3},
                             {"proof", sail::random_word() + sail::random_word()}}}});
  }
  const auto right = connect();
  EXPECT_EQ(error_of(hello(*right, kKey)), 0);
  EXPECT_FALSE(guessing.back()->closed()) << "it was answered at once";
  EXPECT_TRUE(sail::run_until(loop_, [&] { return guessing.back()->closed(); }));
}

TEST_F(ServerTest, FilmsAreLimitedAndThoseThatFailMakeRoom) {
  options_.max_films = 1;
  start();
  const auto peer = connect();
  hello(*peer);
  peer->send({{"id", 100}, {"method", "play"}, {"params", {{"title", "a.vmov"}}}});
  EXPECT_EQ(error_of(ask(*peer, "play", {{"title", "b.vmov"}})),
            static_cast<int>(ErrorCode::kLimit));
  EXPECT_EQ(error_of(peer->next({{"id", 100}})), static_cast<int>(ErrorCode::kUnavailable))
      << "there is no manager";
  EXPECT_TRUE(sail::run_until(loop_, [&] { return server_->wall_films().all().empty(); }));
  EXPECT_EQ(error_of(ask(*peer, "play", {{"title", "nothing.vmov"}})),
            static_cast<int>(ErrorCode::kNotFound));
}

TEST_F(ServerTest, TitlesComeInPagesAndFollowTheFolder) {
  for (size_t i = 0; i < kMaxTitlesAnswered; ++i) {
    std::filesystem::copy_file(folder_.file("a.vmov"), folder_.file(fmt::format("c{:04}.vmov", i)));
  }
  folder_.write("broken.vmov", "no film");
  start();
  const auto peer = connect();
  hello(*peer);
  const Json first = ask(*peer, "titles")["result"];
  ASSERT_EQ(first["titles"].size(), kMaxTitlesAnswered);
  EXPECT_EQ(first["titles"][0]["title"], "a.vmov");
  EXPECT_TRUE(first.value("more", false));
  const Json last = first["titles"].back()["title"];
  EXPECT_EQ(last, "c0197.vmov");
  const Json rest = ask(*peer, "titles", {{"after", last}})["result"];
  EXPECT_EQ(rest["titles"].size(), 2U);
  EXPECT_FALSE(rest.value("more", true));

  std::filesystem::remove(folder_.file("a.vmov"));
  std::filesystem::remove(folder_.file("b.vmov"));
  test::write_test_film(folder_.file("b.vmov"), {.size = {128, 64}, .frames = 5});
  const Json changed = ask(*peer, "titles", {{"search", "B.V"}})["result"]["titles"];
  ASSERT_EQ(changed.size(), 1U);
  EXPECT_EQ(changed[0]["size"], Json({128, 64}));
  EXPECT_TRUE(ask(*peer, "titles", {{"search", "a.vmov"}})["result"]["titles"].empty());
}

}  // namespace
}  // namespace server
