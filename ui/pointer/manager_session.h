// A WallSession connected to a manager. Keeps a view of the wall, and sends pointers, places and
// moves at most every kSendEveryMs, only the newest of each. Reconnects automatically. Runs on the
// loop thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "sail/core/base/log.h"
#include "sail/core/loop/loop.h"
#include "sail/core/rpc/call_queue.h"
#include "sail/core/rpc/manager_link.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/wall/event_request.h"
#include "sail/core/wire/hello_messages.h"
#include "ui/pointer/pointer_mapper.h"

namespace ui {

struct SessionOptions {
  sail::Address manager;
  sail::Hello hello;    // name and colour are shown on the wall
  std::string style{};  // of the pointers, as for the verb "pointer"; empty: arrow
};

class ManagerSession : public WallSession {
 public:
  static constexpr int64_t kSendEveryMs = 16;

  struct Handlers {
    std::function<void()> on_view;  // the view has changed
    std::function<void()> on_lost;  // the connection is lost and the view is empty
    std::function<void(const sail::Error&)> on_refused;  // rejected permanently; no reconnect
  };
  ManagerSession(sail::Loop& loop, const SessionOptions& options, Handlers handlers,
                 const sail::Log& log);

  const WallView& view() const override { return view_; }
  void show_pointer(int number, const WallPoint& at, bool pressed) override;
  void hide_pointer(int number) override;
  void place(uint32_t window, const sail::Rect& rect, const std::string& gesture,
             bool last) override;
  void input(const sail::Json& params) override;
  void ask(std::string_view verb, const sail::Json& params) override;
  // Events wait for the connection, up to a limit.
  void run(const sail::EventVerb& event);

 private:
  struct Place {
    sail::Rect rect;
    std::string gesture;
  };
  void welcomed();
  void lost();
  void on_notification(const std::string& method, const sail::Json& params);
  void soon();
  void send();
  void notify(std::string_view verb, const sail::Json& params);

  Handlers handlers_;
  sail::Log log_;
  WallView view_;
  bool subscribed_ = false;
  const std::string style_;
  // Pending updates, only the newest of each.
  std::map<int, sail::Json> pointers_;
  std::map<uint32_t, Place> places_;
  std::map<uint32_t, sail::Json> moves_;  // input of type "move"
  sail::Timer timer_;
  bool waiting_ = false;
  int64_t sent_ns_ = 0;  // time of the last send
  sail::CallQueue events_;
  std::unique_ptr<sail::ManagerLink> link_;
};

}  // namespace ui
