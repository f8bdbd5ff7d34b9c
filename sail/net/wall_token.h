// The token that a program says to a manager or a film server: the one place that knows where it
// comes from. $VITRAIL_TOKEN is said to whomever the program is told to ask. Without it there are
// the files of this user's state folder, one for each manager or film server that this user started
// here; what such a file holds is said to that one and to nobody else. Any thread.
#pragma once

#include <string>

#include "sail/base/result.h"
#include "sail/net/tcp.h"

namespace sail {

// $VITRAIL_TOKEN; "" without.
std::string token_in_environment();
// What to say to the peer that was reached at this (numeric) address. "" when there is nothing.
std::string token_for(const Address& peer);

// What is kept for whoever listens at this address of this host; "" when nothing is.
std::string kept_token(const Address& at);
Result<void> keep_token(const Address& at, const std::string& token);
void forget_token(const Address& at);
// That nobody guesses, of letters and digits.
std::string new_token();

// Where programs of this host reach what listens there.
Address address_for_this_host(Address listening);

// Why a server must not listen there: other machines reach it, and nothing keeps anybody out.
// insecure: that is meant. kUnauthorized.
Result<void> check_exposure(const Address& at, const std::string& token, bool insecure);

}  // namespace sail
