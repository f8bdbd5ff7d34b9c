// An update has replaced the program of this running receiver: the receiver continues until nothing
// moves on its tiles, then ends, so that its service manager starts the new program. Loop thread.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sail/core/base/log.h"
#include "sail/core/loop/loop.h"
#include "sail/core/process/process.h"
#include "sail/core/wire/receiver_messages.h"

namespace receiver {

// When an updated receiver ends. Pure; times are steady.
class UpdatePolicy {
 public:
  explicit UpdatePolicy(int64_t quiet_ns) : quiet_ns_(quiet_ns) {}
  // People see or hear something new, here or by this receiver's decisions on other nodes.
  void active(int64_t now_ns) { active_ns_ = now_ns; }
  // The new program is ready. misfits: see ends().
  void installed(int64_t now_ns, uint64_t misfits);
  // misfits: how often, so far, something showed that the running program may not fit the others,
  // which are newer. A new misfit after installed() ends the receiver at once.
  bool ends(int64_t now_ns, uint64_t misfits) const;

 private:
  const int64_t quiet_ns_;
  int64_t active_ns_ = 0;
  std::optional<int64_t> installed_ns_;
  uint64_t misfits_ = 0;  // at installed()
};

// Whether a tile shows a picture that no sender would send to a new receiver: of a frozen window,
// or of a window whose program has ended. Pure.
bool keeps_picture(const sail::Scene& scene, const std::vector<sail::TileInfo>& tiles,
                   const std::function<bool(uint32_t stream)>& has_sender);

class ProgramUpdate {
 public:
  struct Handlers {
    std::function<bool()> keeps_picture;  // whether the end would lose a picture that does not move
    std::function<uint64_t()> misfits;    // as in UpdatePolicy::ends()
    std::function<void()> on_end;         // called once: end the receiver
  };
  // quiet_s: how long nothing must move. Reads the state of the program's file each second.
  ProgramUpdate(sail::Loop& loop, int64_t quiet_s, Handlers handlers, const sail::Log& log);
  // Ends the new program, if it is being asked for its version.
  ~ProgramUpdate();
  ProgramUpdate(const ProgramUpdate&) = delete;
  ProgramUpdate& operator=(const ProgramUpdate&) = delete;

  void active();
  // Says which version is installed and when it starts; follows "receiver 'node': ". Empty: none.
  const std::string& text() const { return text_; }

 private:
  using Identity = std::pair<dev_t, ino_t>;
  static std::optional<Identity> identity_of(const std::string& file);
  void evaluate();
  // Asks the new program for its version, which proves that it starts.
  void ask(const Identity& found);
  void on_version(const Identity& found, std::string_view output);

  sail::Loop& loop_;
  const int64_t quiet_s_;
  const Handlers handlers_;
  const sail::Log& log_;
  const std::string program_;      // path of this process's program
  std::optional<Identity> known_;  // the running program, then the last one that was installed
  // The last one that did not start: is logged once, and asked again each minute.
  std::optional<Identity> failed_;
  std::string text_;
  UpdatePolicy policy_;
  std::unique_ptr<sail::Process> asked_;  // null: none
  int64_t asked_ns_ = 0;
  sail::Timer timer_;
};

}  // namespace receiver
