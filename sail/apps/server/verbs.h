// The verbs of the control connection. README.md is the normative text; a test compares the two.
#pragma once

#include <vector>

#include "sail/core/rpc/rpc_service.h"

namespace server {

class FilmServer;

// Sorted by name. The server must outlive the verbs.
std::vector<sail::RpcVerb> film_verbs(FilmServer& server);

}  // namespace server
