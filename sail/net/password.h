// How a person proves a password: without sending it, and so that nothing the listener keeps would
// prove it elsewhere. It is the split of RFC 5802 (SCRAM) over the words of a ControlProof, after
// scrypt (RFC 7914), which makes trying many passwords dear. PROTOCOL.md ("People") has the words.
// Here the peer proves first: a listener's proof would let anybody try passwords at home. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sail/base/result.h"
#include "sail/net/proof.h"

namespace sail {

// A person's "key" is the password, and its name this with the person's.
constexpr std::string_view kPersonKey = "user/";
bool is_person(std::string_view key_name);

// What the password becomes with the salt that the listener names for the person: 64 hexadecimal
// digits. Takes a third of a second and 32 MiB.
std::string stretched(std::string_view password, std::string_view salt);

// What a listener keeps instead: what is proved is checked by the one, its own proof made by the
// other.
struct Verifier {
  std::string stored_key;
  std::string listener_key;

  bool operator==(const Verifier&) const = default;
};
Verifier verifier_of(std::string_view stretched_password);

// words: with the person's key name; its secret is not asked for.
struct PersonProof {
  std::string of_peer;      // that the peer says in its hello
  std::string of_listener;  // that it finds in the answer
  std::string session;      // ControlProof::session()
};
// The peer's end.
PersonProof person_proof(const ControlProof& words, std::string_view stretched_password,
                         std::string_view role);
// The listener's; nothing: the peer's is wrong.
std::optional<PersonProof> check_person(const ControlProof& words, const Verifier& verifier,
                                        std::string_view role, const std::string& of_peer);

}  // namespace sail
