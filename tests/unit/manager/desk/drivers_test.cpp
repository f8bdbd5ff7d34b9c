// Who drives a window that takes input.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/manager/peers/manager_test.h"

namespace manager {
namespace {

using sail::ErrorCode;
using sail::Json;
using sail::Role;
using testing::HasSubstr;

class DriversTest : public ManagerTest {
 protected:
  struct Person {
    std::unique_ptr<ScriptedPeer> peer;
    Json client;  // Number.
  };
  DriversTest() { options.key = {"", "open sesame, please"}; }

  Person person(const std::string& name, const std::string& key_name) {
    Person person{connect(), nullptr};
    const auto welcome = person.peer->hello(Role::kUi, name, 0, key_named(options.key, key_name));
    EXPECT_TRUE(welcome) << welcome.error().message;
    if (welcome) person.client = (*welcome)["client"];
    return person;
  }
  // The program of a window that takes input.
  void open(const std::string& key_name = "") {
    app_ = connect();
    EXPECT_TRUE(app_->hello(Role::kApplication, "paint", 0, key_named(options.key, key_name)));
    Json params = stream_params();
    params["takes_input"] = true;
    window_ = app_->expect("open_stream", params)["window"];
  }
  Json input(const char* type) const {
    Json params = {{"window", window_}, {"type", type}};
    if (std::string_view(type).starts_with("key")) params["key"] = "a";
    return params;
  }
  Json drive(const char* action) const { return {{"window", window_}, {"action", action}}; }
  Json give(const Person& to) const {
    Json params = drive("give");
    params["to"] = to.client;
    return params;
  }
  // The name; empty: nobody drives.
  std::string driver() const {
    const auto& driver = fs_manager->desk().windows().find(window_)->driver;
    return driver ? driver->person.name : "";
  }
  static ErrorCode error(const Person& person, const char* verb, const Json& params) {
    const auto answer = person.peer->call(verb, params);
    return answer ? ErrorCode{} : answer.error().code;
  }

