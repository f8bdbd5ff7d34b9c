// Users with passwords and their rights. A service checks them at login. Pure.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "sail/core/auth/password.h"
#include "sail/core/auth/wall_key.h"
#include "sail/core/base/result.h"
#include "sail/core/text/json.h"

namespace sail {

struct Person {
  Right right = Right::kNone;
  Verifier verifier{};

  bool operator==(const Person&) const = default;
};

class People {
 public:
  static constexpr size_t kMostPeople = 1000;
  static constexpr size_t kMostName = 30;

  People();
  // Reads the format of json(). Fails with kBadData.
  static Result<People> read(const Json& json);
  Json json() const;

  // by name
  const std::map<std::string, Person, std::less<>>& all() const { return people_; }
  // Null if the user does not exist. key_name: "user/NAME".
  const Person* find(std::string_view key_name) const;
  Right right_of(std::string_view key_name) const;
  // Constant salt, also for unknown users, so that nobody learns which users exist.
  std::string salt_of(std::string_view key_name) const;
  // As check_person(), for the user named in `words`.
  std::optional<PersonProof> check(const ControlProof& words, std::string_view role,
                                   const std::string& of_peer) const;

  // kInvalidParams: invalid name or role. kConflict: the user exists. kLimit: too many users.
  Result<void> add(const std::string& name, const Person& person);
  // kNotFound: no such user.
  Result<void> change_password(std::string_view name, const Verifier& verifier);
  Result<void> remove(std::string_view name);

 private:
  std::string salt_secret_;
  std::map<std::string, Person, std::less<>> people_;
};

bool is_persons_name(std::string_view name);
// Roles of users: viewer, presenter, operator, admin; kNone for any other word.
Right person_role(std::string_view word);

}  // namespace sail
