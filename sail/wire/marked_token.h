// Tokens: their comparison, and those of programs that a manager starts. What asks for the token
// takes it with any mark.
#pragma once

#include <string>
#include <string_view>

namespace sail {

// Takes the same time wherever the texts differ (not whatever their lengths are).
bool same_token(std::string_view a, std::string_view b);

// A token for a program that the manager starts: the manager's own with a mark, by which its
// session is known again. A later manager and film servers with the same token take it, too.
std::string marked_token(std::string_view token);
// Whether it is the token, marked or not.
bool is_token_or_marked(std::string_view given, std::string_view token);
// The mark of a token that the manager with `token` gave; "" for others.
std::string mark_of(std::string_view given, std::string_view token);
constexpr size_t kTokenMarkBytes = 33;

}  // namespace sail
