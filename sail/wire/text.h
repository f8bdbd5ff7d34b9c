// Text from peers ends up in logs, on terminals, in lists and on tiles. All of it is valid UTF-8
// without control characters (C0, DEL, C1), or it is refused; what people read as a name also says
// what it seems to say. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sail {

// For what nobody reads as a name: paths, keys that were typed.
bool is_plain_text(std::string_view text);

// Why the text cannot be a name ("must be …", "must not hold …"); nothing when it can. Beside
// control characters these are refused: what turns the direction of the text around it, and what
// cannot be seen. Joiners stay where scripts and emoji need them, between letters beyond Latin.
std::optional<std::string> name_mistake(std::string_view text);

// The text as a name: a '?' for every byte that is_plain_text would refuse, nothing for the other
// characters that may not be in one, cut to max_bytes between two characters.
std::string make_plain_text(std::string_view text, size_t max_bytes);

// In lower case: letters of the Latin alphabet only, others stay as they are written.
char lower(char letter);
std::string lower(std::string_view text);
// The same but for case.
bool same_word(std::string_view a, std::string_view b);
// Without the blanks and line ends around it.
std::string_view trimmed(std::string_view text);

}  // namespace sail
