// Delivers reports to one webhook. Runs on the loop thread.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "sail/core/base/log.h"
#include "sail/core/loop/loop.h"
#include "sail/core/wire/webhooks.h"
#include "ui/hooks/http_posts.h"
#include "ui/hooks/report_queue.h"

namespace ui {

// An answer that comes after the destruction has no effect.
class WebhookTarget : public std::enable_shared_from_this<WebhookTarget> {
 public:
  // on_changed: state() has changed. posts must outlive this object.
  WebhookTarget(sail::Loop& loop, HttpPosts& posts, sail::Webhook webhook,
                std::function<void()> on_changed, const sail::Log& log);
  // Logs how many reports were not delivered.
  ~WebhookTarget();
  WebhookTarget(const WebhookTarget&) = delete;
  WebhookTarget& operator=(const WebhookTarget&) = delete;

  void add(const WallReport& report);
  // Sends the report once, before those that wait. Success enables the webhook.
  void test(const WallReport& report, std::function<void(const PostResult&)> done);
  const sail::Webhook& webhook() const { return webhook_; }
  const sail::WebhookState& state() const { return queue_.state(); }

 private:
  void send_next();
  void finish(const PostResult& result);

  HttpPosts& posts_;
  const sail::Webhook webhook_;
  const std::function<void()> on_changed_;
  const sail::Log log_;
  ReportQueue queue_;
  sail::Timer pause_;
};

}  // namespace ui
