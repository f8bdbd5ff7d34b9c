// Passwords that stand in URLs: those who play the URL need them, and nobody else. Pure.
#pragma once

#include <string>
#include <string_view>

namespace sail {

// The text with "…" for what is secret in the URLs that it holds: the password of
// scheme://user:password@host, and the values of parameters named like one (?password=,
// &passphrase=), and the keys of ibp://host/key/typekey/READ. It may be a URL or a sentence about
// some.
std::string without_passwords(std::string_view text);

}  // namespace sail
