// Processes and connections of a modelled wall. Messages on a connection keep their order; whether
// one arrives before a message of another connection is the explorer's choice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/model/explorer.h"

namespace model {

constexpr int64_t kMs = 1'000'000;

struct Process {
  std::string name{};
  bool up = true;
  bool stopped = false;
  int life = 0;
  // All that the process got to know, with the times. A process is deterministic, so this stands
  // for its whole state.
  uint64_t history = 0;

  bool runs() const { return up && !stopped; }
  uint64_t state() const {
    return mix(history, static_cast<uint64_t>(life) * 4 + (up ? 2U : 0U) + (stopped ? 1U : 0U));
  }
};

struct Message {
  const char* what = "";
  uint64_t frame = 0;
  uint64_t epoch = 0;
  uint64_t print = 0;
  std::function<void()> arrives;
};

// One direction of a connection.
struct Line {
  Process* from = nullptr;
  Process* to = nullptr;
  bool open = false;  // messages sent while it is closed are lost
  bool held = false;  // its messages are delayed
  std::deque<Message> messages{};
};

class Network {
 public:
  // Returns the number of the line from `one`; the line back has the next number.
  size_t connect(Process& one, Process& other) {
    lines_.push_back({.from = &one, .to = &other});
    lines_.push_back({.from = &other, .to = &one});
    return lines_.size() - 2;
  }
  static size_t back(size_t line) { return line ^ 1U; }
  std::deque<Line>& lines() { return lines_; }
  Line& line(size_t number) { return lines_[number]; }
  const Line& line(size_t number) const { return lines_[number]; }
  const std::deque<Line>& lines() const { return lines_; }

  void send(size_t number, const char* what, std::function<void()> arrives, uint64_t frame = 0,
            uint64_t epoch = 0) {
    Line& line = lines_[number];
    sent_.push_back(number);
    if (!line.open) return sent_.pop_back();
    const uint64_t print = mix(line.from->history, sent_.size());
    line.messages.push_back({what, frame, epoch, print, std::move(arrives)});
  }
  void open(size_t number) { lines_[number].open = lines_[back(number)].open = true; }
  // The process at the end of this line learns, after what was sent before, that it is closed.
  void close(size_t number, std::function<void()> closed) {
    Line& line = lines_[number];
    line.messages.push_back({"the end of the connection", 0, 0, 1, std::move(closed)});
    line.open = false;
  }
  bool deliverable(size_t number) const {
    const Line& line = lines_[number];
    return !line.messages.empty() && !line.held && line.to->runs();
  }
  // Begins a step of this process.
  void begin(Process& process, uint64_t what) {
    process.history = mix(mix(process.history, what), static_cast<uint64_t>(now_ns));
    sent_.clear();
    acting_ = &process;
  }
  void deliver(size_t number) {
    Line& line = lines_[number];
    const Message message = std::move(line.messages.front());
    line.messages.pop_front();
    begin(*line.to, mix(message.print, number));
    message.arrives();
  }
  // The process of the last step, and the lines on which it then sent, in order.
  const Process* acting() const { return acting_; }
  const std::vector<size_t>& sent() const { return sent_; }
  // Takes back what the last step sent, except for the first `kept` messages.
  void unsend(size_t kept) {
    for (; sent_.size() > kept; sent_.pop_back()) lines_[sent_.back()].messages.pop_back();
  }
  void forget_sent() {
    sent_.clear();
    acting_ = nullptr;
  }
  uint64_t state() const {
    uint64_t hash = static_cast<uint64_t>(now_ns);
    for (const Line& line : lines_) {
      hash = mix(hash, (line.open ? 1U : 0U) + (line.held ? 2U : 0U));
      for (const Message& message : line.messages) hash = mix(hash, message.print);
    }
    for (const size_t sent : sent_) hash = mix(hash, sent);
    return hash;
  }

  int64_t now_ns = 1000 * kMs;

 private:
  std::deque<Line> lines_;
  std::vector<size_t> sent_;
  const Process* acting_ = nullptr;
};

}  // namespace model
