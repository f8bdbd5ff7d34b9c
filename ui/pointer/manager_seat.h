// A seat at a real manager: a UI client that keeps its view of the wall, and sends what hands do at
// most kSendsPerS times a second, the newest of each. Comes back by itself when the manager does.
// Thread: the loop's.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "sail/base/log.h"
#include "sail/net/loop.h"
#include "sail/net/manager_link.h"
#include "sail/net/tcp.h"
#include "sail/wire/control_messages.h"
#include "ui/pointer/hands.h"

namespace ui {

struct SeatOptions {
  sail::Address manager;
  sail::Hello hello;  // name and colour are what people see
};

class ManagerSeat : public Seat {
 public:
  static constexpr int64_t kSendEveryMs = 16;

  struct Handlers {
    std::function<void()> on_view;                       // the view has changed
    std::function<void()> on_lost;                       // the manager is gone: the view is empty
    std::function<void(const sail::Error&)> on_refused;  // for good
  };
  ManagerSeat(sail::Loop& loop, const SeatOptions& options, Handlers handlers,
              const sail::Log& log);

  const WallView& view() const override { return view_; }
  void show_pointer(int number, const WallPoint& at, bool pressed) override;
  void hide_pointer(int number) override;
  void place(uint32_t window, const sail::Rect& rect, const std::string& gesture,
             bool last) override;
  void input(const sail::Json& params) override;
  void ask(std::string_view verb, const sail::Json& params) override;

 private:
  struct Place {
    sail::Rect rect;
    std::string gesture;
  };
  void welcomed();
  void lost();
  void heard(const std::string& method, const sail::Json& params);
  void soon();
  void send();
  void tell(std::string_view verb, const sail::Json& params);

  Handlers handlers_;
  sail::Log log_;
  WallView view_;
  bool subscribed_ = false;
  // Waiting to be sent, the newest of each.
  std::map<int, sail::Json> pointers_;
  std::map<uint32_t, Place> places_;
  std::map<uint32_t, sail::Json> moves_;  // input of the type "move"
  sail::Timer timer_;
  bool waiting_ = false;
  int64_t sent_ns_ = 0;  // when last
  std::unique_ptr<sail::ManagerLink> link_;
};

}  // namespace ui
