#include "ui/hooks/webhook_sender.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <string_view>
#include <utility>

#include "sail/core/base/secret.h"
#include "ui/client/answers.h"

namespace ui {
namespace {

constexpr int64_t kSettleMs = 5000;  // peers return to a new manager within this time
constexpr int64_t kStatesMs = 200;   // between notifications about states

// "2026-11-29T17:40:05.123Z"
std::string utc_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const int64_t ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  const std::time_t seconds = ms / 1000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  const size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  return fmt::format("{}.{:03}Z", std::string_view(text.data(), size), ms % 1000);
}

// Replies when all webhooks have answered: each pending request holds a reference.
struct WebhookTests {
  sail::RpcPeer::Reply reply;
  sail::Json webhooks = sail::Json::array();
  ~WebhookTests() { reply(sail::Json{{"webhooks", std::move(webhooks)}}); }
};

}  // namespace

WebhookSender::WebhookSender(sail::Loop& loop, const sail::Address& manager, OnEnd on_end,
                             const sail::Log& log)
    : loop_(loop),
      on_end_(std::move(on_end)),
      log_(log),
      posts_(loop),
      settle_(loop),
      report_(loop) {
  link_ = std::make_unique<sail::ManagerLink>(
      loop, manager,
      [](const sail::Address&) { return sail::Hello{.role = sail::Role::kUi, .name = "webhooks"}; },
      sail::ManagerLink::Handlers{
          .on_connected = [this](const sail::Json&) { on_connected(); },
          .on_request =
              [this](const std::string& method, const sail::Json& params,
                     const sail::RpcPeer::Reply& reply) { on_request(method, params, reply); },
          .on_lost =
              [this](const sail::Error&) {
                follows_wall_ = false;
                settle_.stop();
              },
          .on_refused = [this](const sail::Error& error) { on_end_(error); }},
      log_);
}

// The first report makes this program the one that delivers the webhooks.
void WebhookSender::on_connected() {
  link_->peer()->call(sail::WebhooksReport::kMethod, states(), [this](const auto& answer) {
    if (!answer) return refused(answer.error());
    link_->peer()->call("webhooks_settings", sail::Json::object(), [this](const auto& settings) {
      if (!settings) return refused(settings.error());
      take_settings(*settings);
      follow_wall();
    });
  });
}

void WebhookSender::refused(const sail::Error& why) {
  const bool is_lost =
      why.code == sail::ErrorCode::kUnavailable || why.code == sail::ErrorCode::kTimeout;
  if (!is_lost) on_end_(why);
}

void WebhookSender::take_settings(const sail::Json& settings) {
  const auto webhooks = sail::read_webhooks(member(settings, "webhooks"), "webhooks");
  if (!webhooks) return on_end_(webhooks.error());
  std::vector<std::shared_ptr<WebhookTarget>> targets;
  for (const sail::Webhook& webhook : *webhooks) {
    const auto same = std::ranges::find_if(
        targets_, [&](const auto& target) { return target->webhook() == webhook; });
    targets.push_back(same != targets_.end()
                          ? *same
                          : std::make_shared<WebhookTarget>(
                                loop_, posts_, webhook, [this] { report_soon(); }, log_));
  }
  targets_ = std::move(targets);
  report_soon();
}

void WebhookSender::follow_wall() {
  link_->peer()->call("subscribe", sail::Json::object(), [this](const auto& state) {
    if (!state) return refused(state.error());
    follows_wall_ = true;
    wall_ = text_member(member(*state, "wall"), "name");
    reports_.reset(*state);
    settle_.start(kSettleMs, 0, [this] { send(reports_.settle()); });
  });
}

void WebhookSender::on_request(const std::string& method, const sail::Json& params,
                               const sail::RpcPeer::Reply& reply) {
  if (method == "changed" && follows_wall_) return send(reports_.change(params));
  if (method == "end") return on_end_({});
  if (!reply) return;
  if (method == "test") return test(reply);
  reply(sail::fail(sail::ErrorCode::kUnknownMethod, "unknown method '" + method + "'"));
}

void WebhookSender::send(const std::vector<WallNews>& news) {
  for (const WallNews& one : news) {
    const WallReport report = report_of(one);
    for (const auto& target : targets_) {
      if (target->webhook().wants(one.happening)) target->add(report);
    }
  }
}

void WebhookSender::test(const sail::RpcPeer::Reply& reply) {
  const auto tests = std::make_shared<WebhookTests>();
  tests->reply = reply;
  const WallReport report =
      report_of({sail::Happening::kTest, sail::Json::object(), "this is a test of the webhook"});
  for (const auto& target : targets_) {
    const std::string& name = target->webhook().name;
    const size_t place = tests->webhooks.size();
    tests->webhooks.push_back({{"name", name}, {"delivered", false}});
    target->test(report, [tests, place](const PostResult& result) {
      tests->webhooks[place]["delivered"] = result.error.empty();
      if (!result.error.empty()) tests->webhooks[place]["error"] = result.error;
    });
  }
}

WallReport WebhookSender::report_of(const WallNews& news) const {
  const std::string id = "msg_" + sail::random_word();
  const sail::Json body = {{"id", id},
                           {"time", utc_now()},
                           {"wall", wall_},
                           {"kind", sail::kHappenings.word(news.happening)},
                           {"text", fmt::format("{}: {}", wall_, news.text)},
                           {"facts", news.facts}};
  return {id, body.dump(-1, ' ', false, sail::Json::error_handler_t::replace)};
}

void WebhookSender::report_soon() {
  if (std::exchange(report_is_due_, true)) return;
  report_.start(kStatesMs, 0, [this] {
    report_is_due_ = false;
    if (sail::RpcPeer* manager = link_->peer()) {
      manager->notify(sail::WebhooksReport::kMethod, states());
    }
  });
}

sail::Json WebhookSender::states() const {
  sail::WebhooksReport report;
  for (const auto& target : targets_) report.states.push_back(target->state());
  return to_json(report);
}

}  // namespace ui
