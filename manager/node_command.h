// The command that starts a program of a wall's node: a receiver, or what renders for it. The
// program itself on the manager's host, ssh for another one. Pure.
//
// There a shell runs it. The token goes by ssh's standard input, because everybody on both hosts
// sees command lines; the program is ended when that input ends, which is when ssh does, whoever or
// whatever ended it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sail/net/tcp.h"
#include "sail/wall/wall.h"

namespace manager {

// How programs find the manager, and it them.
struct NodeStart {
  sail::Address manager;  // for programs of this host
  sail::Address listen;   // where the manager listens: 0.0.0.0 and :: are all its addresses
  std::string token;      // for their $VITRAIL_TOKEN
  std::vector<std::string> ssh = {"ssh"};
};

struct ReceiverStart {
  std::string program;           // on this host
  std::string display = "auto";  // where the wall file says none
  NodeStart node;
};

struct NodeProgram {
  std::string host;  // empty: the manager's
  std::string user;
  int port = 0;  // 0: ssh's choice
  std::map<std::string, std::string> environment;
  std::vector<std::string> words;  // the program first, by a name that its host knows
};

struct NodeCommand {
  std::vector<std::string> arguments;
  std::vector<std::string> environment;  // as sail::Process takes it
  std::string input;                     // what it reads first; empty: it has no standard input
};

// Whether that is the manager's host.
bool is_this_host(std::string_view host);

// It hears of the manager by $VITRAIL_MANAGER. kUnavailable when the host cannot reach a manager
// that listens there.
sail::Result<NodeCommand> node_command(const NodeProgram& program, const NodeStart& start);
NodeProgram receiver_program(const sail::ReceiverPlace& place, const ReceiverStart& start);
// second: on its second host.
NodeProgram app_program(const sail::AppPlace& place, bool second, std::vector<std::string> words);

// $VITRAIL_SSH, whose words are split at blanks, or just ssh.
std::vector<std::string> ssh_words();

}  // namespace manager
