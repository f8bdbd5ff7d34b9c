// A manager, its standby, and failover of peers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>

#include "manager/failover/candidate.h"
#include "manager/failover/other_manager.h"
#include "manager/failover/standby_manager.h"
#include "sail/core/auth/wall_key.h"
#include "sail/core/rpc/manager_link.h"
#include "sail/core/time/wall_clock.h"
#include "sail/core/wire/data/codec_name.h"
#include "tests/support/environment_variable.h"
#include "tests/support/fake_etcd.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/manager/peers/manager_test.h"
#include "ui/impair/relay.h"

namespace manager {
namespace {

using sail::Json;
using testing::HasSubstr;

class StandbyTest : public ManagerTest {
 protected:
  StandbyTest() {
    options.state_folder = folder.file("first");
    options.on_fenced = [this](uint64_t term) { fenced = term; };
    options.term = 3;
  }

  StandbyManagerOptions standby_manager_options() {
    return {.wall = options.wall,
            .listen = {"127.0.0.1", 0},
            .primary = fs_manager->address(),
            .key = options.key,
            .state_folder = folder.file("second")};
  }
  sail::Result<void> follow(StandbyManagerOptions of) {
    auto started = StandbyManager::start(
        loop, std::move(of),
        {.on_take_over = [this](const Inheritance& reported) { inherited = reported; },
         .on_end = [this] { told_to_end = true; },
         .on_failed = [this](const sail::Error& error) { failed = error; }},
        sail::Log("standby", sail::LogLevel::kOff));
    if (!started) return started.error();
    standby_manager = std::move(*started);
    return {};
  }
  void follow() {
    ASSERT_TRUE(follow(standby_manager_options()));
    wait([&] { return standby_manager->up_to_date(); });
  }
  void leave() {
    failed.reset();
    standby_manager.reset();
    wait([&] { return fs_manager->peers().standby().empty(); });
  }
  // A receiver whose link follows redirections.
  std::unique_ptr<sail::ManagerLink> roaming_receiver(const std::string& name) {
    return roaming_receiver(name, fs_manager->address());
  }
  std::unique_ptr<sail::ManagerLink> roaming_receiver(const std::string& name,
                                                      const sail::Address& at) {
    return std::make_unique<sail::ManagerLink>(
        loop, at,
        [name](const sail::Address&) {
          return sail::Hello{.role = sail::Role::kReceiver,
                             .name = name,
                             .data_port = 5001,
                             .codecs = sail::all_codec_names()};
        },
        sail::ManagerLink::Handlers{
            .on_connected = [this](const Json&) { ++welcomes; },
            .on_request =
                [](const std::string&, const Json&, const sail::RpcPeer::Reply& reply) {
                  if (reply) reply(Json::object());
                },
            .on_lost = {},
            .on_refused = [](const sail::Error& error) { ADD_FAILURE() << error.message; }},
        sail::Log("receiver", sail::LogLevel::kOff));
  }
  // Takes over from the follower, as vitrail-manager does.
  void take_over() {
    ASSERT_TRUE(inherited);
    FsManagerOptions theirs = options;
    theirs.listen = standby_manager->address();
    standby_manager.reset();
    theirs.state_folder = folder.file("second");
    theirs.restore = "autosave";
    theirs.term = inherited->term;
    theirs.former = former;
    theirs.former_clock = inherited->clock;
    theirs.on_fenced = {};
    auto started = FsManager::start(loop, theirs, sail::Log("second", sail::LogLevel::kOff), [] {});
    ASSERT_TRUE(started) << started.error().message;
    second = std::move(*started);
  }
  Json document(const char* name) const {
    std::ifstream in(folder.file("second") + "/" + name, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    return Json::parse(text, nullptr, false);
  }

  const sail::TempFolder folder;
  std::optional<uint64_t> fenced;
  std::unique_ptr<StandbyManager> standby_manager;
  std::optional<Inheritance> inherited;
  std::optional<sail::Error> failed;
  bool told_to_end = false;
  sail::Address former;
  std::unique_ptr<FsManager> second;
  int welcomes = 0;
};

TEST_F(StandbyTest, FollowsWhatIsSaved) {
  start();
  auto console = ui();
  auto app = application();
  open_stream(*app, sail::Rect{0, 0, 160, 90});
  console->expect("layout_save", {{"name", "one"}});
  follow();
  EXPECT_EQ(document("layouts/one.json")["windows"].size(), 1U);
  EXPECT_EQ(load_term(folder.file("second"))->next(), 4U);
  const std::string reported = console->next("standby")["address"];
  EXPECT_EQ(reported, sail::address_text(standby_manager->address()));

  console->expect("session_save", {{"name", "two"}});
  console->expect("layout_remove", {{"name", "one"}});
  wait([&] { return document("sessions/two.json").is_object(); });
  wait([&] { return document("layouts/one.json").is_discarded(); });
  console->expect("move", {{"window", 1}, {"x", 7}, {"y", 8}});
  wait([&] {
    const Json autosave = document("sessions/autosave.json");
    return autosave.is_object() && autosave["windows"][0]["rect"][0] == 7;
  });

  standby_manager.reset();
  EXPECT_EQ(console->next("standby")["address"], "");
}

TEST_F(StandbyTest, OneThatWasLaunchedDoesNotOutliveAWallThatItNeverFollowed) {
  start();
  StandbyManagerOptions launched = standby_manager_options();
  launched.ends_with_wall = true;
  launched.first_contact_timeout_ns = 1;
  fs_manager.reset();
  ASSERT_TRUE(follow(launched));
  wait([&] { return failed.has_value(); });
  EXPECT_THAT(failed->message, HasSubstr("no longer answers"));
}

TEST_F(StandbyTest, OneThatWasLaunchedEndsWithTheWall) {
  start();
  StandbyManagerOptions launched = standby_manager_options();
  launched.ends_with_wall = true;
  ASSERT_TRUE(follow(launched));
  wait([&] { return standby_manager->up_to_date(); });
  fs_manager->shut_down();
  wait([&] { return told_to_end; });
  EXPECT_FALSE(failed);
  EXPECT_FALSE(inherited);
}

TEST_F(StandbyTest, FollowsPeopleAndSavedUrls) {
  options.key = {"", "open sesame, please"};
  const test::EnvironmentVariable key("VITRAIL_KEY", key_text(options.key));
  start();
  auto console = ui();
  const Json saved =
      console->expect("source_save", {{"url", "rtsp://camera/1"}, {"title", "hall"}});
  follow();
  EXPECT_EQ(document("urls.json")[0]["title"], "hall");
  const Json before = document("people.json");
  EXPECT_TRUE(before["people"].empty());
  const std::string digits(64, 'a');
  console->expect(
      "user_add",
      {{"name", "ann"}, {"role", "viewer"}, {"stored_key", digits}, {"listener_key", digits}});
  wait([&] { return document("people.json")["people"].size() == 1; });
  EXPECT_EQ(document("people.json")["people"][0]["name"], "ann");
  EXPECT_EQ(document("people.json")["salt_secret"], before["salt_secret"])
      << "what browsers made of passwords holds here, too";
  console->expect("source_remove", {{"source", saved["source"]}});
  wait([&] { return document("urls.json").empty(); });
}

TEST_F(StandbyTest, FollowsAScheduleThatWasThereBefore) {
  start();
  const Json entry = {{"name", "evening"},
                      {"zone", "Europe/Berlin"},
                      {"start", "2100-11-30T18:00"},
                      {"rule", "FREQ=DAILY"},
                      {"do", Json::array({Json{{"verb", "blank"}}})}};
  ui()->expect("schedule_add", {{"entries", Json::array({entry})}});
  follow();
  EXPECT_EQ(document("schedule.json")["entries"][0]["name"], "evening");
}

TEST_F(StandbyTest, FollowsPlaylists) {
  start();
  const auto console = ui();
  follow();
  console->expect("playlist_save",
                  {{"name", "lobby"}, {"items", Json::array({Json{{"source", "/a.mp4"}}})}});
  wait([&] { return document("playlists.json")["playlists"].size() == 1; });
  EXPECT_EQ(document("playlists.json")["playlists"][0]["items"][0]["medium"], "/a.mp4");
}

TEST_F(StandbyTest, FollowsRights) {
  start();
  const Json rule = {{"scene", "vault"}, {"who", {"user/ann"}}, {"may", {"show"}}};
  const auto console = ui();
  console->expect("rights_set", {{"rules", Json::array({rule})}});
  follow();
  EXPECT_EQ(document("rights.json")["rules"], Json::array({rule}));
  console->expect("session_save", {{"name", "vault"}});
  console->expect("rights_lock", {{"scene", "vault"}});
  wait([&] { return document("rights.json")["locks"].size() == 1; });
}

TEST_F(StandbyTest, AManagerThatIsReplacedKeepsTheChangesThatTheStandbyNeverGot) {
  start();
  auto console = ui();
  auto app = application();
  open_stream(*app, sail::Rect{0, 0, 160, 90});
  follow();
  console->expect("move", {{"window", 1}, {"x", 7}, {"y", 8}});
  wait([&] {
    Json autosave = document("sessions/autosave.json");
    return autosave.is_object() && autosave["history"]["entries"].size() == 1;
  });
  leave();
  console->expect("lock", {{"window", 1}, {"on", true}});
  EXPECT_FALSE(connect()->hello(sail::Hello{.role = sail::Role::kUi, .name = "second", .term = 9},
                                options.key));
  EXPECT_EQ(fenced, 9U);
  const auto kept = load_term(folder.file("first"));
  ASSERT_TRUE(kept);
  ASSERT_EQ(kept->lost.size(), 1U) << "the standby knows of the move";
  EXPECT_THAT(kept->lost[0], HasSubstr("locked"));
}

TEST_F(StandbyTest, WhatAFormerManagerAloneKnewIsInTheHistory) {
  start();
  ASSERT_TRUE(
      save_term(folder.file("second"), {.term = 2, .lost = {"ann: moved 'film'", "locked"}}));
  follow();
  const Json history = ui()->expect("history");
  ASSERT_EQ(history["entries"].size(), 2U);
  EXPECT_EQ(history["entries"][0]["what"], "lost with the former manager: ann: moved 'film'");
  EXPECT_TRUE(load_term(folder.file("second"))->lost.empty()) << "it is told once";
}

TEST_F(StandbyTest, TellsWhereItsPageWillBe) {
  start();
  auto console = ui();
  StandbyManagerOptions with_page = standby_manager_options();
  with_page.page = {"0.0.0.0", 7481};
  with_page.page_by_tls = true;
  ASSERT_TRUE(follow(with_page));
  wait([&] { return standby_manager->up_to_date(); });
  EXPECT_EQ(console->next("standby")["page"], "https://127.0.0.1:7481/");
  leave();
  EXPECT_EQ(console->next("standby"), Json({{"address", ""}}));
}

TEST_F(StandbyTest, OneIsEnough) {
  start();
  follow();
  StandbyManagerOptions another = standby_manager_options();
  another.state_folder = folder.file("third");
  const auto first = std::move(standby_manager);
  ASSERT_TRUE(follow(another));
  wait([&] { return failed.has_value(); });
  EXPECT_THAT(failed->message, HasSubstr(sail::address_text(first->address())));
}

TEST_F(StandbyTest, FollowsOnlyTheSameWallAndNoFormerManager) {
  start();
  StandbyManagerOptions wrong = standby_manager_options();
  wrong.wall.name = "another";
  ASSERT_TRUE(follow(wrong));
  wait([&] { return failed.has_value(); });
  EXPECT_THAT(failed->message, HasSubstr("'another'"));

  leave();
  ASSERT_TRUE(save_term(folder.file("second"), {.term = 4}));
  ASSERT_TRUE(follow(standby_manager_options()));
  wait([&] { return failed.has_value(); });
  EXPECT_THAT(failed->message, HasSubstr("later manager"));

  leave();
  StandbyManagerOptions no_folder = standby_manager_options();
  no_folder.state_folder.clear();
  EXPECT_FALSE(follow(no_folder));
}

TEST_F(StandbyTest, WhoSavesNothingCannotBeFollowed) {
  options.state_folder.clear();
  start();
  ASSERT_TRUE(follow(standby_manager_options()));
  wait([&] { return failed.has_value(); });
  EXPECT_THAT(failed->message, HasSubstr("--state"));
}

TEST_F(StandbyTest, TheJournalIsForTheStandbyAlone) {
  start();
  const auto read = ui()->call("journal_read", {{"session", "autosave"}});
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, sail::ErrorCode::kInvalidRequest);
}

TEST_F(StandbyTest, TakesOverWhenTheReceiversCome) {
  start();
  auto left = roaming_receiver("left");
  auto right = roaming_receiver("right");
  auto app = application();
  const uint32_t window = open_stream(*app, sail::Rect{0, 0, 160, 90});
  wait([&] { return welcomes == 2; });
  follow();
  ui()->expect("move", {{"window", window}, {"x", 7}, {"y", 8}});
  wait([&] {
    const Json autosave = document("sessions/autosave.json");
    return autosave.is_object() && autosave["windows"][0]["rect"][0] == 7;
  });
  former = fs_manager->address();
  const int64_t wall_before_ns = fs_manager->desk().clock().wall_now_ns();
  fs_manager.reset();
  wait([&] { return inherited.has_value(); });
  EXPECT_EQ(inherited->term, 4U);
  take_over();
  wait([&] { return welcomes == 4; });
  EXPECT_GE(second->desk().clock().wall_now_ns(), wall_before_ns);
  EXPECT_EQ(second->peers().term(), 4U);
  EXPECT_EQ(load_term(folder.file("second"))->next(), 4U);
  // The former manager restarts, and learns that it is fenced.
  options.listen = former;
  start();
  wait([&] { return fenced.has_value(); });
  EXPECT_EQ(*fenced, 4U);
  run_some(loop);
  EXPECT_EQ(welcomes, 4) << "the receivers stayed";
}

TEST_F(StandbyTest, PeersThatKnowOnlyTheStandbyFindItsManager) {
  start();
  follow();
  const auto stray = roaming_receiver("left", standby_manager->address());
  wait([&] { return welcomes == 1; });
  EXPECT_TRUE(fs_manager->peers().receivers().find("left")->connected());
}

TEST_F(StandbyTest, AManagerThatIsStartedAgainIsFollowedAgain) {
  start();
  follow();
  options.listen = fs_manager->address();
  fs_manager.reset();
  wait([&] { return !standby_manager->up_to_date(); });
  start();
  wait([&] { return standby_manager->up_to_date(); });
  EXPECT_EQ(fs_manager->peers().standby(), sail::address_text(standby_manager->address()));
  EXPECT_FALSE(inherited);
}

TEST_F(StandbyTest, ALineThatIsCutIsNoReasonToTakeOver) {
  start();
  auto left = roaming_receiver("left");
  auto right = roaming_receiver("right");
  wait([&] { return welcomes == 2; });
  auto line = sail::Relay::start(loop, sail::Address{"127.0.0.1", 0}, {});
  ASSERT_TRUE(line);
  ASSERT_TRUE((*line)->set_target(fs_manager->address()));
  StandbyManagerOptions through = standby_manager_options();
  through.primary = (*line)->address();
  ASSERT_TRUE(follow(through));
  wait([&] { return standby_manager->up_to_date(); });
  line->reset();
  wait([&] { return standby_manager->waits(); });
  EXPECT_FALSE(inherited);

  line = sail::Relay::start(loop, through.primary, {});
  ASSERT_TRUE(line);
  ASSERT_TRUE((*line)->set_target(fs_manager->address()));
  wait([&] { return standby_manager->up_to_date(); });
  EXPECT_FALSE(standby_manager->waits()) << "it follows again";
  EXPECT_FALSE(inherited);
  EXPECT_EQ(welcomes, 2) << "the receivers never left";
}

TEST_F(StandbyTest, ATermIsBelievedOfThoseOnlyWhoMayEndAManager) {
  options.key = {"", "a secret of this wall"};
  start();
  const auto claim = [&](sail::Role role, const sail::WallKey& key, const std::string& name) {
    return connect()->hello(sail::Hello{.role = role, .name = name, .term = 1'000'000}, key);
  };
  EXPECT_FALSE(claim(sail::Role::kUi, {}, "nobody"));
  EXPECT_FALSE(claim(sail::Role::kUi, {"", "another secret, a wrong one"}, "nobody"));
  EXPECT_TRUE(claim(sail::Role::kUi, key_named(options.key, "viewer"), "viewer"));
  EXPECT_TRUE(
      claim(sail::Role::kApplication, key_named(options.key, "application/film"), "a film"));
  run_some(loop);
  EXPECT_FALSE(fenced);
  EXPECT_FALSE(claim(sail::Role::kUi, options.key, "admin"));
  EXPECT_EQ(fenced, 1'000'000U);
}

// --- with a witness

class WitnessedStandbyTest : public StandbyTest {
 protected:
  // Starts the manager with the witness's lease.
  void start_witnessed() {
    options.wall.witness = etcd.witness();
    options.lease = std::make_shared<WitnessLease>(*options.wall.witness, options.wall.name);
    options.lease->claim({.term = options.term});
    wait([&] { return options.lease->state().held(sail::steady_now_ns()); });
    start();
  }
  // The term for which the manager at this address votes; 0: none.
  uint64_t vote_of(const sail::Address& at, uint64_t term, const sail::WallKey& key) {
    ScriptedPeer asks(loop, at);
    const auto welcome = asks.hello(sail::Hello{.name = "standby", .vote = term}, key);
    return welcome ? sail::message_from_json<sail::WelcomeVote>(*welcome)->voted : 0;
  }
  uint64_t vote_of(const sail::Address& at, uint64_t term) {
    return vote_of(at, term, options.key);
  }
  void wait_for_the_end_of_promises() {
    const int64_t began_ns = sail::steady_now_ns();
    wait([&] { return sail::steady_now_ns() - began_ns > Quorum::kPromiseNs; });
  }

