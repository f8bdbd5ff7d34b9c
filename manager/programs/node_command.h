// Builds the command that starts a program on a node: a receiver or an application. This is the
// program itself on the manager's host, ssh for other hosts, or the launcher of the wall file.
// Pure.
//
// Behind ssh or a launcher a shell runs the program. The key goes through its standard input,
// because all users can see command lines. The program is ended when that input closes, that is
// whenever ssh or the launcher ends.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/address/address.h"
#include "sail/core/auth/wall_key.h"
#include "sail/core/base/result.h"
#include "sail/core/http/web_certificate.h"
#include "sail/core/wall/wall.h"

namespace manager {

struct Source;

// How programs and the manager reach each other.
struct NodeStart {
  sail::Address manager;  // For programs on this host.
  sail::Address listen;   // Where the manager listens; 0.0.0.0 and :: mean all addresses.
  sail::WallKey key;      // For $VITRAIL_KEY.
  std::vector<std::string> ssh = {"ssh"};
};

struct ReceiverStart {
  std::string program;           // Path on this host.
  std::string display = "auto";  // If the wall file names no display.
  NodeStart node;
};

struct NodeProgram {
  std::string node;  // Name of the receiver or app.
  std::string host;  // Empty: the manager's host.
  std::string user;
  int port = 0;        // 0: ssh's default.
  std::string launch;  // Template of the wall file; empty: none.
  std::map<std::string, std::string> environment;
  std::vector<std::string> words;  // The program, by a name known on its host, then its arguments.
};

struct NodeCommand {
  std::vector<std::string> arguments;
  std::vector<std::string> environment;  // In the format of sail::Process.
  std::string input;                     // Written to its standard input; empty: no standard input.
};

// --- parts of ssh commands

struct SshPlace {
  std::string host;
  std::string user;
  int port = 0;  // 0: ssh's default.
};
// Quotes any text as one word for a POSIX shell.
std::string shell_word(std::string_view word);
// Whether the host is 0.0.0.0 or ::.
bool is_any_address(std::string_view host);
// Returns a command prefix that sets the variables, for a shell on the remote host.
std::string environment_there(const std::map<std::string, std::string>& environment);
// Returns the manager's address for programs on the remote host, as text for a shell there. If the
// manager listens on all addresses, this is the address that ssh came from, which is known to work.
std::string address_there(const NodeStart& start);
// Runs the script in a POSIX shell on that host. The script gets $VITRAIL_KEY and the two addresses
// of the ssh connection: $vitrail_head (manager) and $vitrail_here (remote host), both ready for
// ":PORT" to follow. kUnavailable: see node_command().
sail::Result<NodeCommand> ssh_command(const SshPlace& place, const std::string& script,
                                      const NodeStart& start);

// The program gets the manager's address in $VITRAIL_MANAGER. kUnavailable: the host cannot reach a
// manager with this listening address.
sail::Result<NodeCommand> node_command(const NodeProgram& program, const NodeStart& start);
NodeProgram receiver_program(const sail::ReceiverPlace& place, const ReceiverStart& start,
                             const sail::NodePower& power = {});
// second: on the app's second host.
NodeProgram app_program(const sail::AppPlace& place, bool second, std::vector<std::string> words);

// Returns the words of $VITRAIL_SSH, or "ssh".
std::vector<std::string> ssh_words();

// The nodes that applications may run on, besides the manager's host: the wall's apps, and the
// hosts of its receivers under the receivers' names.
std::vector<sail::AppPlace> render_nodes(const sail::Wall& wall);

// Adds apps with a command to the commands for people. kConflict: a command has the same name.
sail::Result<void> add_app_commands(const sail::Wall& wall, std::vector<Source>& commands);

// Builds the command that starts the wall's standby (sail/core/wall/README.md, "standby"):
// vitrail-manager itself on this host, ssh for another host. Pure.
//
// On another host the standby does not end with ssh, unlike programs on nodes: it must survive the
// loss of this host. It ends at a manager's request.
struct StandbyStart {
  std::string program;                                // Path on this host.
  std::vector<std::string> options;                   // Command line options, except addresses.
  std::optional<sail::Address> page;                  // This manager's page.
  std::optional<sail::CertificateFiles> certificate;  // Certificate of that page.
  NodeStart node;
};

// kUnavailable: the host cannot reach this manager.
sail::Result<NodeCommand> standby_command(const sail::StandbyPlace& place,
                                          const StandbyStart& start);

}  // namespace manager
