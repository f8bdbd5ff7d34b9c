// The witness of a wall, as in the wall file: etcd servers of which a manager needs a lease to
// rule. Pure.
#pragma once

#include <string>
#include <vector>

#include "sail/core/text/json_fields.h"

namespace sail {

struct Witness {
  std::vector<std::string> servers{};  // "HOST:PORT" of one etcd cluster, at least one
  std::string prefix{};                // prefix of its keys, such as "/hall"; empty: none was given
  bool tls = false;

  std::string text() const;  // "etcd://HOST:PORT,HOST2:PORT2/PREFIX"; with TLS "etcds://…"

  bool operator==(const Witness&) const = default;
};

// Reads the text of a witness. Anything else is a mistake.
Witness read_witness(JsonFields& fields, const char* name);

}  // namespace sail
