// Follows the wall's state, and sends what happens to the webhooks of the wall file. The manager
// has the settings, and gets the state of each webhook. Thread: the loop's.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sail/core/base/log.h"
#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"
#include "sail/core/rpc/manager_link.h"
#include "sail/core/wire/webhooks.h"
#include "ui/hooks/http_posts.h"
#include "ui/hooks/wall_reports.h"
#include "ui/hooks/webhook_target.h"

namespace ui {

class WebhookSender {
 public:
  // on_end: the wall is shut down, or the error with which the manager refuses this program.
  using OnEnd = std::function<void(const sail::Result<void>&)>;
  WebhookSender(sail::Loop& loop, const sail::Address& manager, OnEnd on_end, const sail::Log& log);

 private:
  void on_connected();
  // Ends the program unless the connection was lost, which the link restores.
  void refused(const sail::Error& why);
  void take_settings(const sail::Json& settings);
  void follow_wall();
  void on_request(const std::string& method, const sail::Json& params,
                  const sail::RpcPeer::Reply& reply);
  void send(const std::vector<WallNews>& news);
  void test(const sail::RpcPeer::Reply& reply);
  WallReport report_of(const WallNews& news) const;
  // Sends the states of the webhooks to the manager.
  void report_soon();
  sail::Json states() const;

  sail::Loop& loop_;
  const OnEnd on_end_;
  const sail::Log log_;
  HttpPosts posts_;
  std::vector<std::shared_ptr<WebhookTarget>> targets_;
  WallReports reports_;
  std::string wall_;  // the wall's name
  bool follows_wall_ = false;
  bool report_is_due_ = false;
  sail::Timer settle_;
  sail::Timer report_;
  std::unique_ptr<sail::ManagerLink> link_;
};

}  // namespace ui
