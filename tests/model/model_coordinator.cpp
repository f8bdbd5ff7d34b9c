#include "tests/model/model_coordinator.h"

#include "tests/model/model_wall.h"

namespace model {

receiver::SyncCoordinator::Now ModelCoordinator::now() const {
  return {wall_.network().now_ns, wall_.network().now_ns};
}

void ModelCoordinator::end() {
  coordinator_.reset();
  joined_.clear();
}

void ModelCoordinator::set_group(const sail::CoordinatedGroup& group) {
  if (!coordinator_ || secret_ != group.secret) {
    coordinator_ = std::make_unique<receiver::SyncCoordinator>();
    secret_ = group.secret;
    joined_.clear();
  }
  coordinator_->set_members(group, wall_.network().now_ns);
  coordinator_->tick(now());
}

void ModelCoordinator::tick() {
  if (coordinator_) coordinator_->tick(now());
}

void ModelCoordinator::send_decisions() {
  if (!coordinator_) return;
  for (const auto& message : coordinator_->outgoing()) {
    const size_t to = message.member - 1;
    if (!joined_.contains(to)) continue;
    static constexpr const char* kNames[] = {"", "joined", "show", "drop", "granted", "alive"};
    wall_.network().send(
        Network::back(wall_.group_line(to, node_)),
        kNames[static_cast<size_t>(message.decision.kind)],
        [this, to, decision = message.decision] { wall_.sender(to).decided(decision); },
        static_cast<uint64_t>(message.decision.present_ns / kMs));
  }
  coordinator_->clear_outgoing();
}

void ModelCoordinator::join(size_t sender, uint64_t secret) {
  const uint32_t stream = wall_.sender(sender).stream();
  const size_t line = wall_.group_line(sender, node_);
  if (secret_ != secret || !coordinator_ || !coordinator_->has(stream)) return wall_.refuse(line);
  if (!joined_.insert(sender).second) coordinator_->lose(stream, now());
  wall_.network().send(Network::back(line), "joined", [this, sender] {
    wall_.sender(sender).decided({.kind = sail::DecisionKind::kJoined});
  });
}

void ModelCoordinator::vote(size_t sender, const sail::GroupReady& ready) {
  if (!coordinator_ || !joined_.contains(sender)) return;
  coordinator_->ready(wall_.sender(sender).stream(), ready, now());
}

void ModelCoordinator::lose(size_t sender) {
  if (joined_.erase(sender) != 0) coordinator_->lose(wall_.sender(sender).stream(), now());
}

bool ModelCoordinator::answers(size_t sender) const {
  const Line& line = wall_.network().line(Network::back(wall_.group_line(sender, node_)));
  return joined_.contains(sender) && line.open && !line.held;
}

}  // namespace model
