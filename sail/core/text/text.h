// Text from peers ends up in logs, on terminals, in lists and on tiles. So it must be valid UTF-8
// without control characters (C0, DEL, C1). Names, in addition, must not contain invisible or
// direction-changing characters. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sail {

// For text that is not read as a name, such as paths and typed keys.
bool is_plain_text(std::string_view text);

// Returns why the text cannot be a name ("must be …", "must not contain …"); empty if it can.
// Refuses control characters, characters that change the text direction, and invisible characters.
// Joiners are allowed where scripts and emoji need them, after characters beyond Latin.
std::optional<std::string> name_mistake(std::string_view text);

// Makes a valid name: replaces every byte that is_plain_text() refuses by '?', removes other
// characters that are not allowed in names, and cuts the text to max_bytes at a character boundary.
std::string make_plain_text(std::string_view text, size_t max_bytes);

// Convert to lower case, ASCII letters only.
char lower(char letter);
std::string lower(std::string_view text);
// Compares without regard to the case of ASCII letters.
bool same_word(std::string_view a, std::string_view b);
// Removes blanks and line ends at both ends.
std::string_view trimmed(std::string_view text);

// Whether the whole text has the form of the pattern: '*' stands for any characters, '?' for one;
// all others stand for themselves.
bool fits_pattern(std::string_view pattern, std::string_view text);

// For a mistyped word: the word with the smallest edit distance; empty if none is close enough.
std::string_view nearest_word(std::string_view word, const std::vector<std::string_view>& words);

// Colours: 0xRRGGBB, or empty if the text is not "#rrggbb". Digits may be upper or lower case.
std::optional<uint32_t> parse_colour(std::string_view text);
// Returns "#rrggbb" in lower case for 0xRRGGBB.
std::string colour_text(uint32_t colour);

// Hides passwords, which only the program that plays a URL needs: replaces secrets in all URLs of
// the text by "…": the password of scheme://user:password@host, the values of parameters whose name
// suggests a secret (?password=, &token=), and the keys of ibp://host/key/typekey/READ. The text
// may be a URL or a sentence with URLs.
std::string without_passwords(std::string_view text);
// Hides also the names of streams at RTMP and SRT servers, with which anybody could send a stream:
// rtmp://host/app/…, srt://host:port?streamid=….
std::string without_stream_keys(std::string_view text);

// Splits a line that a person wrote into words. 'Single' and "double" quotes keep blanks; # at the
// beginning of a word begins a comment.
std::vector<std::string> split_words(std::string_view line);

}  // namespace sail
