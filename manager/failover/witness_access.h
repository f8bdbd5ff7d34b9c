// How this host's managers prove themselves to the witness: certificate, user and password. From
// the environment, because the wall file goes to other hosts and may be read by others. Any thread.
#pragma once

#include <string>

#include "sail/core/base/result.h"
#include "sail/core/wall/witness.h"

namespace manager {

struct WitnessAccess {
  std::string authorities{};    // File of the certificates that sign the servers'; empty: system's.
  std::string certificate{};    // File of this client's certificate; empty: none.
  std::string key{};            // File of its private key.
  std::string user{};           // Empty: no password.
  std::string password_file{};  // its first line is the password
};

// Reads $SSL_CERT_FILE and $VITRAIL_WITNESS_CERTIFICATE, _KEY, _USER and _PASSWORD_FILE.
WitnessAccess witness_access();

// Reads the password. kInvalidParams: the witness has no TLS, or the file is empty. kUnauthorized:
// other users can read the file. kIo: it cannot be read.
sail::Result<std::string> witness_password(const sail::Witness& witness,
                                           const WitnessAccess& access);

}  // namespace manager
