#include "tests/model/succession.h"

#include <fmt/core.h>

#include <algorithm>

namespace model {

using manager::FailoverPolicy;
using manager::Quorum;
using manager::Votes;

namespace {

constexpr int64_t kStepNs = 500'000'000;
constexpr int64_t kLongAgoNs = 3'000'000'000;  // longer ago than any rule looks back
constexpr int kSteps = 40;                     // of time, until all must be well
constexpr int64_t kSilenceNs = 1'000'000'000;

}  // namespace

Succession::Succession(const Reigns& reigns)
    : bounds_(reigns), displays_(reigns.receivers), faults_left_(reigns.faults) {
  now_ns_ = 2 * kLongAgoNs;
  rule(0, 1);
  if (bounds_.witness) {
    rulers_[1].policy = FailoverPolicy(Votes::kWitness);
    claim(0, {.term = 1});
    rulers_[0].quorum.confirmed(clock(0));
  }
  rulers_[1].takes_over = true;
  for (size_t i = 0; i < displays_.size(); ++i) say_hello(i, 0);
  follow(1);
}

// --- choices ------------------------------------------------------------------------------------

size_t Succession::choices() {
  choices_.clear();
  list_receivers();
  list_managers();
  list_returns();
  choices_.push_back({Step::kPass});
  if (faults_left_ > 0) list_faults();
  return choices_.size();
}

void Succession::list_receivers() {
  for (size_t i = 0; i < displays_.size(); ++i) {
    const auto& at = displays_[i].at;
    if (at && (!reaches(*at, 2 + i) || !rulers_[*at].receivers.contains(i))) {
      choices_.push_back({Step::kMiss, i, *at});
    }
    for (size_t manager = 0; manager < 2 && !at; ++manager) {
      if (reaches(manager, 2 + i)) choices_.push_back({Step::kTry, i, manager});
    }
  }
}

void Succession::list_managers() {
  for (size_t i = 0; i < 2; ++i) {
    if (!runs(i)) continue;
    const Ruler& ruler = rulers_[i];
    const Ruler& its_other = rulers_[other(i)];
    const bool there = reaches(i, other(i)) && its_other.rules;
    if (ruler.rules) {
      for (const size_t receiver : ruler.receivers) {
        if (!reaches(i, 2 + receiver) || displays_[receiver].at != i) {
          choices_.push_back({Step::kMissReceiver, i, receiver});
        }
      }
      if (ruler.reports && there) choices_.push_back({Step::kReport, i});
    } else if (ruler.followed && !there) {
      choices_.push_back({Step::kMissPrimary, i});
    } else if (!ruler.followed && there && its_other.term >= ruler.seen_term &&
               (!ruler.candidate || ruler.folder.is_fenced_by(its_other.term))) {
      choices_.push_back({Step::kFollow, i});
    }
    if (may_get_vote(i)) choices_.push_back({Step::kAskVote, i});
  }
}

void Succession::list_returns() {
  for (size_t i = 0; i < 2; ++i) {
    if (!rulers_[i].up) choices_.push_back({Step::kBack, i});
    if (rulers_[i].stopped) choices_.push_back({Step::kGoOn, i});
  }
  for (const auto& [one, two] : cut_) {
    if (!witness_lost_ || two != witness()) choices_.push_back({Step::kHeal, one, two});
  }
}

void Succession::list_faults() {
  for (size_t i = 0; i < 2; ++i) {
    if (!runs(i)) continue;
    choices_.push_back({Step::kKill, i});
    choices_.push_back({Step::kStop, i});
  }
  for (size_t one = 0; one < 2; ++one) {
    for (size_t two = one + 1; two < witness() + (bounds_.witness ? 1 : 0); ++two) {
      if (!cut(one, two)) choices_.push_back({Step::kCut, one, two});
    }
  }
  for (size_t i = 0; i < displays_.size(); ++i) choices_.push_back({Step::kRestart, i});
}

void Succession::choose(size_t choice) {
  choices();
  const Choice chosen = choices_[choice];
  if (recorded()) note(name(chosen));
  perform(chosen);
  look();
}

std::string Succession::name(const Choice& choice) const {
  const auto peer = [this](size_t number) {
    if (number == witness()) return std::string("the witness");
    return number < 2 ? fmt::format("manager {}", number) : receiver_name(number - 2);
  };
  const std::string manager = peer(choice.one);
  switch (choice.step) {
    case Step::kTry:
      return fmt::format("{} says hello to manager {}", receiver_name(choice.one), choice.other);
    case Step::kMiss:
      return fmt::format("{} misses manager {}", receiver_name(choice.one), choice.other);
    case Step::kMissReceiver:
      return fmt::format("{} misses {}", manager, receiver_name(choice.other));
    case Step::kFollow:
      return manager + " follows the other";
    case Step::kMissPrimary:
      return manager + " misses the other";
    case Step::kReport:
      return manager + " reports its term to the other";
    case Step::kAskVote:
      return manager + " gets the other's vote";
    case Step::kBack:
      return manager + " is back";
    case Step::kGoOn:
      return manager + " goes on";
    case Step::kHeal:
      return fmt::format("{} and {} reach each other again", manager, peer(choice.other));
    case Step::kPass:
      return "half a second passes";
    case Step::kKill:
      return "FAULT: " + manager + " is killed";
    case Step::kStop:
      return "FAULT: " + manager + " is stopped";
    case Step::kCut:
      return fmt::format("FAULT: {} and {} are cut off", manager, peer(choice.other));
    case Step::kRestart:
      return fmt::format("FAULT: {} is killed and started", receiver_name(choice.one));
  }
  return "";
}

void Succession::perform(const Choice& choice) {
  Ruler& ruler = rulers_[choice.one < 2 ? choice.one : 0];
  if (choice.step >= Step::kKill) --faults_left_;
  switch (choice.step) {
    case Step::kTry:
      return say_hello(choice.one, choice.other);
    case Step::kMiss:
    case Step::kRestart:
      displays_[choice.one].at.reset();
      if (choice.step == Step::kRestart) displays_[choice.one].term = 0;
      return;
    case Step::kMissReceiver:
      ruler.receivers.erase(choice.other);
      return tell_standby(choice.one);
    case Step::kFollow:
      return follow(choice.one);
    case Step::kMissPrimary: {
      const Ruler& primary = rulers_[other(choice.one)];
      const bool silent = primary.up && primary.rules;
      int64_t since_ns = clock(choice.one) - (silent ? kSilenceNs : 0);
      // Not before it heard the primary last, on which the primary relies.
      if (ruler.heard_ns) since_ns = std::max(since_ns, *ruler.heard_ns);
      ruler.followed = false;
      ruler.policy.lost(since_ns);
      if (!ruler.lost_ns) ruler.lost_ns = since_ns;
      return;
    }
    case Step::kReport:
      return end(rulers_[other(choice.one)].term < ruler.term ? other(choice.one) : choice.one);
    case Step::kAskVote:
      return get_vote(choice.one);
    case Step::kBack:
      return start(choice.one);
    case Step::kGoOn:
      ruler.stopped = false;
      return lose_quorum(choice.one);
    case Step::kHeal:
      cut_.erase({choice.one, choice.other});
      return;
    case Step::kPass:
      return pass();
    case Step::kKill:
      return end(choice.one);
    case Step::kStop:
      ruler.stopped = true;
      return;
    case Step::kCut:
      cut_.insert({choice.one, choice.other});
      return;
  }
}

// --- peers --------------------------------------------------------------------------------------

void Succession::say_hello(size_t receiver, size_t manager) {
  Ruler& ruler = rulers_[manager];
  Display& display = displays_[receiver];
  if (!ruler.rules) {
    ruler.policy.receiver_arrived(receiver_name(receiver), now_ns_);
    if (ruler.expected.contains(receiver)) ruler.arrived_ns[receiver] = now_ns_;
    return;
  }
  if (display.term > ruler.term) return end(manager);  // fenced
  display.term = ruler.term;
  display.at = manager;
  ruler.receivers.insert(receiver);
  tell_standby(manager);
}

void Succession::tell_standby(size_t manager) {
  const Ruler& standby = rulers_[other(manager)];
  if (standby.followed && reaches(manager, other(manager))) {
    expect(other(manager), rulers_[manager].receivers);
  }
}

// A manager without receivers waits for all of the wall.
void Succession::expect(size_t standby, const std::set<size_t>& receivers) {
  Ruler& ruler = rulers_[standby];
  ruler.expected = receivers;
  for (size_t i = 0; i < displays_.size() && receivers.empty(); ++i) ruler.expected.insert(i);
  std::vector<std::string> names;
  for (const size_t receiver : ruler.expected) names.push_back(receiver_name(receiver));
  ruler.policy.set_receivers(names);
}

void Succession::follow(size_t standby) {
  Ruler& ruler = rulers_[standby];
  const Ruler& primary = rulers_[other(standby)];
  if (ruler.folder.term > primary.term) return end(standby);  // check_term
  ruler.followed = true;
  ruler.term = ruler.seen_term = primary.term;
  ruler.folder = {.term = primary.term, .followed = true, .other = "other"};
  ruler.policy.followed();
  ruler.candidate = false;
  if (bounds_.witness) ruler.heard_ns = clock(standby);
  ruler.lost_ns.reset();
  ruler.arrived_ns.clear();
  expect(standby, primary.receivers);
}

void Succession::end(size_t manager) {
  rulers_[manager] = {
      .up = false, .takes_over = rulers_[manager].takes_over, .folder = rulers_[manager].folder};
  if (bounds_.witness) rulers_[manager].policy = FailoverPolicy(Votes::kWitness);
}

// A manager that has ruled, or has no --standby-of, first asks the other one whether it is active.
void Succession::start(size_t manager) {
  Ruler& ruler = rulers_[manager];
  ruler.up = true;
  const Ruler& its_other = rulers_[other(manager)];
  const bool active = reaches(manager, other(manager)) && its_other.rules &&
                      ruler.folder.is_fenced_by(its_other.term);
  if (ruler.takes_over || active) return;
  ruler.candidate = bounds_.witness;
  if (ruler.folder.followed) ruler.promised_ns = clock(manager);
  if (ruler.candidate) return;
  const bool outruns = ruler.folder.outruns_other();
  rule(manager, ruler.folder.next());
  ruler.reports = outruns;
}

void Succession::rule(size_t manager, uint64_t term) {
  Ruler& ruler = rulers_[manager];
  ruler.rules = true;
  ruler.takes_over = ruler.followed = ruler.candidate = false;
  ruler.term = term;
  ruler.folder = {.term = term, .other = "other"};
  ruler.receivers.clear();
  const auto [reign, is_new] = reigns_.emplace(term, manager);
  if (!is_new && reign->second != manager) {
    violate(fmt::format("two rulers of term {}: both managers had it", term));
  }
}

void Succession::pass() {
  now_ns_ += kStepNs;
  if (bounds_.witness) return pass_with_witness();
  for (size_t i = 0; i < 2; ++i) {
    Ruler& ruler = rulers_[i];
    if (!runs(i) || ruler.rules || !ruler.policy.due(now_ns_)) continue;
    rule(i, ruler.term + 1);
    ruler.reports = true;
  }
}

// --- the witness --------------------------------------------------------------------------------

void Succession::pass_with_witness() {
  for (size_t i = 0; i < 2; ++i) lose_quorum(i);
  for (size_t i = 0; i < 2; ++i) renew(i);
  if (lease_ && now_ns_ - lease_->renewed_ns >= Quorum::kPromiseNs) {
    lease_.reset();
    stored_.ruler = 0;
  }
  for (size_t i = 0; i < 2; ++i) stand_for_election(i);
}

// The manager ends if nobody has confirmed it for too long, by its own clock.
void Succession::lose_quorum(size_t manager) {
  const Ruler& ruler = rulers_[manager];
  if (!bounds_.witness || !runs(manager) || !ruler.rules) return;
  if (!ruler.quorum.holds(clock(manager))) end(manager);
}

void Succession::renew(size_t manager) {
  Ruler& ruler = rulers_[manager];
  if (!runs(manager) || !ruler.rules) return;
  const auto confirmed = [&] {
    ruler.confirmed_ns = clock(manager);
    ruler.quorum.confirmed(*ruler.confirmed_ns);
  };
  // The witness has had a later term: outrun.
  if (reaches(manager, witness()) && stored_.last > ruler.term) return end(manager);
  if (reaches(manager, witness()) && !lease_) {
    claim(manager, {.term = ruler.term, .kind = manager::Claim::Term::kUnchanged});
  }
  if (reaches(manager, witness()) && lease_ && lease_->holder == manager) {
    lease_->renewed_ns = now_ns_;
    confirmed();
  }
  Ruler& standby = rulers_[other(manager)];
  if (!standby.followed || standby.term != ruler.term || !reaches(manager, other(manager))) return;
  standby.heard_ns = clock(other(manager));
  confirmed();
}

// A standby that takes over, or a manager that starts.
void Succession::stand_for_election(size_t manager) {
  Ruler& ruler = rulers_[manager];
  if (!runs(manager) || ruler.rules || !reaches(manager, witness())) return;
  using Term = manager::Claim::Term;
  const int64_t now_ns = clock(manager);
  if (!ruler.candidate) {
    if (!ruler.policy.wants_lease(now_ns)) return;
    claim(manager, {.term = ruler.term + 1, .kind = Term::kNew});
    ruler.policy.set_lease(lease_ && lease_->holder == manager);
    if (!ruler.policy.due(now_ns)) return;
    rule(manager, stored_.ruler);
    ruler.reports = true;
  } else if (!promised(manager)) {
    claim(manager, {.term = ruler.folder.next(),
                    .kind = ruler.folder.followed ? Term::kNew : Term::kResumed});
    if (!lease_ || lease_->holder != manager) return;
    rule(manager, stored_.ruler);
    ruler.reports = ruler.folder.outruns_other();
  }
  ruler.confirmed_ns = now_ns;
  ruler.quorum.confirmed(now_ns);
}

// The other manager does not rule, and its folder lets it vote.
bool Succession::may_get_vote(size_t manager) const {
  const Ruler& ruler = rulers_[manager];
  const Ruler& voter = rulers_[other(manager)];
  return bounds_.witness && runs(manager) && ruler.candidate && !promised(manager) &&
         !reaches(manager, witness()) && reaches(manager, other(manager)) && !voter.rules &&
         !voter.followed && voter.folder.is_fenced_by(ruler.folder.next());
}

void Succession::get_vote(size_t manager) {
  Ruler& ruler = rulers_[manager];
  Ruler& voter = rulers_[other(manager)];
  const int64_t promised_ns = clock(other(manager));
  const uint64_t term = ruler.folder.next();
  if (voter.candidate) {
    voter.promised_ns = promised_ns;
  } else if (!voter.policy.promise(promised_ns)) {
    return;
  }
  if (voter.lost_ns) voter.lost_ns = promised_ns;
  if (voter.term != 0) voter.term = std::max(voter.term, term);
  if (!bounds_.forgetful) voter.folder = {.term = term, .followed = true, .other = "other"};
  rule(manager, term);
  ruler.reports = ruler.folder.outruns_other();
  ruler.confirmed_ns = clock(manager);
  ruler.quorum.confirmed(*ruler.confirmed_ns);
}

// The lease of a manager's former process counts as its own only by its term.
void Succession::claim(size_t manager, const manager::Claim& claim) {
  const auto term = manager::claimable_term(claim, stored_);
  if (!term) return;
  lease_ = Lease{.holder = manager, .renewed_ns = now_ns_};
  stored_ = {.ruler = *term, .last = *term};
}

// --- what must hold -----------------------------------------------------------------------------

void Succession::look() {
  if (rulers_[0].up && rulers_[1].up && rulers_[0].rules && rulers_[1].rules &&
      rulers_[0].term == rulers_[1].term) {
    violate(fmt::format("two rulers of term {} at one time", rulers_[0].term));
  }
  if (!bounds_.witness || !runs(0) || !runs(1)) return;
  if (rulers_[0].rules && rulers_[1].rules) violate("two managers rule at one time");
}

bool Succession::well() const {
  const bool one = rulers_[0].rules != rulers_[1].rules;
  const size_t ruler = rulers_[0].rules ? 0 : 1;
  return one && std::ranges::all_of(displays_,
                                    [&](const Display& display) { return display.at == ruler; });
}

void Succession::finish() {
  faults_left_ = 0;
  witness_lost_ = bounds_.lost_witness;
  for (size_t i = 0; i < 2 && witness_lost_; ++i) cut_.insert({i, witness()});
  for (int i = 0; i < kSteps && wrong().empty(); ++i) {
    for (int j = 0; j < 100 && !well(); ++j) {
      choices();
      // Receivers without a manager try both in each step of time.
      const auto next = std::ranges::find_if(choices_, [](const Choice& choice) {
        return choice.step != Step::kTry && choice.step != Step::kPass;
      });
      if (next == choices_.end()) break;
      const Choice chosen = *next;
      if (recorded()) note(name(chosen));
      perform(chosen);
      look();
    }
    if (well()) return;
    for (size_t receiver = 0; receiver < displays_.size(); ++receiver) {
      for (size_t manager = 0; manager < 2; ++manager) {
        if (displays_[receiver].at || !reaches(manager, 2 + receiver)) continue;
        if (recorded()) note(name({Step::kTry, receiver, manager}));
        say_hello(receiver, manager);
      }
    }
    if (recorded()) note(name({Step::kPass}));
    pass();
    look();
  }
  if (wrong().empty()) violate("waits for ever: no manager has all receivers");
}

uint64_t Succession::fingerprint() const {
  const auto ago = [this](int64_t ns) {
    return static_cast<uint64_t>(std::min(now_ns_ - ns, kLongAgoNs));
  };
  uint64_t hash = static_cast<uint64_t>(faults_left_);
  for (const Ruler& ruler : rulers_) {
    for (const bool flag : {ruler.up, ruler.stopped, ruler.rules, ruler.followed, ruler.reports,
                            ruler.takes_over, ruler.folder.followed}) {
      hash = mix(hash, flag ? 1 : 0);
    }
    for (const uint64_t term : {ruler.term, ruler.seen_term, ruler.folder.term}) {
      hash = mix(hash, term);
    }
    hash = mix(hash, ruler.lost_ns ? ago(*ruler.lost_ns) : 1);
    for (size_t i = 0; i < displays_.size(); ++i) {
      const auto arrived = ruler.arrived_ns.find(i);
      hash = mix(hash, arrived == ruler.arrived_ns.end() ? 1 : ago(arrived->second));
      hash = mix(hash,
                 (ruler.receivers.contains(i) ? 1U : 0U) + (ruler.expected.contains(i) ? 2U : 0U));
    }
  }
  for (const Display& display : displays_) {
    hash = mix(mix(hash, display.at ? 1 + *display.at : 0), display.term);
  }
  for (const auto& [one, two] : cut_) hash = mix(hash, one * 100 + two);
  for (const auto& [term, ruler] : reigns_) hash = mix(hash, term * 2 + ruler);
  if (bounds_.witness) hash = witness_fingerprint(hash);
  return hash;
}

uint64_t Succession::witness_fingerprint(uint64_t hash) const {
  for (size_t i = 0; i < 2; ++i) {
    const Ruler& ruler = rulers_[i];
    const auto ago = [&](int64_t ns) {
      return static_cast<uint64_t>(std::min(clock(i) - ns, kLongAgoNs));
    };
    hash = mix(hash, ruler.lost_ns ? ago(*ruler.lost_ns) : 1);
    hash = mix(hash, ruler.candidate ? 2 : 1);
    hash = mix(hash, ruler.promised_ns ? ago(*ruler.promised_ns) : 1);
    hash = mix(hash, ruler.heard_ns ? ago(*ruler.heard_ns) : 1);
    hash = mix(hash, ruler.confirmed_ns ? ago(*ruler.confirmed_ns) : 1);
  }
  hash = mix(mix(hash, stored_.ruler), stored_.last);
  if (!lease_) return hash;
  const int64_t age_ns = std::min(now_ns_ - lease_->renewed_ns, kLongAgoNs);
  return mix(mix(hash, lease_->holder + 1), static_cast<uint64_t>(age_ns));
}

}  // namespace model
