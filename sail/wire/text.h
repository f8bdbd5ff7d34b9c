// Text from peers ends up in logs, on terminals and on tiles: it is valid UTF-8 without control
// characters (C0, DEL, C1), or it is refused. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sail {

bool is_plain_text(std::string_view text);

// The text with a '?' for every byte that is_plain_text would refuse, cut to max_bytes between two
// characters.
std::string make_plain_text(std::string_view text, size_t max_bytes);

}  // namespace sail
