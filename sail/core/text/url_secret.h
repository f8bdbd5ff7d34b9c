// Hides passwords in URLs: only the program that plays the URL needs them. Pure.
#pragma once

#include <string>
#include <string_view>

namespace sail {

// Replaces secrets in all URLs of the text by "…": the password of scheme://user:password@host, the
// values of parameters with a name like one (?password=, &passphrase=), and the keys of
// ibp://host/key/typekey/READ. The text may be a URL or a sentence with URLs.
std::string without_passwords(std::string_view text);

}  // namespace sail
