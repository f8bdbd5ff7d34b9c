// People who prove a password, and what each may: what a service asks before it lets one in. Pure.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "sail/base/result.h"
#include "sail/net/password.h"
#include "sail/net/wall_key.h"
#include "sail/wire/json.h"

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
  // As json() gives it. kBadData.
  static Result<People> read(const Json& json);
  Json json() const;

  // By name.
  const std::map<std::string, Person, std::less<>>& all() const { return people_; }
  // Null when there is none. key_name: "user/NAME".
  const Person* find(std::string_view key_name) const;
  Right right_of(std::string_view key_name) const;
  // Everybody has one, whether there is such a person or not: nobody learns who is here. It stays.
  std::string salt_of(std::string_view key_name) const;
  // As check_person(), for who is named there.
  std::optional<PersonProof> check(const ControlProof& words, std::string_view role,
                                   const std::string& of_peer) const;

  // kInvalidParams: no name or no role of people. kConflict: there is one. kLimit.
  Result<void> add(const std::string& name, const Person& person);
  // kNotFound.
  Result<void> change_password(std::string_view name, const Verifier& verifier);
  Result<void> remove(std::string_view name);

 private:
  std::string salt_secret_;
  std::map<std::string, Person, std::less<>> people_;
};

bool is_persons_name(std::string_view name);
// What people may be: viewer, presenter, operator, admin; else kNone.
Right person_role(std::string_view word);

}  // namespace sail
