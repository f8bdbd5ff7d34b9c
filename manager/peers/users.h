// The people who have a password at this wall, stored in a file. Runs on the loop thread; changes
// block on the disk.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>

#include "sail/core/auth/people.h"
#include "sail/core/base/result.h"

namespace manager {

class Users {
 public:
  // file: empty: people cannot be stored, so there are none.
  static Users load(std::filesystem::path file);

  // Returns what is wrong with the file, and the remedy; empty: nothing. While the file is damaged,
  // there are no people, none can be added, and the file is not changed.
  const std::string& damage() const { return damage_; }
  // The same for those who sign in, whoever they are: without the file's place. Empty: they can.
  std::string why_closed() const;

  const sail::People& people() const { return people_; }
  // Calls `act` to change the people. If `act` fails, or the file cannot be written, nothing
  // changes.
  using Act = std::function<sail::Result<void>(sail::People&)>;
  sail::Result<void> change(const Act& act);
  // Called after each change.
  void watch(std::function<void()> on_changed) { on_changed_ = std::move(on_changed); }

 private:
  explicit Users(std::filesystem::path file) : file_(std::move(file)) {}

  std::filesystem::path file_;
  std::string damage_;
  sail::People people_;
  std::function<void()> on_changed_;
};

}  // namespace manager
