#include "sail/core/auth/people.h"

#include <fmt/core.h>

#include <algorithm>

#include "sail/core/base/secret.h"
#include "sail/core/text/json_fields.h"
#include "sail/core/text/limits.h"

namespace sail {
namespace {

constexpr std::string_view kSalt = "vitrail salt";

Error nobody(std::string_view name) {
  return {ErrorCode::kNotFound,
          fmt::format("unknown user '{}': `vitrail user list` shows all users", name)};
}

std::string digits(JsonFields& fields, const char* name, size_t count) {
  std::string text;
  HexDigits{count}.read(fields, name, text);
  return text;
}

}  // namespace

bool is_persons_name(std::string_view name) {
  return !name.empty() && name.size() <= People::kMostName &&
         std::ranges::all_of(name, [](char letter) {
           return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                  (letter >= '0' && letter <= '9') || letter == '-' || letter == '_';
         });
}

Right person_role(std::string_view word) {
  for (const Right right : {Right::kViewer, Right::kPresenter, Right::kOperator, Right::kAdmin}) {
    if (word == right_name(right)) return right;
  }
  return Right::kNone;
}

People::People() : salt_secret_(random_word()) {}

Result<People> People::read(const Json& json) {
  People people;
  JsonFields fields(json, "people");
  people.salt_secret_ = digits(fields, "salt_secret", kNonceDigits);
  for (const Json& item : fields.array("people", kMostPeople)) {
    JsonFields one(item, "people");
    const std::string name = one.string("name", kMostName);
    const Person person{
        person_role(one.string("role", kMaxNameLength)),
        {digits(one, "stored_key", kProofDigits), digits(one, "listener_key", kProofDigits)}};
    if (auto error = one.finish()) return fail(ErrorCode::kBadData, error->message);
    if (auto added = people.add(name, person); !added) {
      return fail(ErrorCode::kBadData, added.error().message);
    }
  }
  if (auto error = fields.finish()) return fail(ErrorCode::kBadData, error->message);
  return people;
}

Json People::json() const {
  Json list = Json::array();
  for (const auto& [name, person] : people_) {
    list.push_back({{"name", name},
                    {"role", right_name(person.right)},
                    {"stored_key", person.verifier.stored_key},
                    {"listener_key", person.verifier.listener_key}});
  }
  return {{"salt_secret", salt_secret_}, {"people", std::move(list)}};
}

const Person* People::find(std::string_view key_name) const {
  if (!is_person(key_name)) return nullptr;
  const auto found = people_.find(key_name.substr(kPersonKey.size()));
  return found == people_.end() ? nullptr : &found->second;
}

Right People::right_of(std::string_view key_name) const {
  const Person* person = find(key_name);
  return person == nullptr ? Right::kNone : person->right;
}

std::string People::salt_of(std::string_view key_name) const {
  const std::string_view words[] = {kSalt, key_name};
  return proof_of(salt_secret_, words).substr(0, kNonceDigits);
}

std::optional<PersonProof> People::check(const ControlProof& words, std::string_view role,
                                         const std::string& of_peer) const {
  // Does the same work for unknown users, so that it takes equally long.
  const std::string none(kProofDigits, '0');
  const Person* person = find(words.key.name);
  const Verifier verifier = person == nullptr ? Verifier{none, none} : person->verifier;
  auto proof = check_person(words, verifier, role, of_peer);
  return person == nullptr ? std::nullopt : proof;
}

Result<void> People::add(const std::string& name, const Person& person) {
  if (!is_persons_name(name)) {
    return fail(ErrorCode::kInvalidParams,
                fmt::format("name: must be 1 to {} letters, digits, - and _", kMostName));
  }
  if (person_role(right_name(person.right)) == Right::kNone) {
    return fail(ErrorCode::kInvalidParams, "role: must be viewer, presenter, operator or admin");
  }
  if (people_.contains(name)) {
    return fail(
        ErrorCode::kConflict,
        fmt::format("user '{0}' exists already: `vitrail user password {0}` changes the password",
                    name));
  }
  if (people_.size() >= kMostPeople) {
    return fail(ErrorCode::kLimit, fmt::format("the limit of {} users is reached", kMostPeople));
  }
  people_[name] = person;
  return {};
}

Result<void> People::change_password(std::string_view name, const Verifier& verifier) {
  const auto found = people_.find(name);
  if (found == people_.end()) return nobody(name);
  found->second.verifier = verifier;
  return {};
}

Result<void> People::remove(std::string_view name) {
  const auto found = people_.find(name);
  if (found == people_.end()) return nobody(name);
  people_.erase(found);
  return {};
}

}  // namespace sail
