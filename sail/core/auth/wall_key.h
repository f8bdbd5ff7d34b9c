// Keys authenticate programs and people to a manager or a film server, and the servers to them. The
// wall's key has no name and allows everything. All other keys are derived from it by name
// ("viewer", "receiver", "application/…"), so the holder of the wall's key knows them all, and none
// is stored. Control connections never send keys: see proof.h.
//
// A key's text is its secret, prefixed by "NAME:" if it has a name; for a user it is "user/NAME:"
// and the password (password.h). Programs take the key from $VITRAIL_KEY (set by a manager for
// programs that it starts), else from the file named by $VITRAIL_KEY_FILE, else from the user's
// state folder, with a file for each server address. Any thread; reads files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "sail/core/address/address.h"
#include "sail/core/base/result.h"

namespace sail {

struct WallKey {
  std::string name;    // "": the wall's own; letters, digits and /_-
  std::string secret;  // "": nothing to prove
};

// kInvalidParams: too short, or an invalid name; kLimit: too long.
Result<WallKey> read_key(std::string_view text);
std::string key_text(const WallKey& key);
// Derives the key for a name from the wall's key; without a secret if the wall has none.
WallKey key_named(const WallKey& wall_key, std::string_view name);

// A key whose name ends in "/until-SECONDS" (since 1970) has no right from then on. Empty: the key
// has no end.
std::optional<int64_t> end_of_key(std::string_view key_name);

// Rights of UI clients by key name, in increasing order. A slash and the text after it only
// distinguish keys with the same right, and say when they end.
enum class Right : uint8_t {
  kNone,       // "receiver", "metrics", and unknown names
  kViewer,     // may only view
  kProgram,    // "application": a program that shows content
  kPresenter,  // may change windows opened with a key of the same name
  kOperator,   // everything except files and programs of the manager's machine
  kAdmin,      // the wall's own key, and "admin"
};
// Reads the system's clock for keys with an end.
Right right_of(std::string_view key_name);
const char* right_name(Right right);
// True if `has` allows what needs `needed`. kPresenter does not include kProgram, because programs
// may show content of other users.
bool includes(Right has, Right needed);
// True if the key lets in an application (or a receiver, respectively).
bool opens_to_application(std::string_view key_name);
bool opens_to_receiver(std::string_view key_name);

// A key named "watch/WHAT/until-SECONDS" is a link: until then it lets in viewers of a recording of
// WHAT, and nobody to a manager.
constexpr std::string_view kWatchRole = "watch";
// True if a recorder of `what` lets in viewers with this key: a link to that, or a key that may
// view the wall.
bool opens_to_viewer(std::string_view key_name, std::string_view what);

// Returns the key to prove to the peer at this numeric address; empty if none is known.
// kUnauthorized: other users can read the file; kIo: it cannot be read.
Result<WallKey> key_for(const Address& peer);
// True if the environment specifies the key, rather than the file kept for an address.
bool is_key_in_environment();
// As key_for(), for a server that listens at `at`. kUnauthorized if it is not the wall's own key.
Result<WallKey> key_for_server(const Address& at);
Result<WallKey> read_key_file(const std::filesystem::path& file);

// File of this user's key for the server at `at`. Empty if there is no state folder, or the address
// is not of this host.
std::filesystem::path key_file(const Address& at);
Result<void> save_key(const Address& at, const WallKey& key);
void delete_key(const Address& at);
WallKey new_key();

// Address at which programs of this host reach a server listening at `listening`.
Address address_for_this_host(Address listening);

// kUnauthorized if a server must not listen at `at`: other machines reach it, and there is no key
// or no encryption. insecure: allow it.
Result<void> check_exposure(const Address& at, const WallKey& key, bool insecure);
// TLS use of a server with this `insecure` option.
TlsUse listening_tls(bool insecure);

}  // namespace sail
