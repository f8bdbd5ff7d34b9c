// The strokes on the wall and its windows, as notifications "drawings" for clients
// (COMMANDS.md, "subscribe"). Each has only the strokes that changed. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "manager/wall/arrangement.h"
#include "manager/wall/drawing.h"
#include "sail/core/text/json.h"

namespace manager {

class DrawingFeed {
 public:
  // Returns the parameters of the notifications about changes since the last call. Each fits one
  // control message.
  std::vector<sail::Json> take(const Arrangement& arrangement);
  // Returns the parameters of the notifications for a client that knows no drawing yet: the
  // drawings as of the last take().
  std::vector<sail::Json> all() const;

 private:
  std::map<uint32_t, Drawing> sent_;  // Not empty, by window; 0: on the wall.
};

}  // namespace manager
