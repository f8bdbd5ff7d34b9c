// vitrail-manager: reads the command line, determines the term, and runs one FsManager until a
// signal or a request.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "manager/arguments.h"
#include "manager/failover/candidate.h"
#include "manager/failover/other_manager.h"
#include "manager/failover/standby_manager.h"
#include "manager/failover/state_lock.h"
#include "manager/fs_manager.h"
#include "manager/sessions/autosave.h"
#include "sail/core/base/environment.h"
#include "sail/core/base/log.h"
#include "sail/core/command_line/shared_options.h"
#include "sail/core/loop/loop.h"
#include "sail/core/wire/standby.h"
#include "sail/core/wire/stats.h"

namespace manager {
namespace {

// Follows the other manager until this one must take over. Empty: it received a request to end.
sail::Result<std::optional<Inheritance>> stand_by(sail::Loop& loop, Arguments& arguments,
                                                  const sail::Log& log) {
  FsManagerOptions& options = arguments.options;
  const auto primary = primary_of(arguments);
  if (!primary) return primary.error();
  std::optional<Inheritance> inherited;
  std::optional<sail::Error> failed;
  const auto standby_manager =
      StandbyManager::start(loop,
                            {.wall = options.wall,
                             .listen = options.listen,
                             .page = options.page,
                             .page_by_tls = options.page_certificate.has_value(),
                             .primary = *primary,
                             .key = options.key,
                             .clock = options.clock,
                             .state_folder = options.state_folder,
                             .ends_with_wall = was_launched() || arguments.found_active},
                            {.on_take_over =
                                 [&](const Inheritance& result) {
                                   inherited = result;
                                   loop.stop();
                                 },
                             .on_end = [&loop] { loop.stop(); },
                             .on_failed =
                                 [&](const sail::Error& error) {
                                   failed = error;
                                   loop.stop();
                                 }},
                            log);
  if (!standby_manager) return standby_manager.error();
  options.listen = (*standby_manager)->address();
  options.former = *primary;
  if (auto written = sail::write_port_file(arguments.port_file, options.listen.port); !written) {
    return written.error();
  }
  fmt::print("vitrail-manager on {} stands by for {}\n", sail::address_text(options.listen),
             sail::address_text(*primary));
  std::fflush(stdout);
  sail::run_until_signal(loop, [&loop] { loop.stop(); });
  if (failed) return *failed;
  return inherited;
}

// Returns a term to use when the file is damaged: the wall's standby may have taken over.
SavedTerm lost_term(const sail::Wall& wall) {
  SavedTerm lost{.followed = true};
  if (wall.standby) lost.other = wall.standby->listen;
  return lost;
}

sail::Result<void> begin_term(const SavedTerm& saved, uint64_t least_term,
                              FsManagerOptions& options, const sail::Log& log) {
  options.term = std::max(saved.next(), least_term);
  // The other manager may be cut off, and must learn that its term is over.
  if (saved.outruns_other()) {
    if (auto at = sail::parse_address(saved.other, {})) options.former = *at;
  }
  if (options.term == saved.term || options.state_folder.empty()) return {};
  auto kept = save_term(options.state_folder, {.term = options.term, .other = saved.other});
  // If the write fails, the folder still gives this term, unless --term has set a higher one.
  if (!kept && options.term != saved.next()) return kept;
  if (!kept) log.warning("{}", kept.error().message);
  return {};
}

// Two managers with one folder would have the same term and overwrite each other's sessions. If the
// folder cannot be locked, the manager runs: two managers with one folder are a mistake, and rare.
sail::Result<void> keep_to_itself(const std::filesystem::path& state_folder, const sail::Log& log) {
  constexpr int64_t kPatienceMs = 1000;
  if (state_folder.empty()) return {};
  auto locked = lock_state_folder(state_folder, kPatienceMs);
  if (locked || locked.error().code == sail::ErrorCode::kConflict) return locked;
  log.warning("{}; another manager could use the folder, too", locked.error().message);
  return {};
}

enum class Election : uint8_t { kWon, kOtherRules, kEnded };

// Rules with the term of the lease from now on.
void begin_elected(const SavedTerm& saved, FsManagerOptions& options, const sail::Log& log) {
  const SavedTerm now{.term = options.term, .other = saved.other};
  if (now.outruns_other()) {
    if (auto at = sail::parse_address(saved.other, {})) options.former = *at;
  }
  if (options.state_folder.empty()) return;
  // If this fails, the witness gives a later term at the next start.
  if (auto kept = save_term(options.state_folder, now); !kept) {
    log.warning("{}", kept.error().message);
  }
}

// Stores in the state folder that this manager votes for the other one, as if it had followed that
// term. Returns the claim of this manager from now on. Empty: it cannot vote for that term.
std::optional<Claim> keep_vote(SavedTerm& saved, uint64_t term, const Arguments& arguments,
                               const sail::Log& log) {
  const std::filesystem::path& folder = arguments.options.state_folder;
  if (!keeps_term(folder) || term < arguments.term || !saved.is_fenced_by(term)) return {};
  const SavedTerm now{.term = term, .followed = true, .other = saved.other, .lost = saved.lost};
  if (auto kept = save_term(folder, now); !kept) {
    log.warning("{}", kept.error().message);
    return {};
  }
  saved = now;
  return Claim{.term = saved.next(), .kind = Claim::Term::kNew};
}

// Waits for the witness's lease or the other manager's vote, or until the other manager rules.
// kEnded: this process must end.
sail::Result<Election> stand_for_election(sail::Loop& loop, Arguments& arguments, SavedTerm saved,
                                          const sail::Log& log) {
  FsManagerOptions& options = arguments.options;
  options.lease = std::make_shared<WitnessLease>(*options.wall.witness, options.wall.name);
  const bool resumes =
      !saved.followed && keeps_term(options.state_folder) && arguments.term <= saved.term;
  Election election = Election::kEnded;
  const auto decide = [&](Election decision) {
    election = decision;
    loop.stop();
  };
  const auto candidate = Candidate::start(
      loop,
      {.listen = options.listen,
       .key = options.key,
       .lease = options.lease,
       .witness = options.wall.witness->text(),
       .claim = {.term = std::max(saved.next(), arguments.term),
                 .kind = resumes ? Claim::Term::kResumed : Claim::Term::kNew},
       .promised = saved.followed,
       .ask_other =
           [&](uint64_t vote) { return ask_other(saved, arguments.term, options.key, vote); },
       .keep_vote = [&](uint64_t term) { return keep_vote(saved, term, arguments, log); }},
      {.on_elected =
           [&](uint64_t term, std::optional<int64_t> voted_ns) {
             options.term = term;
             options.voted_ns = voted_ns;
             decide(Election::kWon);
           },
       .on_other = [&] { decide(Election::kOtherRules); },
       .on_waiting =
           [&] { (void)sail::write_port_file(arguments.port_file, options.listen.port); }},
      log);
  if (!candidate) return candidate.error();
  options.listen = (*candidate)->address();
  sail::run_until_signal(loop, [&loop] { loop.stop(); });
  if (election == Election::kWon) {
    begin_elected(saved, options, log);
  } else {
    options.lease.reset();
  }
  return election;
}

// Whether this manager took over from the manager of its --standby-of. Started again, it must not
// wait for that manager, which may be lost. But a standby that a manager started follows it.
bool took_over_before(const Arguments& arguments, const SavedTerm& saved) {
  if (arguments.standby_of.empty() || was_launched()) return false;
  const auto primary = primary_of(arguments);
  return primary && !saved.followed && saved.outruns_other() &&
         saved.other == sail::address_text(*primary);
}

// Takes a term that no other manager has, or first stands by for the active manager. Determines
// term and clock. Returns false if the process must end.
sail::Result<bool> succeed(sail::Loop& loop, Arguments& arguments, const sail::Log& log) {
  FsManagerOptions& options = arguments.options;
  const auto kept = load_term_at_start(options.state_folder);
  if (!kept) log.warning("{}", options.term_damage = kept.error().message);
  const bool resumes = kept && took_over_before(arguments, *kept);
  if (resumes && options.restore.empty()) options.restore = Autosave::kName;
  if (arguments.standby_of.empty() || resumes) {
    auto saved = kept.value_or(lost_term(options.wall));
    if (resumes) {
      log.info("took over from the manager at {} before: rules again unless that manager rules",
               saved.other);
    }
    bool other_rules = ask_other(saved, arguments.term, options.key) == OtherManager::kRules;
    if (!other_rules && options.wall.witness) {
      const auto election = stand_for_election(loop, arguments, saved, log);
      if (!election) return election.error();
      if (*election != Election::kOtherRules) return *election == Election::kWon;
      other_rules = true;
    }
    if (!other_rules) {
      // Each takeover adds 1, so the seconds since 1970 exceed any term in use.
      if (!kept) saved.term = static_cast<uint64_t>(std::time(nullptr));
      auto begun = begin_term(saved, arguments.term, options, log);
      if (!begun) return begun.error();
      return true;
    }
    log.info("the manager at {} has taken over this wall: standing by for that manager",
             saved.other);
    // A standby that was started by hand stays when the wall ends.
    arguments.found_active = !resumes;
    arguments.standby_of = saved.other;
  }
  const auto inherited = stand_by(loop, arguments, log);
  if (!inherited) return inherited.error();
  if (!*inherited) return false;
  options.term = (*inherited)->term;
  options.lease = (*inherited)->lease;
  options.former_clock = (*inherited)->clock;
  options.took_over = true;
  options.term_damage.clear();  // The term comes from the primary.
  options.restore = Autosave::kName;
  // The page may fail: a hanging manager may still have its port, and the wall is more important.
  options.page_is_optional = true;
  return true;
}

}  // namespace
}  // namespace manager

