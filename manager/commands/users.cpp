// People with passwords. Clients derive verifiers from passwords; passwords are never sent.
#include <algorithm>

#include "manager/commands/verbs.h"
#include "manager/peers/peers.h"
#include "manager/peers/users.h"
#include "sail/core/text/limits.h"

namespace manager::verbs {

namespace {

std::string key_name_of(const std::string& name) {
  return std::string(sail::kPersonKey) + name;
}

std::vector<uint64_t> sessions_of(const Peers& peers, const std::string& name) {
  std::vector<uint64_t> sessions;
  for (const auto& [id, peer] : peers.service().peers()) {
    if (peer->role() && peer->key_name() == key_name_of(name)) sessions.push_back(id);
  }
  return sessions;
}

std::string persons_name(sail::JsonFields& fields) {
  return fields.string("name", sail::People::kMostName);
}

sail::Verifier verifier(sail::JsonFields& fields) {
  sail::Verifier verifier;
  sail::HexDigits{sail::kProofDigits}.read(fields, "stored_key", verifier.stored_key);
  sail::HexDigits{sail::kProofDigits}.read(fields, "listener_key", verifier.listener_key);
  return verifier;
}

// Ends the person's sessions, perhaps the caller's own, so that nobody keeps rights that were
// removed.
void change(const Call& call, Users& users, Peers& peers, const std::string& name,
            const Users::Act& act) {
  if (peers.service().allows_everybody()) {
    call.reply(sail::fail(sail::ErrorCode::kConflict,
                          "this wall has no key, so nobody needs a password: start it with a key "
                          "(`vitrail key new`)"));
    return;
  }
  const auto done = users.change(act);
  call.reply(done.map([&] { return sail::Json{{"name", name}}; }));
  if (!done) return;
  for (const uint64_t session : sessions_of(peers, name)) {
    peers.service().end(session, "this user's password or role has changed");
  }
}

}  // namespace

Answer users(const Call& /*call*/, const Users& users, const Peers& peers) {
  if (!users.damage().empty()) return sail::fail(sail::ErrorCode::kConflict, users.damage());
  sail::Json list = sail::Json::array();
  for (const auto& [name, person] : users.people().all()) {
    list.push_back({{"name", name},
                    {"role", right_name(person.right)},
                    {"sessions", sessions_of(peers, name).size()}});
  }
  return sail::Json{{"users", std::move(list)}};
}

Answer user_salt(const Call& call, const Users& users) {
  sail::JsonFields fields = call.fields();
  const std::string name = persons_name(fields);
  if (auto error = fields.finish()) return *error;
  return sail::Json{{"salt", users.people().salt_of(key_name_of(name))}};
}

void user_add(const Call& call, Users& users, Peers& peers) {
  sail::JsonFields fields = call.fields();
  const std::string name = persons_name(fields);
  const sail::Person person{sail::person_role(fields.string("role", sail::kMaxNameLength)),
                            verifier(fields)};
  if (auto error = fields.finish()) return call.reply(*error);
  change(call, users, peers, name, [&](sail::People& people) { return people.add(name, person); });
}

void user_password(const Call& call, Users& users, Peers& peers) {
  sail::JsonFields fields = call.fields();
  const std::string name = persons_name(fields);
  const sail::Verifier made = verifier(fields);
  if (auto error = fields.finish()) return call.reply(*error);
  change(call, users, peers, name,
         [&](sail::People& people) { return people.change_password(name, made); });
}

void user_remove(const Call& call, Users& users, Peers& peers) {
  sail::JsonFields fields = call.fields();
  const std::string name = persons_name(fields);
  if (auto error = fields.finish()) return call.reply(*error);
  change(call, users, peers, name, [&](sail::People& people) { return people.remove(name); });
}

}  // namespace manager::verbs
