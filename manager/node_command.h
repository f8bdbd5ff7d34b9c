// The command that starts a program of a wall's node: a receiver, or what renders for it. The
// program itself on the manager's host, ssh for another one. Pure.
//
// There a shell runs it. The key goes by ssh's standard input, because everybody on both hosts
// sees command lines; the program is ended when that input ends, which is when ssh does, whoever or
// whatever ended it.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sail/net/tcp.h"
#include "sail/net/wall_key.h"
#include "sail/wall/wall.h"

namespace manager {

// How programs find the manager, and it them.
struct NodeStart {
  sail::Address manager;  // for programs of this host
  sail::Address listen;   // where the manager listens: 0.0.0.0 and :: are all its addresses
  sail::WallKey key;      // for their $VITRAIL_KEY
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

// --- what commands by ssh are made of

struct SshPlace {
  std::string host;
  std::string user;
  int port = 0;  // 0: ssh's choice
};
// One word for a POSIX shell, whatever is in it.
std::string shell_word(std::string_view word);
// 0.0.0.0 or ::
bool is_any_address(std::string_view host);
// For a shell there: a command that has these variables for the words behind it.
std::string environment_there(const std::map<std::string, std::string>& environment);
// Likewise: the manager's address for programs of that host. Where the manager has several it is
// the one that ssh came from: that way is known to work.
std::string address_there(const NodeStart& start);
// A POSIX shell runs the script on that host. It has $VITRAIL_KEY, and the addresses between which
// ssh goes, $vitrail_head and $vitrail_here, ready to have ":PORT" behind them. kUnavailable as
// node_command().
sail::Result<NodeCommand> ssh_command(const SshPlace& place, const std::string& script,
                                      const NodeStart& start);

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
