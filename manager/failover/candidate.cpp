#include "manager/failover/candidate.h"

#include <fmt/core.h>

#include <utility>

#include "manager/peers/peers.h"
#include "sail/core/time/clock.h"

namespace manager {
namespace {

constexpr int64_t kCandidateTickMs = 50;
constexpr int64_t kLookForOtherNs = 2'000'000'000;
// Longer than a promise and a lease that has to end.
constexpr int64_t kUsualStartNs = 5'000'000'000;

// on_hello refuses every peer, so no verb is called. The service only needs to know all roles.
std::vector<sail::RpcVerb> verbs_of_nobody() {
  return {{.name = "list",
           .ui = sail::Right::kViewer,
           .application = true,
           .receiver = true,
           .run = [](const sail::RpcCall&) {}}};
}

}  // namespace

sail::Result<std::unique_ptr<Candidate>> Candidate::start(sail::Loop& loop,
                                                          CandidateOptions options,
                                                          Handlers handlers, const sail::Log& log) {
  std::unique_ptr<Candidate> candidate(
      new Candidate(loop, std::move(options), std::move(handlers), log));
  if (auto listening = candidate->service_.listen(candidate->options_.listen); !listening) {
    return listening.error();
  }
  return candidate;
}

Candidate::Candidate(sail::Loop& loop, CandidateOptions options, Handlers handlers,
                     const sail::Log& log)
    : options_(std::move(options)),
      handlers_(std::move(handlers)),
      log_(log),
      begun_ns_(sail::steady_now_ns()),
      claim_(options_.claim),
      looked_ns_(begun_ns_),
      service_(loop,
               {.access = {.server = "manager", .key = options_.key}, .when_in_use = kWhenInUse},
               verbs_of_nobody(),
               {.on_hello = [this](sail::ServicePeer& peer) -> sail::Result<sail::Json> {
                 const auto voted = answer_vote(peer, [this](uint64_t term) { return vote(term); });
                 if (voted) return *voted;
                 return sail::fail(sail::ErrorCode::kUnavailable, sentence());
               }},
               log),
      tick_(loop) {
  if (options_.promised) promised_ns_ = begun_ns_;
  tick_.start(0, kCandidateTickMs, [this] { tick(); });
}

std::string Candidate::sentence() const {
  const WitnessLease::State state = options_.lease->state();
  std::string why = fmt::format("the witness {} has not answered yet", options_.witness);
  if (!state.trouble.empty()) {
    why = state.trouble;
  } else if (state.other_term != 0) {
    why = fmt::format("the witness {} has given the lease to the manager of term {}",
                      options_.witness, state.other_term);
  }
  return "this manager does not rule the wall yet: " + why;
}

void Candidate::tick() {
  const int64_t now_ns = sail::steady_now_ns();
  if (!is_promised(now_ns)) options_.lease->claim(claim_);
  const WitnessLease::State state = options_.lease->state();
  if (state.held(now_ns)) {
    tick_.stop();
    return handlers_.on_elected(state.term, std::nullopt);
  }
  if (now_ns - begun_ns_ >= kUsualStartNs && handlers_.on_waiting) {
    std::exchange(handlers_.on_waiting, nullptr)();
  }
  log_why(state, now_ns);
  look_for_other(state, now_ns);
}

// While this manager asks for a vote, it answers nobody, so two managers never vote for each other.
void Candidate::look_for_other(const WitnessLease::State& state, int64_t now_ns) {
  const bool asks_vote = !state.trouble.empty() && !is_promised(now_ns);
  const bool soon = asks_vote && !asked_vote_;
  if (!soon && now_ns - looked_ns_ < kLookForOtherNs) return;
  asked_vote_ = asked_vote_ || asks_vote;
  const OtherManager other = options_.ask_other(asks_vote ? claim_.term : 0);
  looked_ns_ = sail::steady_now_ns();
  if (other == OtherManager::kSilent) return;
  options_.lease->release();
  tick_.stop();
  if (other == OtherManager::kRules) return handlers_.on_other();
  log_.warning("{}; the other manager votes for this one, which rules the wall with term {}",
               state.trouble, claim_.term);
  handlers_.on_elected(claim_.term, now_ns);
}

bool Candidate::vote(uint64_t term) {
  const int64_t now_ns = sail::steady_now_ns();
  if (options_.lease->state().held(now_ns)) return false;
  const auto claim = options_.keep_vote(term);
  if (!claim) return false;
  options_.lease->release();
  claim_ = *claim;
  promised_ns_ = now_ns;
  log_.info("votes for the other manager, with term {}", term);
  return true;
}

void Candidate::log_why(const WitnessLease::State& state, int64_t now_ns) {
  constexpr int64_t kRepeatNs = 10'000'000'000;
  if (state.trouble.empty() && state.other_term == 0) return;
  const std::string why = sentence();
  if (why == logged_ && now_ns - logged_ns_ < kRepeatNs) return;
  logged_ = why;
  logged_ns_ = now_ns;
  log_.warning("{}", why);
}

}  // namespace manager
