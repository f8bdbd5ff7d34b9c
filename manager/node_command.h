// The command that starts a wall's receiver: the program itself on the manager's host, ssh for
// another one. Pure.
//
// There a shell runs it. The key goes by ssh's standard input, because everybody on both hosts
// sees command lines; the program is ended when that input ends, which is when ssh does, whoever or
// whatever ended it.
#pragma once

#include <string>
#include <vector>

#include "sail/net/tcp.h"
#include "sail/wall/wall.h"

namespace manager {

struct ReceiverStart {
  std::string program;           // on this host
  sail::Address manager;         // for programs of this host
  sail::Address listen;          // where the manager listens: 0.0.0.0 and :: are all its addresses
  std::string key;               // for its $VITRAIL_KEY
  std::string display = "auto";  // where the wall file says none
  std::vector<std::string> ssh = {"ssh"};
};

struct NodeCommand {
  std::vector<std::string> arguments;
  std::vector<std::string> environment;  // as sail::Process takes it
  std::string input;                     // what it reads first; empty: it has no standard input
};

// Whether that is the manager's host.
bool is_this_host(std::string_view host);

// kUnavailable when the host cannot reach a manager that listens there.
sail::Result<NodeCommand> node_command(const sail::ReceiverPlace& place,
                                       const ReceiverStart& start);

// $VITRAIL_SSH, whose words are split at blanks, or just ssh.
std::vector<std::string> ssh_words();

}  // namespace manager
