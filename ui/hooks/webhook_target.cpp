#include "ui/hooks/webhook_target.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "sail/core/base/private_file.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/time/clock.h"
#include "ui/hooks/signature.h"

namespace ui {
namespace {

constexpr int kGone = 410;
constexpr size_t kMostFile = 4096;  // bytes of a secret or of headers

int64_t hooks_now_ms() {
  return sail::steady_now_ns() / sail::kMillisecondNs;
}

sail::Result<std::string> read_secret_file(const std::string& path) {
  struct stat facts {};
  if (stat(path.c_str(), &facts) != 0) {
    return sail::fail(sail::ErrorCode::kIo,
                      fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  }
  if (!S_ISREG(facts.st_mode)) {  // Opening a pipe would wait for its writer.
    return sail::fail(sail::ErrorCode::kInvalidParams, fmt::format("{} is not a file", path));
  }
  if ((facts.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return sail::fail(sail::ErrorCode::kUnauthorized,
                      fmt::format("other users can access {0}: run `chmod 600 {0}`", path));
  }
  auto text = sail::read_file(path, kMostFile);
  if (text && text->size() > kMostFile) {
    return sail::fail(sail::ErrorCode::kLimit,
                      fmt::format("{} has more than {} bytes", path, kMostFile));
  }
  return text;
}

// Headers that the report itself needs.
bool is_reserved(std::string_view name) {
  const std::string lower = sail::lower(name);
  constexpr std::string_view kReserved[] = {"connection", "content-length", "content-type",
                                            "expect",     "host",           "transfer-encoding"};
  return lower.starts_with("webhook-") ||
         std::ranges::find(kReserved, lower) != std::end(kReserved);
}

sail::Result<void> add_headers(const std::string& path, std::vector<std::string>& headers) {
  const auto text = read_secret_file(path);
  if (!text) return text.error();
  std::string_view rest = *text;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const std::string header(sail::trimmed(line));
    if (header.empty()) continue;
    const size_t colon = header.find(": ");
    if (colon == std::string::npos || colon == 0 || !sail::is_plain_text(header)) {
      return sail::fail(sail::ErrorCode::kInvalidParams,
                        fmt::format("{}: each line must be a header, NAME: VALUE", path));
    }
    if (is_reserved(std::string_view(header).substr(0, colon))) {
      return sail::fail(sail::ErrorCode::kInvalidParams,
                        fmt::format("{}: {} cannot be set", path, header.substr(0, colon)));
    }
    headers.push_back(header);
  }
  return {};
}

sail::Result<HttpPost> make_post(const sail::Webhook& webhook, const WallReport& report) {
  const int64_t now_s = std::time(nullptr);
  HttpPost post{.url = webhook.url,
                .headers = {"Content-Type: application/json", "Webhook-Id: " + report.id,
                            fmt::format("Webhook-Timestamp: {}", now_s)},
                .body = report.body};
  if (!webhook.secret_file.empty()) {
    const auto secret = read_secret_file(webhook.secret_file);
    if (!secret) return secret.error();
    const auto key = webhook_key(sail::trimmed(*secret));
    if (!key) {
      return sail::fail(key.error().code,
                        fmt::format("{}: {}", webhook.secret_file, key.error().message));
    }
    post.headers.push_back("Webhook-Signature: " +
                           webhook_signature(*key, report.id, now_s, report.body));
  }
  if (!webhook.headers_file.empty()) {
    if (auto added = add_headers(webhook.headers_file, post.headers); !added) return added.error();
  }
  return post;
}

}  // namespace

WebhookTarget::WebhookTarget(sail::Loop& loop, HttpPosts& posts, sail::Webhook webhook,
                             std::function<void()> on_changed, const sail::Log& log)
    : posts_(posts),
      webhook_(std::move(webhook)),
      on_changed_(std::move(on_changed)),
      log_(log),
      queue_(webhook_.name),
      pause_(loop) {}

WebhookTarget::~WebhookTarget() {
  if (state().waiting == 0) return;
  log_.warning("webhook '{}': {} reports were not delivered", webhook_.name, state().waiting);
}

void WebhookTarget::add(const WallReport& report) {
  queue_.add(report);
  on_changed_();
  send_next();
}

void WebhookTarget::send_next() {
  const int64_t pause_ms = queue_.pause_ms(hooks_now_ms());
  if (pause_ms < 0) return;
  if (pause_ms > 0) return pause_.start(pause_ms, 0, [this] { send_next(); });
  const WallReport report = *queue_.begin(hooks_now_ms());
  auto post = make_post(webhook_, report);
  if (!post) return finish({.error = post.error().message});
  posts_.begin(*std::move(post), [weak = weak_from_this()](const PostResult& result) {
    if (const auto self = weak.lock()) self->finish(result);
  });
}

void WebhookTarget::finish(const PostResult& result) {
  const std::string why = sail::make_plain_text(result.error, sail::kMaxTitleLength);
  const bool failed_before = !state().error.empty();
  if (result.error.empty()) {
    queue_.delivered();
    if (failed_before) log_.info("webhook '{}' takes reports again", webhook_.name);
  } else if (result.status == kGone) {
    queue_.refused(why + ": its server wants no more reports");
    log_.warning("webhook '{}' is disabled: {}", webhook_.name, state().error);
  } else {
    queue_.failed(why, hooks_now_ms());
    if (!failed_before) {
      log_.warning("webhook '{}': {}; trying again with growing pauses", webhook_.name, why);
    }
  }
  on_changed_();
  send_next();
}

void WebhookTarget::test(const WallReport& report, std::function<void(const PostResult&)> done) {
  auto post = make_post(webhook_, report);
  if (!post) return done({.error = post.error().message});
  posts_.begin(*std::move(post),
               [weak = weak_from_this(), done = std::move(done)](const PostResult& result) {
                 done(result);
                 const auto self = weak.lock();
                 if (!self || !result.error.empty()) return;
                 self->queue_.enable();
                 self->on_changed_();
                 self->send_next();
               });
}

}  // namespace ui
