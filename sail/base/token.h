// Numbers that must not be guessed, and tokens: the word that peers say to be let in, its
// comparison, and those of programs that a manager starts. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sail {

// From the system's generator; never 0.
uint64_t random_secret();

// Takes the same time wherever the texts differ (not whatever their lengths are).
bool same_token(std::string_view a, std::string_view b);

// A token for a program that a manager starts: the manager's own with a mark, by which its session
// is known again. A later manager with the same token takes it, too, as does a film server.
std::string marked_token(std::string_view token);
// Whether it is the manager's token, marked or not.
bool is_token_or_marked(std::string_view given, std::string_view token);
// The mark of a token that the manager with `token` gave; "" for others.
std::string mark_of(std::string_view given, std::string_view token);
constexpr size_t kTokenMarkBytes = 33;

}  // namespace sail
