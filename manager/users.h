// The people who have a password at this wall, kept in a file of their own. Thread: the loop's;
// blocks on the disk when somebody changes.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>

#include "sail/base/result.h"
#include "sail/net/people.h"

namespace manager {

class Users {
 public:
  // file: empty, they cannot be kept, so there are none.
  static Users load(std::filesystem::path file);

  // What is wrong with the file, and what to do. Until then there is nobody, nobody can be added,
  // and the file stays as it is. Empty: nothing is wrong.
  const std::string& damage() const { return damage_; }
  // The same for those who sign in, whoever they are: without the file's place. Empty: they can.
  std::string why_closed() const;

  const sail::People& people() const { return people_; }
  // `act` changes them. What cannot be kept, or is refused, has not been done.
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
