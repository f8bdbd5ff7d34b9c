// The command that starts the wall's standby (sail/wall/README.md, "standby"): vitrail-manager
// itself on this host, ssh for another one. Pure.
//
// There it does not end with ssh, as what nodes run does: it is for the time when this host is
// lost. It ends when a manager tells it so.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "manager/node_command.h"
#include "sail/base/result.h"
#include "sail/net/tcp.h"
#include "sail/net/web_certificate.h"
#include "sail/wall/wall.h"

namespace manager {

struct StandbyStart {
  std::string program;                // on this host
  std::vector<std::string> options;   // of its command line, beside those about addresses
  std::optional<sail::Address> page;  // this manager's
  std::optional<sail::CertificateFiles> certificate;  // of that
  NodeStart node;
};

// kUnavailable when the host cannot reach this manager.
sail::Result<NodeCommand> standby_command(const sail::StandbyPlace& place,
                                          const StandbyStart& start);

}  // namespace manager