  std::unique_ptr<ScriptedPeer> app_;
  uint32_t window_ = 0;
};

TEST_F(DriversTest, WhoSendsInputFirstIsShownAndOthersAreNotExcluded) {
  start();
  open();
  const Person ann = person("Ann", "operator/ann");
  const Person bob = person("Bob", "operator/bob");
  ann.peer->expect("input", input("key_up"));  // A release takes nothing.
  EXPECT_EQ(driver(), "");
  ann.peer->expect("input", input("key_down"));
  EXPECT_EQ(driver(), "Ann");
  bob.peer->expect("input", input("key_down"));
  EXPECT_EQ(driver(), "Ann");
  bob.peer->expect("input", input("leave"));
  const Json shown = bob.peer->expect("list")["windows"][0]["driver"];
  EXPECT_EQ(shown["name"], "Ann");
  EXPECT_EQ(shown["client"], ann.client);
  EXPECT_TRUE(shown["since_s"].is_number_integer());
  EXPECT_FALSE(shown.contains("alone"));

  ann.peer->expect("input", input("leave"));
  EXPECT_EQ(driver(), "");
  bob.peer->expect("input", input("key_down"));
  EXPECT_EQ(driver(), "Bob");
  ann.peer->expect("drive", drive("take"));
  EXPECT_EQ(driver(), "Ann");
}

TEST_F(DriversTest, OnlyWhoTookAWindowSendsInput) {
  start();
  open();
  const Person ann = person("Ann", "operator/ann");
  const Person bob = person("Bob", "operator/bob");
  ann.peer->expect("drive", drive("take"));
  const auto refused = bob.peer->call("input", input("key_down"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kConflict);
  EXPECT_THAT(refused.error().message, HasSubstr("'Ann' drives window"));
  bob.peer->expect("input", input("key_up"));
  bob.peer->expect("input", input("leave"));
  ann.peer->expect("input", input("key_down"));
}

TEST_F(DriversTest, SubscribersHearOfIt) {
  start();
  open();
  const Person ann = person("Ann", "operator/ann");
  const Person bob = person("Bob", "operator/bob");
  bob.peer->expect("subscribe");
  ann.peer->expect("drive", drive("take"));
  Json changed = bob.peer->next("changed");
  while (!changed.contains("windows")) changed = bob.peer->next("changed");
  EXPECT_EQ(changed["windows"][0]["driver"]["name"], "Ann");
  EXPECT_EQ(changed["windows"][0]["driver"]["alone"], true);
}

TEST_F(DriversTest, ATakenWindowStaysUntilItIsGivenOrReleased) {
  start();
  open();
  const Person ann = person("Ann", "operator/ann");
  const Person bob = person("Bob", "operator/bob");
  ann.peer->expect("drive", drive("take"));
  ann.peer->expect("input", input("leave"));
  EXPECT_EQ(driver(), "Ann");
  for (const char* action : {"take", "release"}) {
    EXPECT_EQ(error(bob, "drive", drive(action)), ErrorCode::kUnauthorized) << action;
  }
  EXPECT_EQ(error(bob, "drive", give(bob)), ErrorCode::kUnauthorized);
  ann.peer->expect("drive", give(bob));
  EXPECT_EQ(driver(), "Bob");
  EXPECT_EQ(error(ann, "input", input("key_down")), ErrorCode::kConflict);
  EXPECT_FALSE(bob.peer->expect("drive", drive("release")).contains("driver"));
  EXPECT_EQ(driver(), "");
  bob.peer->expect("drive", drive("release"));
}

TEST_F(DriversTest, AWindowIsGivenToClientsThatMayControlIt) {
  start();
  open();
  const Person ann = person("Ann", "operator/ann");
  const Person viewer = person("Vic", "viewer");
  const Person presenter = person("Eve", "presenter/eve");
  EXPECT_EQ(error(ann, "drive", give(viewer)), ErrorCode::kConflict);
  EXPECT_EQ(error(ann, "drive", give(presenter)), ErrorCode::kConflict);
  EXPECT_EQ(error(ann, "drive", give({nullptr, 1'000'000})), ErrorCode::kNotFound);
  EXPECT_EQ(driver(), "");
}

TEST_F(DriversTest, AHigherRightTakesOver) {
  start();
  open("presenter/eve");
  const Person eve = person("Eve", "presenter/eve");
  const Person ann = person("Ann", "operator/ann");
  const Person admin = person("Otto", "");
  eve.peer->expect("drive", drive("take"));
  EXPECT_EQ(error(ann, "input", input("key_down")), ErrorCode::kConflict);
  ann.peer->expect("drive", drive("take"));
  EXPECT_EQ(driver(), "Ann");
  EXPECT_EQ(error(eve, "drive", drive("take")), ErrorCode::kUnauthorized);
  admin.peer->expect("drive", drive("take"));
  EXPECT_EQ(driver(), "Otto");
  EXPECT_EQ(error(ann, "drive", drive("take")), ErrorCode::kUnauthorized);
}

TEST_F(DriversTest, OnlyWindowsThatTakeInputAreDriven) {
  start();
  const Person ann = person("Ann", "operator/ann");
  app_ = connect();
  EXPECT_TRUE(app_->hello(Role::kApplication, "film", 0, options.key));
  window_ = open_stream(*app_);
  EXPECT_EQ(error(ann, "drive", drive("take")), ErrorCode::kConflict);
}

TEST_F(DriversTest, AnIdleDriverLosesTheWindow) {
  options.times.driver_idle_ms = 1;
  start();
  open();
  const Person ann = person("Ann", "operator/ann");
  ann.peer->expect("drive", drive("take"));
  wait([&] { return driver().empty(); });
}

TEST_F(DriversTest, ADriverWhoLeavesLosesTheWindow) {
  options.times.driver_return_ms = 1;
  start();
  open();
  Person ann = person("Ann", "operator/ann");
  ann.peer->expect("drive", drive("take"));
  ann.peer.reset();
  wait([&] { return driver().empty(); });
}

TEST_F(DriversTest, ADriverWhoConnectsAgainKeepsTheWindow) {
  start();
  open();
  Person ann = person("Ann", "operator/ann");
  ann.peer->expect("drive", drive("take"));
  ann.peer.reset();
  ann = person("Ann", "operator/ann");
  wait([&] {
    const auto& now = fs_manager->desk().windows().find(window_)->driver;
    return now && now->client == ann.client;
  });
  ann.peer->expect("input", input("key_down"));
  EXPECT_EQ(driver(), "Ann");
}

}  // namespace
}  // namespace manager
