// The verbs of the control connection. README.md is the normative text; a test compares the two.
#pragma once

#include <span>
#include <string>

#include "sail/net/rpc_peer.h"
#include "sail/wire/json.h"

namespace server {

class ControlSession;
class FilmServer;

// Alphabetical.
std::span<const char* const> verbs();

// reply, not empty, is called once, at once or later. Unknown verbs are answered with
// kUnknownMethod.
void run_verb(FilmServer& server, const ControlSession& caller, const std::string& verb,
              const sail::Json& params, const sail::RpcPeer::Reply& reply);

}  // namespace server
