// The people with a password at this wall, stored in a file. Loop thread; changes block on the
// disk.
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
  // An empty file name: people cannot be stored, so there are none.
  static Users load(std::filesystem::path file);

  // Says what is wrong with the file and how to repair it; empty: nothing is wrong. While the file
  // is damaged, there are no people, none can be added, and the file is not changed.
  const std::string& damage() const { return damage_; }
  // Like damage(), for unauthenticated people: without the file's path. Empty: people can sign in.
  std::string why_closed() const;

  const sail::People& people() const { return people_; }
  // Calls `act` to change the people. If `act` or writing the file fails, nothing changes.
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