namespace {

sail::Result<void> run(manager::Arguments& arguments) {
  const sail::Log log("vitrail-manager", arguments.log_level);
  if (auto set = manager::set_options(arguments); !set) return set;
  manager::FsManagerOptions& options = arguments.options;
  const std::string ready_text =
      fmt::format("wall '{}', {} tiles, {}×{} pixels", options.wall.name, options.wall.tiles.size(),
                  options.wall.size.width, options.wall.size.height);

  if (auto kept = manager::keep_to_itself(options.state_folder, log); !kept) {
    return kept;
  }
  sail::raise_descriptor_limit();
  sail::Loop loop;
  const auto active = manager::succeed(loop, arguments, log);
  if (!active) return active.error();
  if (!*active) return {};
  bool fenced = false;
  options.on_fenced = [&](uint64_t /*term*/) {
    fenced = true;
    loop.stop();
  };
  const auto manager =
      manager::FsManager::start(loop, std::move(options), log, [&loop] { loop.stop(); });
  if (!manager) return manager.error();
  const sail::Address address = (*manager)->address();
  const auto page_address = (*manager)->page_address();
  // The file with the control port is written last: a reader that has found it also finds the
  // page's file.
  sail::Result<void> written;
  if (page_address) {
    written = sail::write_port_file(arguments.page_port_file, page_address->port);
  }
  if (written) written = sail::write_port_file(arguments.port_file, address.port);
  if (!written) return written;
  fmt::print("vitrail-manager ready on {}: {}\n", sail::address_text(address), ready_text);
  for (const std::string& url : (*manager)->page_urls()) fmt::print("page: {}\n", url);
  std::fflush(stdout);

  sail::run_until_signal(loop, [&manager] { (*manager)->shut_down(); });
  // Exit as if killed: the other manager now owns the started programs, which must not end.
  if (fenced) std::_Exit(sail::kExitOutrun);
  return {};
}

}  // namespace

int vitrail_manager_main(int argc, char** argv) {
  sail::CommandLine line(
      "vitrail-manager",
      "Run a wall: manage its tiles and windows, and send the layout to receivers and "
      "applications.\nPixels go straight from applications to receivers.");
  manager::Arguments arguments;
  manager::describe(line, arguments);
  return line.run(argc, argv, [&] { return run(arguments); });
}
