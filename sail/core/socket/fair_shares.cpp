#include "sail/core/socket/fair_shares.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

// Length of a round; after it, the loop handles its other events, such as receiver messages.
constexpr int64_t kRoundNs = 1'000'000;
constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

}  // namespace

int64_t TimeShare::debt_ns(int64_t now_ns) const {
  const auto paid = static_cast<int64_t>(static_cast<double>(now_ns - at_ns_) * share_);
  return std::max<int64_t>(debt_ns_ - paid, 0);
}

void TimeShare::spend(int64_t spent_ns, int64_t now_ns) {
  debt_ns_ = debt_ns(now_ns) + spent_ns;
  at_ns_ = now_ns;
}

int64_t TimeShare::wait_ns(int64_t now_ns) const {
  const int64_t excess_ns = debt_ns(now_ns) - burst_ns_;
  return excess_ns <= 0 ? 0 : static_cast<int64_t>(static_cast<double>(excess_ns) / share_) + 1;
}

void FairScheduler::ask(std::shared_ptr<Member> member) {
  if (std::exchange(member->waits_, true)) return;
  rank_of(*member).waiting.push_back(std::move(member));
  run_soon();
}

void FairScheduler::run_soon() {
  if (std::exchange(soon_, true)) return;
  loop_.post([weak = weak_from_this()] {
    if (const auto turns = weak.lock()) turns->run();
  });
}

std::shared_ptr<FairScheduler::Member> FairScheduler::take_next(Rank& rank, int64_t now_ns,
                                                                int64_t& wait_ns) {
  if (rank.waiting.empty()) return nullptr;
  if (const int64_t all_ns = rank.share.wait_ns(now_ns); all_ns > 0) {
    wait_ns = std::min(wait_ns, all_ns);
    return nullptr;
  }
  for (auto it = rank.waiting.begin(); it != rank.waiting.end(); ++it) {
    if (const int64_t one_ns = (*it)->share_.wait_ns(now_ns); one_ns > 0) {
      wait_ns = std::min(wait_ns, one_ns);
      continue;
    }
    std::shared_ptr<Member> next = std::move(*it);
    rank.waiting.erase(it);
    return next;
  }
  return nullptr;
}

void FairScheduler::run() {
  const auto keep = shared_from_this();
  soon_ = false;
  pause_.stop();
  int64_t now_ns = steady_now_ns();
  const int64_t end_ns = now_ns + kRoundNs;
  while (now_ns < end_ns) {
    int64_t wait_ns = kNever;
    const auto member_of = [&](Rank& rank) { return take_next(rank, now_ns, wait_ns); };
    Rank* rank = ranks_.begin();
    std::shared_ptr<Member> member = member_of(*rank);
    while (!member && ++rank != ranks_.end()) member = member_of(*rank);
    if (!member) {
      if (wait_ns != kNever) pause_.start(wait_ns / kMillisecondNs + 1, 0, [this] { run(); });
      return;
    }
    const bool more = member->take_turn();
    const int64_t spent_ns = std::exchange(now_ns, steady_now_ns());
    member->share_.spend(now_ns - spent_ns, now_ns);
    rank->share.spend(now_ns - spent_ns, now_ns);
    if (more) {
      rank_of(*member).waiting.push_back(std::move(member));
    } else {
      member->waits_ = false;
    }
  }
  run_soon();
}

void ConnectionQuota::enter(uint64_t id, const std::string& network) {
  const uint64_t entry = ++entries_;
  all_.emplace(id, Place{entry, network});
  networks_[network].emplace(entry, id);
}

void ConnectionQuota::leave(uint64_t id) {
  const auto left = all_.extract(id);
  if (left.empty()) return;
  const auto network = networks_.find(left.mapped().network);
  network->second.erase(left.mapped().entry);
  if (network->second.empty()) networks_.erase(network);
}

uint64_t ConnectionQuota::next_to_go() const {
  const auto crowd = std::max_element(
      networks_.begin(), networks_.end(),
      [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  return crowd->second.begin()->second;
}

}  // namespace sail
