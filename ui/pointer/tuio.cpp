#include "ui/pointer/tuio.h"

#include <algorithm>
#include <set>

namespace ui {
namespace {

constexpr const char* kCursors = "/tuio/2Dcur";
constexpr const char* kObjects = "/tuio/2Dobj";
constexpr int64_t kRestartFrames = 100;  // frames
constexpr size_t kMaxSourceName = 128;

void lift(std::vector<TouchChange>& changes, uint64_t touch, double x, double y) {
  changes.push_back({TouchChange::Kind::kUp, touch, x, y});
}

}  // namespace

TuioReader::Source* TuioReader::source(const std::string& name, int64_t now_ms) {
  auto found = sources_.find(name);
  if (found == sources_.end()) {
    if (sources_.size() >= kMaxSources) {
      // A source without touches can be evicted: it loses nothing and may come back at any time.
      const auto idle = std::find_if(sources_.begin(), sources_.end(), [](const auto& entry) {
        return std::all_of(entry.second.profiles.begin(), entry.second.profiles.end(),
                           [](const auto& profile) { return profile.second.touches.empty(); });
      });
      if (idle == sources_.end()) return nullptr;
      sources_.erase(idle);
    }
    found = sources_.try_emplace(name).first;
  }
  found->second.last_message_ms = now_ms;
  return &found->second;
}

std::vector<TouchChange> TuioReader::take(const std::string& address,
                                          std::span<const OscMessage> messages, int64_t now_ms) {
  std::vector<TouchChange> changes;
  std::string name = address;
  // Some senders (python-tuio) end a bundle of several profiles with only one fseq message.
  std::set<std::string> open;  // profiles in this bundle without an fseq of their own
  const OscMessage* number = nullptr;
  for (const OscMessage& message : messages) {
    const bool object = message.address == kObjects;
    if (!object && message.address != kCursors) continue;
    const auto command = message.text(0);
    if (command == "source") {
      const auto given = message.text(1);
      if (given && given->size() <= kMaxSourceName) {
        if (name != *given) open.clear();
        name = *given;
      } else {
        ++counters_.refused;
      }
      continue;
    }
    Source* from = source(name, now_ms);
    if (from == nullptr || !command) {
      ++counters_.refused;
      continue;
    }
    if (command == "fseq") {
      number = &message;
      open.erase(message.address);
    } else {
      open.insert(message.address);
    }
    read(from->profiles[message.address], object, message, changes);
  }
  const auto last = sources_.find(name);
  if (number == nullptr || last == sources_.end()) return changes;
  for (const std::string& profile : open) {
    end_frame(last->second.profiles[profile], *number, changes);
  }
  return changes;
}

void TuioReader::read(Profile& profile, bool object, const OscMessage& message,
                      std::vector<TouchChange>& changes) {
  const auto command = message.text(0);
  if (command == "alive") {
    read_alive(profile, message);
  } else if (command == "set") {
    read_set(profile, object, message);
  } else if (command == "fseq") {
    end_frame(profile, message, changes);
  } else {
    ++counters_.refused;
  }
}

void TuioReader::read_alive(Profile& profile, const OscMessage& message) {
  profile.has_alive = true;
  profile.alive.clear();
  for (size_t i = 1; i < message.arguments.size(); ++i) {
    const auto session = message.whole(i);
    if (session && profile.alive.size() < kMaxTouches) {
      profile.alive.insert(*session);
    } else {
      ++counters_.refused;
    }
  }
}

// "set s x y …", or for objects, with a class id i, "set s i x y …".
void TuioReader::read_set(Profile& profile, bool object, const OscMessage& message) {
  const size_t first = object ? 3 : 2;
  const auto session = message.whole(1);
  const auto x = message.number(first);
  const auto y = message.number(first + 1);
  const bool room =
      session && (profile.moved.size() < kMaxTouches || profile.moved.contains(*session));
  if (!room || !x || !y) {
    ++counters_.refused;
    return;
  }
  profile.moved[*session] = {std::clamp(*x, 0.0, 1.0), std::clamp(*y, 0.0, 1.0)};
}

void TuioReader::end_frame(Profile& profile, const OscMessage& message,
                           std::vector<TouchChange>& changes) {
  const auto frame = message.whole(1);
  if (!frame) {
    ++counters_.refused;
  } else if (*frame < 0) {
    commit(profile, changes);
  } else if (*frame < profile.last_frame && profile.last_frame - *frame <= kRestartFrames) {
    ++counters_.late;
  } else {
    // A larger jump is a restart of the tracker, not a loss.
    const int64_t missing = *frame - 1 - profile.last_frame;  // in this order, it cannot overflow
    if (profile.last_frame >= 0 && missing > 0 && missing <= kRestartFrames) {
      counters_.lost += static_cast<uint64_t>(missing);
    }
    profile.last_frame = *frame;
    commit(profile, changes);
  }
  profile.has_alive = false;
  profile.alive.clear();
  profile.moved.clear();
}

void TuioReader::commit(Profile& profile, std::vector<TouchChange>& changes) {
  ++counters_.frames;
  if (profile.has_alive) {
    std::erase_if(profile.touches, [&](const auto& entry) {
      if (profile.alive.contains(entry.first)) return false;
      lift(changes, entry.second.number, entry.second.at.x, entry.second.at.y);
      return true;
    });
  }
  for (const auto& [session, at] : profile.moved) {
    if (profile.has_alive && !profile.alive.contains(session)) continue;
    const auto found = profile.touches.find(session);
    if (found == profile.touches.end()) {
      if (profile.touches.size() >= kMaxTouches) continue;
      profile.touches[session] = {next_touch_, at};
      changes.push_back({TouchChange::Kind::kDown, next_touch_++, at.x, at.y});
    } else if (found->second.at != at) {
      found->second.at = at;
      changes.push_back({TouchChange::Kind::kMove, found->second.number, at.x, at.y});
    }
  }
}

std::vector<TouchChange> TuioReader::expire(int64_t now_ms) {
  std::vector<TouchChange> changes;
  std::erase_if(sources_, [&](const auto& entry) {
    if (now_ms - entry.second.last_message_ms < kSilentMs) return false;
    for (const auto& [address, profile] : entry.second.profiles) {
      for (const auto& [session, touch] : profile.touches) {
        lift(changes, touch.number, touch.at.x, touch.at.y);
      }
    }
    return true;
  });
  return changes;
}

bool TuioReader::touched() const {
  return !sources_.empty();
}

}  // namespace ui
