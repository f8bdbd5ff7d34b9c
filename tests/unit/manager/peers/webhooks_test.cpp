// A manager with webhooks, and programs of the test that deliver them.
#include "manager/peers/webhooks.h"

#include <gmock/gmock.h>

#include "tests/unit/manager/peers/manager_test.h"

namespace manager {
namespace {

using sail::Json;
using testing::HasSubstr;

class WebhooksTest : public ManagerTest {
 protected:
  WebhooksTest() {
    options.wall.webhooks = {{.name = "desk",
                              .url = "https://desk.example/secret",
                              .on = {sail::Happening::kAlarm},
                              .secret_file = "/etc/desk"}};
    options.hooks_program = "/bin/true";  // The test is the program.
  }
  static Json states(int retries, bool disabled = false) {
    return {{"states",
             {{{"name", "desk"},
               {"delivered", 3},
               {"waiting", 0},
               {"failed", 0},
               {"dropped", 0},
               {"retries", retries},
               {"disabled", disabled},
               {"error", "refused"}}}}};
  }
  // Returns the sentence of the wall's problem with webhooks; empty: there is none.
  static std::string problem(ScriptedPeer& console) {
    const Json why = console.expect("why");
    for (const Json& problem : why["problems"]) {
      if (problem["cause"] == "webhook") return problem["sentence"];
    }
    return "";
  }
};

TEST_F(WebhooksTest, ClientsSeeTheStateWithoutSecrets) {
  start();
  const auto console = ui();
  const auto program = ui();
  EXPECT_FALSE(console->expect("list")["wall"].contains("webhooks"));
  program->expect("webhooks_report", states(0));
  const Json webhook = console->expect("webhooks")["webhooks"][0];
  EXPECT_EQ(webhook["url"], "https://desk.example");
  EXPECT_EQ(webhook["delivered"], 3);
  EXPECT_FALSE(webhook.contains("secret_file"));
  EXPECT_EQ(program->expect("webhooks_settings")["webhooks"],
            sail::webhooks_json(options.wall.webhooks));
}

TEST_F(WebhooksTest, OnlyOneProgramDelivers) {
  start();
  auto first = ui();
  const auto second = ui();
  first->expect("webhooks_report", states(0));
  EXPECT_EQ(second->call("webhooks_report", states(0)).error().code, sail::ErrorCode::kConflict);
  first.reset();
  wait_asking([&] { return second->call("webhooks_report", states(0)).has_value(); });
}

TEST_F(WebhooksTest, TheProgramTests) {
  start();
  const auto console = ui();
  EXPECT_EQ(console->call("webhooks_test").error().code, sail::ErrorCode::kUnavailable);
  const auto program = ui();
  program->answers["test"] = {{"webhooks", {{{"name", "desk"}, {"delivered", true}}}}};
  program->expect("webhooks_report", states(0));
  EXPECT_EQ(console->expect("webhooks_test"), program->answers["test"]);
}

TEST_F(WebhooksTest, AWebhookThatFailsIsAProblemOfTheWall) {
  start();
  const auto console = ui();
  const auto program = ui();
  program->expect("webhooks_report", states(2));
  EXPECT_THAT(problem(*console), testing::Not(HasSubstr("'desk'")));
  program->expect("webhooks_report", states(3));
  EXPECT_THAT(problem(*console), HasSubstr("'desk' gets no reports: refused"));
  program->expect("webhooks_report", states(0, true));
  EXPECT_THAT(problem(*console), HasSubstr("'desk' is disabled"));
  program->expect("webhooks_report", states(0));
  EXPECT_THAT(problem(*console), testing::Not(HasSubstr("'desk'")));
}

TEST_F(WebhooksTest, AProgramThatEndsIsAProblemOfTheWall) {
  start();
  const auto console = ui();
  wait_asking([&] { return problem(*console).find("vitrail-hooks") != std::string::npos; });
}

TEST_F(WebhooksTest, AWrongReportIsRefused) {
  start();
  const auto program = ui();
  Json wrong = states(0);
  wrong["states"][0]["waiting"] = -1;
  EXPECT_EQ(program->call("webhooks_report", wrong).error().code, sail::ErrorCode::kInvalidParams);
}

}  // namespace
}  // namespace manager
