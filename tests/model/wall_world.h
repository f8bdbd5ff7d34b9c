// All steps that a modelled wall may take. Messages of different connections arrive in any order;
// processes are killed, stopped and back at any step.
//
// Messages arrive before time passes, unless their connection is held or their process is stopped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/model/explorer.h"
#include "tests/model/model_wall.h"
#include "tests/model/scenario.h"
#include "tests/model/wall_watch.h"

namespace model {

class WallWorld final : public World {
 public:
  explicit WallWorld(const Scenario& scenario);

  size_t choices() override;
  void choose(size_t choice) override;
  void finish() override;
  uint64_t fingerprint() const override;

 private:
  enum class Step : uint8_t {
    kDeliver,
    kPass,
    kMove,
    kBack,
    kGoOn,
    kRelease,
    kMiss,  // the sender rightly takes a receiver for unreachable
    kStop,
    kHold,
    kCut,
    kSuspect,  // the same, wrongly
    kKill,
    kKillUnsent,
    kKillLosing
  };
  struct Choice {
    Step step{};
    size_t which = 0;
    size_t detail = 0;
  };
  void settle();
  bool list_deliveries();
  void list_returns();
  void list_faults();
  void list_kills(size_t process);
  void list_suspicions();
  bool may_be_killed(size_t process) const;
  bool may_be_cut(size_t line) const;
  void perform(const Choice& choice);
  void perform_fault(const Choice& choice);
  void kill(const Choice& choice);
  void pass();
  std::string name(const Choice& choice) const;
  std::string line_name(size_t line) const;

  const Scenario scenario_;
  ModelWall wall_;
  Network& network_;
  WallWatch watch_;
  std::vector<Choice> choices_;
  int faults_left_ = 0;
  size_t moves_ = 0;
};

}  // namespace model
