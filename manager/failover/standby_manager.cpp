#include "manager/failover/standby_manager.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "manager/failover/other_manager.h"
#include "manager/media/playlists.h"
#include "manager/media/source_library.h"
#include "manager/peers/peers.h"
#include "manager/peers/pending_power.h"
#include "manager/rights/object_rights.h"
#include "manager/sessions/autosave.h"
#include "sail/core/auth/people.h"
#include "sail/core/calendar/schedule_run.h"
#include "sail/core/time/clock.h"
#include "sail/core/wall/event_rules.h"

namespace manager {
namespace {

constexpr int64_t kPrimaryCheckMs = 50;
constexpr int64_t kWriteAgainMs = 1000;
// A manager that is silent for the heartbeat timeout hangs, or its machine is gone.
constexpr sail::ManagerLinkTimes kFollowTimes{.first_pause_ms = 100,
                                              .longest_pause_ms = 250,
                                              .hello_timeout_ms = 1000,
                                              .heartbeat_ms = 250,
                                              .heartbeat_timeout_ms = 1000,
                                              .between_managers = true};

// on_hello refuses every peer, so no verb is called. The service only needs to know all roles.
std::vector<sail::RpcVerb> no_verbs() {
  return {{.name = "list",
           .ui = sail::Right::kViewer,
           .application = true,
           .receiver = true,
           .run = [](const sail::RpcCall&) {}}};
}

// Whether the error only means that the manager cannot be reached; the link then keeps
// reconnecting.
bool passes(const sail::Error& error) {
  return error.code == sail::ErrorCode::kUnavailable || error.code == sail::ErrorCode::kTimeout;
}

sail::Result<sail::Json> document_in(const sail::Json& answer) {
  sail::JsonFields fields(answer, sail::JournalRead::kMethod);
  sail::Json document = fields.object("document");
  if (auto error = fields.finish_open()) return *error;
  return document;
}

std::shared_ptr<WitnessLease> lease_of(const sail::Wall& wall) {
  return wall.witness ? std::make_shared<WitnessLease>(*wall.witness, wall.name) : nullptr;
}

// Checks a document and returns the content of the file in which a manager keeps it.
sail::Result<std::string> kept_text(const std::string& name, const sail::Json& document) {
  const auto text_of = [](const sail::Json& json) { return json.dump(1) + '\n'; };
  if (name == sail::kKeptPeople) {
    return sail::People::read(document).map(
        [&](const sail::People& people) { return text_of(people.json()); });
  }
  if (name == sail::kKeptEvents && document.contains(name)) {
    return sail::EventRules::read(document[name]).map([&](const sail::EventRules& rules) {
      return text_of(rules.json());
    });
  }
  if (name == sail::kKeptSchedule && document.contains(name)) {
    return sail::saved_schedule_from_json(document[name]).map([&](const auto& /*whole*/) {
      return text_of(document[name]);
    });
  }
  if (name == kKeptRights && document.contains(name)) {
    return saved_rights_from_json(document[name]).map([&](const SavedRights& rights) {
      return text_of(to_json(rights));
    });
  }
  if (name == kKeptPlaylists) {
    return playlists_from_json(document).map(
        [&](const PlaylistMap& lists) { return text_of(playlists_json(lists)); });
  }
  if (name == sail::kKeptPower) {
    return power_orders_from_json(document).map(
        [&](const PowerOrders& orders) { return text_of(to_json(orders)); });
  }
  const auto urls = document.find(sail::kKeptUrls);
  if (name != sail::kKeptUrls || urls == document.end()) {
    return sail::fail(sail::ErrorCode::kBadData, "unknown kind of document");
  }
  return urls_from_json(*urls).map([&](const auto& /*whole*/) { return text_of(*urls); });
}

}  // namespace

sail::Result<std::unique_ptr<StandbyManager>> StandbyManager::start(sail::Loop& loop,
                                                                    StandbyManagerOptions options,
                                                                    Handlers handlers,
                                                                    const sail::Log& log) {
  if (options.state_folder.empty()) {
    return sail::fail(sail::ErrorCode::kInvalidParams,
                      "a standby needs a state folder: give --state DIR");
  }
  std::unique_ptr<StandbyManager> standby_manager(
      new StandbyManager(loop, std::move(options), std::move(handlers), log));
  if (auto listening = standby_manager->service_.listen(standby_manager->options_.listen);
      !listening) {
    return listening.error();
  }
  standby_manager->connect();
  return standby_manager;
}

StandbyManager::StandbyManager(sail::Loop& loop, StandbyManagerOptions options, Handlers handlers,
                               const sail::Log& log)
    : loop_(loop),
      options_(std::move(options)),
      handlers_(std::move(handlers)),
      log_(log),
      primary_(sail::address_text(options_.primary)),
      begun_ns_(sail::steady_now_ns()),
      layouts_(options_.state_folder / "layouts", saved_kind_name(SavedKind::kLayout)),
      sessions_(options_.state_folder / "sessions", saved_kind_name(SavedKind::kSession)),
      failover_policy_(options_.wall.witness ? Votes::kWitness : Votes::kReceivers),
      lease_(lease_of(options_.wall)),
      service_(loop,
               {.access = {.server = "manager", .key = options_.key}, .when_in_use = kWhenInUse},
               no_verbs(),
               {.on_hello = [this](sail::ServicePeer& peer) { return turn_away(peer); }}, log),
      tick_(loop),
      again_(loop) {
  tick_.start(kPrimaryCheckMs, kPrimaryCheckMs, [this] { check_primary(); });
  again_.start(kWriteAgainMs, kWriteAgainMs, [this] { try_again(); });
}

sail::Result<sail::Json> StandbyManager::turn_away(sail::ServicePeer& peer) {
  if (peer.hello().role == sail::Role::kReceiver) {
    failover_policy_.receiver_arrived(peer.name(), sail::steady_now_ns());
  }
  if (const auto voted = answer_vote(peer, [this](uint64_t term) { return vote(term); })) {
    return *voted;
  }
  // A loopback address would lead the peer to its own host; the primary is on this host.
  sail::Address primary = options_.primary;
  if (sail::is_loopback(primary.host)) primary.host = peer.rpc().local_address().host;
  peer.rpc().refer_to(primary);
  return sail::fail(
      sail::ErrorCode::kUnavailable,
      fmt::format("this manager is the standby of the manager at {}: connect there", primary_));
}

// The state folder remembers the term that this standby votes for, as if it had followed it.
bool StandbyManager::vote(uint64_t term) {
  const int64_t now_ns = sail::steady_now_ns();
  if (!lease_ || followed_ || !keeps_term(options_.state_folder)) return false;
  const auto ours = load_term(options_.state_folder);
  if (!ours || !ours->is_fenced_by(term)) return false;
  failover_policy_.set_lease(lease_->state().held(now_ns));
  if (!failover_policy_.promise(now_ns)) return false;
  lease_->release();
  if (term != ours->term) {
    const auto saved =
        save_term(options_.state_folder, {.term = term, .followed = true, .other = ours->other});
    log_kept("the manager's term", saved);
    if (!saved) return false;
  }
  if (term_ != 0) term_ = std::max(term_, term);
  log_.info("votes for the other manager, with term {}", term);
  return true;
}

// --- the journal

void StandbyManager::connect() {
  link_ = std::make_unique<sail::ManagerLink>(
      loop_, options_.primary,
      [](const sail::Address&) { return sail::Hello{.role = sail::Role::kUi, .name = "standby"}; },
      sail::ManagerLink::Handlers{
          .on_connected = [this](const sail::Json& welcome) { welcomed(welcome); },
          .on_request = [this](const std::string& method, const sail::Json& params,
                               const sail::RpcPeer::Reply&) { on_notification(method, params); },
          .on_lost = [this](const sail::Error& error) { lost(error); },
          .on_refused = [this](const sail::Error& error) { fail(error); },
          .on_clock = [this](const sail::ClockLine& line, bool /*exchanged*/) { clock_ = line; }},
      log_, kFollowTimes);
}

void StandbyManager::welcomed(const sail::Json& welcome) {
  const auto primary = sail::message_from_json<sail::WelcomeClock>(welcome);
  if (!primary) return fail(primary.error());
  if (primary->clock != options_.clock) {
    return fail(
        {sail::ErrorCode::kConflict,
         fmt::format("the manager at {} uses another clock: give both managers the same --clock",
                     primary_)});
  }
  const auto& page = options_.page;
  const auto ours = load_term(options_.state_folder);
  const sail::StandBy asked{.listen = sail::address_text(address()),
                            .page = page ? sail::address_text(*page) : "",
                            .page_by_tls = options_.page_by_tls,
                            .lost = ours ? ours->lost : std::vector<std::string>(),
                            .witness = sail::witness_text(options_.wall)};
  link_->peer()->call(sail::StandBy::kMethod, to_json(asked),
                      [this](const sail::Result<sail::Json>& answer) { handle_journal(answer); });
}

void StandbyManager::handle_journal(const sail::Result<sail::Json>& answer) {
  if (!answer && passes(answer.error())) return;
  const auto journal = answer.and_then(
      [](const sail::Json& json) { return sail::message_from_json<sail::Journal>(json); });
  if (!journal) return fail(journal.error());
  const auto fits = check(*journal).and_then([&] { return check_term(*journal); });
  if (!fits) return fail(fits.error());
  followed_ = true;
  waiting_logged_ = false;
  failover_policy_.followed();
  set_receivers(journal->receivers);
  term_ = journal->term;
  keep_term();
  log_.info("standing by for the manager at {}, term {}", primary_, term_);
  wanted_.clear();
  unwritten_.clear();
  if (!writing_) reading_.clear();
  want(Followed::kSession, Autosave::kName);
  for (const char* name : {sail::kKeptPeople, sail::kKeptUrls, sail::kKeptEvents,
                           sail::kKeptSchedule, sail::kKeptPower, kKeptRights, kKeptPlaylists}) {
    want(Followed::kKept, name);
  }
  for (const std::string& name : journal->sessions) want(Followed::kSession, name);
  for (const std::string& name : journal->layouts) want(Followed::kLayout, name);
}

sail::Result<void> StandbyManager::check(const sail::Journal& journal) const {
  const sail::Wall& ours = options_.wall;
  if (journal.wall == ours.name && journal.wall_size == ours.size) return {};
  return sail::fail(
      sail::ErrorCode::kInvalidParams,
      fmt::format("the manager at {} has the wall '{}' of {}×{} pixels, but --wall is '{}' of "
                  "{}×{}: give both managers the same wall file",
                  primary_, journal.wall, journal.wall_size.width, journal.wall_size.height,
                  ours.name, ours.size.width, ours.size.height));
}

sail::Result<void> StandbyManager::check_term(const sail::Journal& journal) const {
  const auto ours = load_term(options_.state_folder);
  if (!ours) return ours.error();
  if (ours->term <= journal.term) return {};
  return sail::fail(
      sail::ErrorCode::kConflict,
      fmt::format("state folder {} belongs to a later manager (term {}) than the manager at {} "
                  "(term {}): give another --state, or start without --standby-of",
                  options_.state_folder.string(), ours->term, primary_, journal.term));
}

void StandbyManager::keep_term() {
  const auto ours = load_term(options_.state_folder);
  const SavedTerm now{.term = term_, .followed = true, .other = primary_};
  term_kept_ = ours && *ours == now;
  if (term_kept_) return;
  const auto saved = save_term(options_.state_folder, now);
  term_kept_ = saved.has_value();
  log_kept("the manager's term", saved);
}

void StandbyManager::on_notification(const std::string& method, const sail::Json& params) {
  if (method == "end") return end();
  if (method != sail::JournalNews::kMethod || !followed_) return;
  const auto news = sail::message_from_json<sail::JournalNews>(params);
  if (!news) return log_.warning("{}", news.error().message);
  set_receivers(news->receivers);
  if (news->ending) {
    log_.info("the manager at {} is shutting down the wall", primary_);
    failover_policy_.primary_is_ending();
    return end();
  }
  if (!news->layout.empty()) want(Followed::kLayout, news->layout);
  if (!news->session.empty()) want(Followed::kSession, news->session);
  if (!news->kept.empty()) want(Followed::kKept, news->kept);
}

void StandbyManager::lost(const sail::Error& error) {
  if (!std::exchange(followed_, false)) return;
  const bool silent = error.code == sail::ErrorCode::kTimeout;
  failover_policy_.lost(sail::steady_now_ns() -
                        (silent ? kFollowTimes.heartbeat_timeout_ms * sail::kMillisecondNs : 0));
}

void StandbyManager::set_receivers(const std::vector<std::string>& names) {
  if (!names.empty()) return failover_policy_.set_receivers(names);
  std::vector<std::string> all;
  for (const sail::ReceiverPlace& place : options_.wall.receivers) all.push_back(place.name);
  failover_policy_.set_receivers(all);
}

void StandbyManager::want(Followed what, const std::string& name) {
  constexpr size_t kMostWanted = 2 * SavedFiles::kMostFiles;
  const auto item = std::pair(what, name);
  if (wanted_.size() >= kMostWanted || std::ranges::find(wanted_, item) != wanted_.end()) return;
  wanted_.push_back(item);
  read_next();
}

// Reads one document at a time, so that the newest version is written last.
void StandbyManager::read_next() {
  if (!followed_ || !reading_.empty() || wanted_.empty()) return;
  const Followed what = wanted_.front().first;
  const std::string name = wanted_.front().second;
  wanted_.pop_front();
  reading_ = name;
  sail::JournalRead asked;
  (what == Followed::kLayout    ? asked.layout
   : what == Followed::kSession ? asked.session
                                : asked.kept) = name;
  link_->peer()->call(
      sail::JournalRead::kMethod, to_json(asked),
      [this, what, name](const sail::Result<sail::Json>& answer) { keep(what, name, answer); });
}

void StandbyManager::forget(Followed what, const std::string& name) const {
  // The document may never have been stored here.
  if (what == Followed::kLayout) (void)layouts_.remove(name);
  if (what == Followed::kSession) (void)sessions_.remove(name);
}

sail::Result<SavedFiles::Pending> StandbyManager::prepare(Followed what, const std::string& name,
                                                          const sail::Json& document) const {
  if (what == Followed::kKept) {
    return kept_text(name, document).map([&](std::string text) {
      return SavedFiles::Pending{options_.state_folder / (name + ".json"), std::move(text)};
    });
  }
  const bool layout = what == Followed::kLayout;
  return saved_wall_from_json(document, layout ? SavedKind::kLayout : SavedKind::kSession)
      .and_then([&](const SavedWall& /*whole*/) {
        return (layout ? layouts_ : sessions_).prepare(name, document);
      });
}

void StandbyManager::keep(Followed what, const std::string& name,
                          const sail::Result<sail::Json>& answer) {
  const auto done = [this, what, name](const sail::Result<void>& result) {
    kept(what, name, result);
  };
  if (!answer && answer.error().code == sail::ErrorCode::kNotFound) {
    forget(what, name);
    return done({});
  }
  const auto pending = answer.and_then(document_in).and_then([&](const sail::Json& document) {
    return prepare(what, name, document);
  });
  if (!pending) return done(pending.error());
  const auto result = std::make_shared<sail::Result<void>>();
  writing_ = sail::in_background(
      loop_, [result, pending = *pending] { *result = SavedFiles::write(pending); },
      [result, done] { done(*result); });
}

void StandbyManager::kept(Followed what, const std::string& name,
                          const sail::Result<void>& result) {
  writing_.reset();
  if (result || !passes(result.error())) log_kept(fmt::format("'{}'", name), result);
  if (!result && result.error().code == sail::ErrorCode::kIo) unwritten_.emplace_back(what, name);
  reading_.clear();
  read_next();
}

// Logs the failure. Disk errors are logged once until a write succeeds.
void StandbyManager::log_kept(const std::string& what, const sail::Result<void>& result) {
  const bool disk = !result && result.error().code == sail::ErrorCode::kIo;
  const bool logged = std::exchange(disk_full_logged_, disk);
  if (!result && !(disk && logged)) {
    log_.warning("cannot save {}: {}", what, result.error().message);
  }
}

void StandbyManager::try_again() {
  if (!followed_) return;
  if (!term_kept_) keep_term();
  for (const auto& [what, name] : std::exchange(unwritten_, {})) want(what, name);
}

// --- takeover and shutdown

void StandbyManager::check_primary() {
  const int64_t now_ns = sail::steady_now_ns();
  if (lease_) ask_witness(now_ns);
  // A write in progress completes first.
  if (failover_policy_.due(now_ns) && !writing_) return take_over();
  if (is_left_alone(now_ns)) {
    return fail({sail::ErrorCode::kUnavailable,
                 fmt::format("the manager at {} no longer answers", primary_)});
  }
  if (!failover_policy_.waits(now_ns) || std::exchange(waiting_logged_, true)) return;
  log_waiting(now_ns);
}

void StandbyManager::ask_witness(int64_t now_ns) {
  if (failover_policy_.wants_lease(now_ns)) {
    lease_->claim({.term = term_ + 1, .kind = Claim::Term::kNew});
  } else {
    lease_->release();
  }
  const WitnessLease::State state = lease_->state();
  failover_policy_.set_lease(state.held(now_ns));
  if (state.trouble != witness_trouble_ && !state.trouble.empty()) {
    log_.warning("{}; not taking over", state.trouble);
  }
  witness_trouble_ = state.trouble;
}

void StandbyManager::log_waiting(int64_t now_ns) const {
  if (lease_) {
    return log_.warning(
        "the manager at {} is lost; taking over when the witness {} gives this standby the lease",
        primary_, options_.wall.witness->text());
  }
  log_.warning(
      "the manager at {} is lost; taking over when more than half of its {} receivers have "
      "connected to this standby ({} so far)",
      primary_, failover_policy_.receivers(), failover_policy_.arrived_receivers(now_ns));
}

// The wall was shut down before this standby had connected, so its manager could not report it.
bool StandbyManager::is_left_alone(int64_t now_ns) const {
  return options_.ends_with_wall && term_ == 0 &&
         now_ns - begun_ns_ > options_.first_contact_timeout_ns;
}

// A folder that has followed a term makes the next manager start with the following term, so the
// new term need not be saved. If the disk could not even store the followed term, the takeover
// waits until it can.
void StandbyManager::take_over() {
  const uint64_t term = lease_ ? lease_->state().term : term_ + 1;
  if (term == 0) return;  // the lease is gone again
  if (auto saved = save_term(options_.state_folder, {.term = term, .other = primary_}); !saved) {
    log_kept(fmt::format("term {}", term), saved);
    if (!term_kept_) return;
  }
  log_.warning("taking over from the manager at {}: term {}", primary_, term);
  tick_.stop();
  again_.stop();
  const auto handler = handlers_.on_take_over;
  if (lease_) lease_->claim({.term = term, .kind = Claim::Term::kUnchanged});
  handler({.term = term, .clock = clock_, .lease = lease_});
}

// A standby that was started by hand stays.
void StandbyManager::end() {
  if (!options_.ends_with_wall) return;
  tick_.stop();
  again_.stop();
  const auto handler = handlers_.on_end;
  handler();
}

void StandbyManager::fail(const sail::Error& error) {
  tick_.stop();
  again_.stop();
  const auto handler = handlers_.on_failed;
  handler(error);
}

}  // namespace manager
