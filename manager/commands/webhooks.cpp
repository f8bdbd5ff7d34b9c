// The webhooks: their state, a test, and the program that delivers them.
#include "manager/peers/webhooks.h"

#include "manager/commands/verbs.h"
#include "manager/desk/desk.h"

namespace manager::verbs {

Answer webhooks(const Call& /*call*/, const Webhooks& hooks) {
  return sail::Json{{"webhooks", hooks.json()}};
}

void webhooks_test(const Call& call, Webhooks& hooks) {
  hooks.test(call.reply);
}

Answer webhooks_settings(const Call& /*call*/, const Desk& desk) {
  return sail::Json{{"webhooks", sail::webhooks_json(desk.wall().webhooks)}};
}

Answer webhooks_report(const Call& call, Webhooks& hooks) {
  return sail::message_from_json<sail::WebhooksReport>(call.params)
      .and_then([&](const sail::WebhooksReport& report) {
        return hooks.report(call.peer, report).map([] { return sail::Json::object(); });
      });
}

}  // namespace manager::verbs
