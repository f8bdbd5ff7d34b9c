// Explores what may happen in a small world, and returns the first violation. The worlds hold parts
// of the product that cannot be copied, so each sequence is played from the beginning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace model {

constexpr uint64_t mix(uint64_t hash, uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15U + (hash << 6) + (hash >> 2);
  hash *= 0xff51afd7ed558ccdU;
  return hash ^ (hash >> 32);
}

class World {
 public:
  virtual ~World() = default;
  // The number of steps that are possible now. Their order is always the same.
  virtual size_t choices() = 0;
  virtual void choose(size_t choice) = 0;
  // Continues without further faults until all must be well again.
  virtual void finish() = 0;
  // Worlds with equal fingerprints continue alike.
  virtual uint64_t fingerprint() const = 0;

  // The first violation; empty: none.
  const std::string& wrong() const { return wrong_; }
  // Adds a readable line for each step from now on.
  void record(std::vector<std::string>& steps) { steps_ = &steps; }

 protected:
  bool recorded() const { return steps_ != nullptr; }
  void note(const std::string& step) {
    if (steps_ != nullptr) steps_->push_back(step);
  }
  void violate(const std::string& what) {
    if (wrong_.empty()) wrong_ = what;
  }

 private:
  std::string wrong_;
  std::vector<std::string>* steps_ = nullptr;
};

struct Bounds {
  size_t depth = 0;   // steps of a sequence
  size_t states = 0;  // different states
};
struct Explored {
  size_t states = 0;
  size_t steps = 0;      // explored, including those to known states
  size_t depth = 0;      // of the longest sequence
  size_t all_until = 0;  // all sequences of at most this length were explored
  std::string wrong;     // empty: no violation
  std::vector<std::string> sequence;

  std::string text() const;
};
// Breadth first: all sequences of few steps. The first violation found has the shortest.
Explored explore(const std::function<std::unique_ptr<World>()>& begin, const Bounds& bounds);
// Far, but narrow. In the usual order each step is the first that is possible. At each moment of
// this order, up to bounds.depth, every other step is taken instead, and then up to 40 steps in the
// usual order. Its states are such sequences.
Explored explore_surprises(const std::function<std::unique_ptr<World>()>& begin,
                           const Bounds& bounds);

}  // namespace model
