// The command webhooks: the state of the wall's webhooks, and a test of them.
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "sail/core/wire/webhooks.h"
#include "ui/client/answers.h"
#include "ui/client/commands.h"

namespace ui {
namespace {

std::string webhooks_text(const sail::Json& answer) {
  std::vector<std::vector<std::string>> rows = {
      {"WEBHOOK", "SERVER", "DELIVERED", "WAITING", "FAILED", "DROPPED", "LAST ERROR"}};
  for (const sail::Json& webhook : member(answer, "webhooks")) {
    const char* mark = true_member(webhook, "disabled") ? "disabled: " : "";
    rows.push_back({text_of(webhook, "name"), text_of(webhook, "url"),
                    text_of(webhook, "delivered"), text_of(webhook, "waiting"),
                    text_of(webhook, "failed"), text_of(webhook, "dropped"),
                    mark + text_member(webhook, "error")});
  }
  return rows.size() > 1 ? table(rows) : "the wall file has no \"webhooks\"";
}

int test_webhooks(Context& context) {
  const auto answer =
      context.call("webhooks_test", sail::Json::object(), 2 * sail::kWebhooksTestMs);
  if (!answer) return context.failure();
  const sail::Json webhooks = member(*answer, "webhooks");
  std::vector<std::vector<std::string>> rows = {{"WEBHOOK", "TEST"}};
  for (const sail::Json& webhook : webhooks) {
    const std::string error = text_member(webhook, "error");
    rows.push_back({text_of(webhook, "name"),
                    true_member(webhook, "delivered") ? "delivered" : "failed: " + error});
  }
  const int code = context.done(*answer, table(rows));
  const bool all = std::ranges::all_of(
      webhooks, [](const sail::Json& webhook) { return true_member(webhook, "delivered"); });
  return code == kDone && !all ? kFailed : code;
}

}  // namespace

void add_webhooks_command(const Command& app, Context& context) {
  const auto action = std::make_shared<std::string>();
  const Command command =
      app.command(
             "webhooks",
             "Print which reports the web servers of \"webhooks\" in the wall file have taken,\n"
             "or test all of them; exit 1 if one does not take the test")
          .group("Wall");
  command.option("action", *action, "test: send a report to each webhook now").one_of({"test"});
  command.runs([&context, action] {
    if (*action == "test") return test_webhooks(context);
    return context.perform("webhooks", sail::Json::object(), webhooks_text);
  });
}

}  // namespace ui
