// Password authentication: the password is not sent, and the data kept by the listener cannot be
// used to log in elsewhere. Combines SCRAM (RFC 5802) with the words of a ControlProof. scrypt (RFC
// 7914) makes guessing slow. PROTOCOL.md ("People") has the details. The peer proves first, because
// a proof by the listener would allow offline guessing. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sail/core/auth/proof.h"
#include "sail/core/base/result.h"

namespace sail {

// Prefix of key names of users; the "key" is then the password.
constexpr std::string_view kPersonKey = "user/";
bool is_person(std::string_view key_name);

// Derives a key from the password and the salt that the listener sent: 64 hexadecimal digits. Takes
// a third of a second and 32 MiB.
std::string derive_key(std::string_view password, std::string_view salt);

// Stored by the listener instead of the password. stored_key checks the peer's proof; listener_key
// makes the listener's own proof.
struct Verifier {
  std::string stored_key;
  std::string listener_key;

  bool operator==(const Verifier&) const = default;
};
Verifier verifier_of(std::string_view derived_key);

// Proofs for one connection. `words` contain the user's key name; their secret is not used.
struct PersonProof {
  std::string of_peer;      // sent by the peer in its hello
  std::string of_listener;  // expected by the peer in the answer
  std::string session;      // ControlProof::session()
};
// For the peer.
PersonProof person_proof(const ControlProof& words, std::string_view derived_key,
                         std::string_view role);
// For the listener; empty if the peer's proof is wrong.
std::optional<PersonProof> check_person(const ControlProof& words, const Verifier& verifier,
                                        std::string_view role, const std::string& of_peer);

}  // namespace sail
