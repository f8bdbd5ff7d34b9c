// A stream's sender of the model: the product's SwapPlan, with the rules of StreamSender around it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "receiver/frame/frame.h"
#include "sail/client/sync/swap_plan.h"
#include "sail/core/wire/application_messages.h"
#include "tests/model/model_receiver.h"
#include "tests/model/network.h"

namespace model {

class ModelWall;

class ModelSender {
 public:
  ModelSender(ModelWall& wall, size_t number, bool grouped);

  // --- time
  // A new frame; present_ns: when it is to be shown, 0: at once.
  void submit(int64_t present_ns);
  void tick();

  // --- the manager
  void route(const sail::Routes& routes);
  void take_effect(const sail::TakeEffect& taken);
  void lose_manager();
  // Returns the routes to tell the next manager.
  const sail::Routes& resume();
  // The node coordinates the group with this secret.
  void join_group(size_t node, uint64_t secret);

  // --- receivers and the coordinator
  void lose(size_t node, int life);
  void accepted(size_t node, int life);
  void ready(size_t node, int life, const receiver::FrameKey& key);
  void reported(size_t node, int life, const sail::FrameReport& report);
  void decided(const sail::GroupDecision& decision);
  void lose_coordinator();

  // Whether a frame waits for this node, which would be left behind if it were unreachable.
  bool may_suspect(size_t node) const;
  // Takes the node for unreachable, rightly or not.
  void suspect(size_t node);

  uint32_t stream() const { return static_cast<uint32_t>(number_ + 1); }
  bool routed() const { return !routes_.routes.empty(); }
  // Whether frames do not go to this node: it has no connection, or is not in the map in effect.
  bool is_cut_from(size_t node) const;
  // Whether the other receivers continue without it.
  bool leaves_behind(size_t node) const;
  // Whether it announced a layout before all receivers reported the frames of the map before.
  bool hurried() const { return hurried_; }
  uint64_t newest() const { return newest_; }
  int64_t present_ns(uint64_t frame) const {
    const auto it = presents_.find(frame);
    return it == presents_.end() ? 0 : it->second;
  }

  Process process;
  bool met = false;  // it has a session with the manager

 private:
  struct Link {
    size_t node = 0;
    int life = 0;
    bool accepted = false;
    bool away = false;
    bool in_map = false;
    receiver::FrameKey sent{};
    receiver::FrameKey released{};  // to be shown
    std::set<receiver::FrameKey> unreported{};
  };
  uint32_t link_to(const sail::Route& route);
  Link* find(size_t node, int life);
  std::optional<uint32_t> link_of(size_t node) const;
  bool is_in_effect(size_t node) const;
  void open(Link& link);
  void follow(const sail::Routes& routes);
  void serve();
  void tell(Link& link, const sail::FrameShow& show);
  void tell_all(const sail::FrameShow& show);
  void restore_rolled_back();
  void carry_out();
  bool awaits_reports();
  void connect_coordinator();
  bool coordinator_answers() const;

  ModelWall& wall_;
  const size_t number_;
  sail::SwapPlan plan_;
  std::vector<Link> links_;  // by the plan's member number
  sail::Routes routes_;
  sail::Routes in_effect_;
  std::optional<sail::Routes> rolled_back_;
  uint64_t newest_ = 0;
  bool hurried_ = false;
  uint64_t epoch_ = 0;
  std::map<uint64_t, int64_t> presents_;
  std::optional<size_t> coordinator_;  // its node
  uint64_t secret_ = 0;                // of the group there
  bool joined_ = false;
  int64_t heard_ns_ = 0;  // last message of the coordinator
  int64_t ticked_ns_ = 0;
};

}  // namespace model
