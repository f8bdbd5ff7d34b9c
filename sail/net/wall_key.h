// Keys: what lets programs and people in to a manager or a film server, and by which those prove in
// turn that they are what they seem. The wall's key has no name and opens everything. The others
// are made from it, each for a name ("viewer", "receiver", "application/…"), so whoever has the
// wall's key knows all of them, and nothing is to be kept. A key is told to nobody: see proof.h.
//
// A key's text is its secret, with "NAME:" before it if it has one; or "user/NAME:" and a person's
// password, for which see password.h. Programs take it from
// $VITRAIL_KEY (so are those that a manager starts told theirs), else from the file that
// $VITRAIL_KEY_FILE names, else from this user's state folder, which has a file for each manager or
// film server by its address. Any thread; reads files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "sail/base/result.h"
#include "sail/net/tcp.h"

namespace sail {

struct WallKey {
  std::string name;    // "": the wall's own; letters, digits and /_-
  std::string secret;  // "": there is nothing to prove
};

// kInvalidParams, in words: too short, or a name that is none.
Result<WallKey> read_key(std::string_view text);
std::string key_text(const WallKey& key);
// Of the wall's key, the one for a name; without a secret when the wall has none.
WallKey key_named(const WallKey& wall_key, std::string_view name);

// What a key's name lets its holder do at a user's connection, each more than those before it. What
// follows a slash in a name tells keys of the same right apart.
enum class Right : uint8_t {
  kNone,       // "receiver", "metrics", and names that mean nothing
  kViewer,     // looks
  kProgram,    // "application": a program that shows something
  kPresenter,  // changes windows that were opened by a key of the same name
  kOperator,   // all but files of the manager's machine and its programs
  kAdmin,      // the wall's own key, and "admin"
};
Right right_of(std::string_view key_name);
const char* right_name(Right right);
// Whether who has the one may do what the other is needed for. A presenter is no program: what
// those play may be others'.
bool includes(Right has, Right needed);
// Whether such a key lets a peer in that is no user's.
bool opens_to_application(std::string_view key_name);
bool opens_to_receiver(std::string_view key_name);

// What to prove to the peer at this (numeric) address; empty when there is nothing. kUnauthorized:
// others can read the file, kIo: it cannot be read.
Result<WallKey> key_for(const Address& peer);
// Whether the environment says which, so that it is not the one kept for an address.
bool key_is_told();
// As key_for(), for one who listens there and lets others in: kUnauthorized when it is a role's.
Result<WallKey> key_to_ask_for(const Address& at);
Result<WallKey> read_key_file(const std::filesystem::path& file);

// Where this user's key for whoever listens there is kept; empty without a folder for it, and for
// what is not of this host.
std::filesystem::path key_file(const Address& at);
Result<void> keep_key(const Address& at, const WallKey& key);
void forget_key(const Address& at);
WallKey new_key();

// Where programs of this host reach what listens there.
Address address_for_this_host(Address listening);

// Why a server must not listen there: other machines reach it, and nothing keeps anybody out, or
// from reading everything. insecure: that is meant. kUnauthorized.
Result<void> check_exposure(const Address& at, const WallKey& key, bool insecure);
// Of such a server, then.
TlsUse listening_tls(bool insecure);

}  // namespace sail
