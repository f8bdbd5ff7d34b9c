#include "manager/failover/witness_access.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>

#include "sail/core/base/environment.h"
#include "sail/core/base/private_file.h"

namespace manager {

WitnessAccess witness_access() {
  return {.authorities = sail::environment("SSL_CERT_FILE"),
          .certificate = sail::environment("VITRAIL_WITNESS_CERTIFICATE"),
          .key = sail::environment("VITRAIL_WITNESS_KEY"),
          .user = sail::environment("VITRAIL_WITNESS_USER"),
          .password_file = sail::environment("VITRAIL_WITNESS_PASSWORD_FILE")};
}

sail::Result<std::string> witness_password(const sail::Witness& witness,
                                           const WitnessAccess& access) {
  constexpr size_t kLongestPassword = 256;  // bytes
  if (!witness.tls) {
    return sail::fail(sail::ErrorCode::kInvalidParams,
                      "the password is sent only with TLS: name the witness as etcds://…");
  }
  struct stat facts {};
  const bool found = stat(access.password_file.c_str(), &facts) == 0;
  // Opening a pipe could take for ever. A pipe also cannot be read again for the next sign-in.
  if (found && !S_ISREG(facts.st_mode)) {
    return sail::fail(sail::ErrorCode::kInvalidParams,
                      fmt::format("$VITRAIL_WITNESS_PASSWORD_FILE: {} is not a regular file",
                                  access.password_file));
  }
  if (found && (facts.st_mode & S_IRWXO) != 0) {
    return sail::fail(
        sail::ErrorCode::kUnauthorized,
        fmt::format("other users can access {0}: run `chmod 600 {0}`", access.password_file));
  }
  auto text = sail::read_file(access.password_file, kLongestPassword);
  if (!text) {
    return sail::fail(sail::ErrorCode::kIo,
                      fmt::format("$VITRAIL_WITNESS_PASSWORD_FILE: {}", text.error().message));
  }
  text->resize(std::min(text->find_first_of("\r\n"), text->size()));
  if (!text->empty() && text->size() <= kLongestPassword) return text;
  return sail::fail(sail::ErrorCode::kInvalidParams,
                    fmt::format("{}: the first line must be a password of at most {} bytes",
                                access.password_file, kLongestPassword));
}

}  // namespace manager
