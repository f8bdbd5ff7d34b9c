// What must hold on a modelled wall: no mixed frame, no layout half, all is well in the end. Tiles
// with an allowance may differ until they have caught up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/model/model_wall.h"
#include "tests/model/scenario.h"

namespace model {

class WallWatch {
 public:
  explicit WallWatch(const ModelWall& wall);

  // Checks the tiles at the end of an instant, when all that was due is shown. Returns the first
  // violation; empty: none.
  std::string look();
  // The process was killed; whole: all that it wrote in its last step was sent.
  void killed(size_t process, bool whole);

  // Why all is not well; empty: it is.
  std::string unwell() const;
  // What the tiles show.
  std::string pictures() const;
  uint64_t state() const;

 private:
  std::string half_layout() const;
  bool layouts_differ() const;
  bool is_delayed(size_t node, size_t sender) const;
  bool is_left_out(size_t node, size_t sender) const;
  bool may_differ(size_t node, size_t sender) const {
    return late_[node][sender] || is_delayed(node, sender);
  }
  bool excuses(Allowance allowance, bool is_so) const {
    return is_so && wall_.scenario().allowed.contains(allowance);
  }
  bool decision_is_late(size_t line) const;
  bool scene_is_late(size_t line) const;
  bool is_seen(size_t node, const ModelSender& sender) const;
  std::optional<std::string> difference(bool with_late) const;

  const ModelWall& wall_;
  std::vector<std::vector<bool>> late_;  // by node and sender: was left out, and has not caught up
  int64_t manager_died_ns_ = 0;
  bool sender_died_writing_ = false;
};

}  // namespace model
