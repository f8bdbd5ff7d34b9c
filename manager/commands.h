// The table of verbs. Each verb is one file in commands/, which checks its arguments and answers.
// COMMANDS.md is the normative text; a test compares the two.
#pragma once

#include <span>
#include <string>

#include "sail/net/rpc_peer.h"
#include "sail/wire/json.h"

namespace manager {

class FsManager;
class Session;

struct Caller {
  FsManager& manager;
  Session& session;
};

struct Command {
  const char* verb;
  // Whose verb it is.
  bool ui = false;
  bool application = false;
  bool receiver = false;
  // Answers once, at once or later. `caller` lasts only for the call.
  void (*run)(const Caller& caller, const sail::Json& params, const sail::RpcPeer::Reply& reply);
};

// Alphabetical.
std::span<const Command> commands();

// Unknown verbs are answered with kUnknownMethod and the nearest known verb; verbs of another role
// with kInvalidRequest. reply must not be empty.
void run_command(const Caller& caller, const std::string& verb, const sail::Json& params,
                 const sail::RpcPeer::Reply& reply);

}  // namespace manager
