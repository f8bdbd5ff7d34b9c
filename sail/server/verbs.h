// The verbs of the control connection. README.md is the normative text; a test compares the two.
#pragma once

#include <vector>

#include "sail/net/rpc_service.h"

namespace server {

class FilmServer;

// Alphabetical. The server must outlive them.
std::vector<sail::RpcVerb> film_verbs(FilmServer& server);

}  // namespace server