  test::FakeEtcd etcd;
};

TEST_F(WitnessedStandbyTest, TakesOverWithTheLeaseAndWithoutReceivers) {
  start_witnessed();
  follow();
  const std::weak_ptr<WitnessLease> lease = options.lease;
  fs_manager.reset();
  options.lease.reset();
  EXPECT_TRUE(lease.expired());
  wait([&] { return inherited.has_value(); });
  EXPECT_EQ(inherited->term, 4U);
  ASSERT_TRUE(inherited->lease);
  EXPECT_TRUE(inherited->lease->state().held(sail::steady_now_ns()));
  EXPECT_EQ(etcd.value("/test/ruler"), "4");
}

TEST_F(WitnessedStandbyTest, DoesNotTakeOverWhileTheManagerHasTheLease) {
  start_witnessed();
  follow();
  fs_manager.reset();  // its lease is still renewed
  wait([&] { return standby_manager->waits(); });
  wait_for_the_end_of_promises();
  EXPECT_FALSE(inherited);
}

TEST_F(WitnessedStandbyTest, AManagerRulesWhileWitnessOrStandbyConfirmsIt) {
  start_witnessed();
  follow();
  etcd.be_away(true);
  const auto console = ui();
  wait_asking([&] {
    const Json problems = console->expect("why")["problems"];
    return std::ranges::any_of(problems, [](const Json& one) { return one["cause"] == "witness"; });
  });
  wait_for_the_end_of_promises();
  EXPECT_FALSE(fenced) << "the standby confirms it";
  leave();
  wait([&] { return fenced.has_value(); });
  EXPECT_EQ(fenced, options.term) << "nobody confirms it";
}

TEST_F(WitnessedStandbyTest, ALaterTermAtTheWitnessEndsTheManager) {
  start_witnessed();
  etcd.put("/test/term", "9");
  etcd.end_leases();
  wait([&] { return fenced.has_value(); });
  EXPECT_EQ(fenced, 9U);
}

TEST_F(WitnessedStandbyTest, AStandbyWithoutTheWitnessIsRefused) {
  start_witnessed();
  StandbyManagerOptions other = standby_manager_options();
  other.wall.witness.reset();
  ASSERT_TRUE(follow(other));
  wait([&] { return failed.has_value(); });
  EXPECT_THAT(failed->message, HasSubstr("different witnesses"));
}

TEST_F(WitnessedStandbyTest, VotesForAManagerThatItMayFollow) {
  options.key = {"", "a secret of this wall"};
  const test::EnvironmentVariable key("VITRAIL_KEY", key_text(options.key));
  start_witnessed();
  follow();
  const sail::Address at = standby_manager->address();
  EXPECT_EQ(vote_of(fs_manager->address(), 4), 0U) << "it rules";
  EXPECT_EQ(vote_of(at, 3), 0U) << "its manager rules";
  fs_manager.reset();  // its lease is still renewed
  wait([&] { return !standby_manager->up_to_date(); });
  EXPECT_EQ(vote_of(at, 2), 0U) << "an earlier term";
  EXPECT_EQ(vote_of(at, 3, key_named(options.key, "operator")), 0U) << "no right to ask";
  EXPECT_EQ(vote_of(at, 3), 3U);
  EXPECT_EQ(vote_of(at, 3), 3U) << "asked again";
  EXPECT_EQ(vote_of(at, 5), 5U);
  EXPECT_EQ(load_term(folder.file("second"))->next(), 6U) << "the vote is kept";
  EXPECT_EQ(vote_of(at, 4), 0U) << "an earlier term";
}

TEST_F(WitnessedStandbyTest, DoesNotTakeOverWhileItVotesForAnother) {
  start_witnessed();
  follow();
  fs_manager.reset();
  wait([&] { return !standby_manager->up_to_date(); });
  const int64_t began_ns = sail::steady_now_ns();
  wait([&] { return sail::steady_now_ns() - began_ns > Quorum::kPromiseNs / 2; });
  const int64_t voted_ns = sail::steady_now_ns();
  ASSERT_EQ(vote_of(standby_manager->address(), 3), 3U);
  options.lease.reset();
  wait([&] { return inherited.has_value(); });
  EXPECT_GE(sail::steady_now_ns() - voted_ns, Quorum::kPromiseNs);
  EXPECT_EQ(inherited->term, 4U);
}

TEST_F(WitnessedStandbyTest, AManagerRulesByAVoteUntilTheWitnessIsBack) {
  etcd.put("/test/ruler", "3");  // the lease of its former process, which nobody renews
  etcd.put("/test/term", "3");
  etcd.be_away(true);
  options.wall.witness = etcd.witness();
  options.lease = std::make_shared<WitnessLease>(*options.wall.witness, options.wall.name);
  options.voted_ns = sail::steady_now_ns();
  start();
  follow();
  wait_for_the_end_of_promises();
  EXPECT_FALSE(fenced) << "the standby confirms it";
  etcd.be_away(false);
  wait([&] { return options.lease->state().held(sail::steady_now_ns()); });
  EXPECT_EQ(options.lease->state().term, 3U);
  leave();
  wait_for_the_end_of_promises();
  EXPECT_FALSE(fenced) << "the witness confirms it";
}

TEST_F(WitnessedStandbyTest, AVoteThatNobodyRenewsEnds) {
  etcd.be_away(true);
  options.wall.witness = etcd.witness();
  options.lease = std::make_shared<WitnessLease>(*options.wall.witness, options.wall.name);
  options.voted_ns = sail::steady_now_ns();
  start();
  wait([&] { return fenced.has_value(); });
  EXPECT_EQ(fenced, options.term);
}

TEST_F(WitnessedStandbyTest, ACandidateIsElectedByTheOtherManagerWhileTheWitnessIsAway) {
  etcd.be_away(true);
  const auto lease = std::make_shared<WitnessLease>(etcd.witness(), "hall");
  uint64_t elected = 0;
  std::optional<int64_t> asked_ns;
  const auto candidate = Candidate::start(
      loop,
      {.listen = {"127.0.0.1", 0},
       .key = options.key,
       .lease = lease,
       .witness = etcd.witness().text(),
       .claim = {.term = 6, .kind = Claim::Term::kResumed},
       .ask_other =
           [](uint64_t vote) { return vote == 6 ? OtherManager::kVoted : OtherManager::kSilent; },
       .keep_vote = {}},
      {.on_elected =
           [&](uint64_t term, std::optional<int64_t> voted_ns) {
             elected = term;
             asked_ns = voted_ns;
           },
       .on_other = {},
       .on_waiting = {}},
      sail::Log("candidate", sail::LogLevel::kOff));
  ASSERT_TRUE(candidate);
  wait([&] { return elected != 0; });
  EXPECT_EQ(elected, 6U);
  ASSERT_TRUE(asked_ns);
  EXPECT_LE(*asked_ns, sail::steady_now_ns());
}

TEST_F(WitnessedStandbyTest, ACandidateThatVotesDoesNotRuleForAWhile) {
  etcd.be_away(true);
  const auto lease = std::make_shared<WitnessLease>(etcd.witness(), "hall");
  std::optional<uint64_t> elected;
  const auto candidate = Candidate::start(
      loop,
      {.listen = {"127.0.0.1", 0},
       .key = options.key,
       .lease = lease,
       .witness = etcd.witness().text(),
       .claim = {.term = 6},
       .ask_other = [](uint64_t) { return OtherManager::kSilent; },
       .keep_vote =
           [](uint64_t term) { return term > 6 ? std::optional(Claim{term + 1}) : std::nullopt; }},
      {.on_elected = [&](uint64_t term, std::optional<int64_t>) { elected = term; },
       .on_other = {},
       .on_waiting = {}},
      sail::Log("candidate", sail::LogLevel::kOff));
  ASSERT_TRUE(candidate);
  EXPECT_EQ(vote_of((*candidate)->address(), 6), 0U);
  const int64_t voted_ns = sail::steady_now_ns();
  EXPECT_EQ(vote_of((*candidate)->address(), 7), 7U);
  etcd.be_away(false);
  wait([&] { return elected.has_value(); });
  EXPECT_GE(sail::steady_now_ns() - voted_ns, Quorum::kPromiseNs);
  EXPECT_EQ(elected, 8U);
}

TEST_F(WitnessedStandbyTest, ACandidateSaysWhyItDoesNotRuleUntilItIsElected) {
  etcd.be_away(true);
  options.wall.witness = etcd.witness();
  const auto lease = std::make_shared<WitnessLease>(*options.wall.witness, options.wall.name);
  uint64_t elected = 0;
  const auto candidate = Candidate::start(
      loop,
      {.listen = {"127.0.0.1", 0},
       .key = options.key,
       .lease = lease,
       .witness = options.wall.witness->text(),
       .claim = {.term = 6},
       .ask_other = [](uint64_t) { return OtherManager::kSilent; },
       .keep_vote = {}},
      {.on_elected = [&](uint64_t term, std::optional<int64_t>) { elected = term; },
       .on_other = {},
       .on_waiting = {}},
      sail::Log("candidate", sail::LogLevel::kOff));
  ASSERT_TRUE(candidate);
  wait([&] { return !lease->state().trouble.empty(); });
  EXPECT_THAT((*candidate)->sentence(),
              HasSubstr("does not rule the wall yet: the witness etcd://"));
  EXPECT_EQ(elected, 0U);
  etcd.be_away(false);
  wait([&] { return elected != 0; });
  EXPECT_EQ(elected, 6U);
}

TEST_F(WitnessedStandbyTest, ACandidateGivesWayToTheManagerThatRules) {
  etcd.be_away(true);
  const auto lease = std::make_shared<WitnessLease>(etcd.witness(), "hall");
  bool other = false;
  const auto candidate =
      Candidate::start(loop,
                       {.listen = {"127.0.0.1", 0},
                        .key = options.key,
                        .lease = lease,
                        .witness = etcd.witness().text(),
                        .claim = {.term = 6},
                        .promised = true,
                        .ask_other = [](uint64_t) { return OtherManager::kRules; },
                        .keep_vote = {}},
                       {.on_elected = {}, .on_other = [&] { other = true; }, .on_waiting = {}},
                       sail::Log("candidate", sail::LogLevel::kOff));
  ASSERT_TRUE(candidate);
  wait([&] { return other; });
}

}  // namespace
}  // namespace manager
