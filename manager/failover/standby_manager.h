// A standby manager on another host. It copies the primary's journal into its own state folder. It
// listens and refuses all peers, but remembers which receivers have come. At a takeover
// (failover_policy.h) this object ends, and a manager starts with the state folder as after a
// restart. Runs on the loop thread.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "manager/failover/failover_policy.h"
#include "manager/failover/witness_lease.h"
#include "manager/files/saved_files.h"
#include "manager/sessions/saved_wall.h"
#include "sail/core/base/log.h"
#include "sail/core/loop/loop.h"
#include "sail/core/rpc/manager_link.h"
#include "sail/core/rpc/rpc_service.h"
#include "sail/core/time/clock_line.h"
#include "sail/core/time/system_clock.h"
#include "sail/core/wall/wall.h"
#include "sail/core/wire/standby.h"

namespace manager {

struct StandbyManagerOptions {
  sail::Wall wall;
  sail::Address listen;
  std::optional<sail::Address> page{};  // Address and TLS of its page after a takeover.
  bool page_by_tls = false;
  sail::Address primary;  // The manager to follow.
  sail::WallKey key;
  sail::ClockSource clock = sail::ClockSource::kManager;
  std::filesystem::path state_folder;
  bool ends_with_wall = false;  // A manager launched it, or it was the wall's manager before.
  // With ends_with_wall: fails if its manager has not answered for this long after the start.
  int64_t first_contact_timeout_ns = int64_t{10} * 1'000'000'000;
};

// State for the takeover, in addition to the state folder.
struct Inheritance {
  uint64_t term = 1;
  sail::ClockLine clock{};
  std::shared_ptr<WitnessLease> lease{};  // null: the wall has no witness
};

class StandbyManager {
 public:
  // Exactly one handler is called, once. Destroy this object soon after.
  struct Handlers {
    std::function<void(const Inheritance&)> on_take_over;
    // Called only with ends_with_wall: the wall shuts down.
    std::function<void()> on_end;
    std::function<void(const sail::Error&)> on_failed;
  };
  // Starts to listen and to follow. kConflict: the port is in use.
  static sail::Result<std::unique_ptr<StandbyManager>> start(sail::Loop& loop,
                                                             StandbyManagerOptions options,
                                                             Handlers handlers,
                                                             const sail::Log& log);

  sail::Address address() const { return service_.address(); }
  // Whether the primary is connected and all its documents are stored here.
  bool up_to_date() const {
    return followed_ && wanted_.empty() && reading_.empty() && unwritten_.empty();
  }
  // Whether the primary is lost, and the takeover waits only for receivers, or the witness.
  bool waits() const { return waiting_logged_ && !followed_; }

 private:
  enum class Followed : uint8_t { kLayout, kSession, kKept };

  StandbyManager(sail::Loop& loop, StandbyManagerOptions options, Handlers handlers,
                 const sail::Log& log);

  sail::Result<sail::Json> turn_away(sail::ServicePeer& peer);
  // Promises not to take over for a while, if this standby may vote for the term.
  bool vote(uint64_t term);
  // --- the journal
  void connect();
  void welcomed(const sail::Json& welcome);
  void handle_journal(const sail::Result<sail::Json>& answer);
  sail::Result<void> check(const sail::Journal& journal) const;
  sail::Result<void> check_term(const sail::Journal& journal) const;
  void keep_term();
  void on_notification(const std::string& method, const sail::Json& params);
  void lost(const sail::Error& error);
  void want(Followed what, const std::string& name);
  void read_next();
  void keep(Followed what, const std::string& name, const sail::Result<sail::Json>& answer);
  void kept(Followed what, const std::string& name, const sail::Result<void>& result);
  void log_kept(const std::string& what, const sail::Result<void>& result);
  void try_again();
  // Checks a document and returns the file to write.
  sail::Result<SavedFiles::Pending> prepare(Followed what, const std::string& name,
                                            const sail::Json& document) const;
  void forget(Followed what, const std::string& name) const;
  void set_receivers(const std::vector<std::string>& names);
  // --- takeover and shutdown
  void check_primary();
  // Asks the witness for the lease while the primary is lost.
  void ask_witness(int64_t now_ns);
  void log_waiting(int64_t now_ns) const;
  bool is_left_alone(int64_t now_ns) const;
  void take_over();
  void end();
  void fail(const sail::Error& error);

  sail::Loop& loop_;
  const StandbyManagerOptions options_;
  const Handlers handlers_;
  sail::Log log_;
  const std::string primary_;  // Address of the primary.
  const int64_t begun_ns_;
  SavedFiles layouts_;
  SavedFiles sessions_;
  FailoverPolicy failover_policy_;
  const std::shared_ptr<WitnessLease> lease_;  // null: the wall has no witness
  uint64_t term_ = 0;                          // Term of the primary; 0: never followed.
  bool term_kept_ = false;
  sail::ClockLine clock_;
  bool followed_ = false;  // The primary is connected and followed.
  bool waiting_logged_ = false;
  std::string witness_trouble_;  // the last one in the log
  std::deque<std::pair<Followed, std::string>> wanted_;
  std::vector<std::pair<Followed, std::string>> unwritten_;  // Not written: disk full, or failed.
  bool disk_full_logged_ = false;
  std::string reading_;  // Document being read or written; empty: none.
  std::shared_ptr<void> writing_;
  sail::RpcService service_;
  std::unique_ptr<sail::ManagerLink> link_;
  sail::Timer tick_;
  sail::Timer again_;
};

}  // namespace manager
