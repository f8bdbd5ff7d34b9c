// Builds the command that starts the wall's standby (sail/core/wall/README.md, "standby"):
// vitrail-manager itself on this host, ssh for another host. Pure.
//
// On another host the standby does not end with ssh, unlike programs on nodes: it must survive the
// loss of this host. It ends at a manager's request.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "manager/programs/node_command.h"
#include "sail/core/address/address.h"
#include "sail/core/base/result.h"
#include "sail/core/http/web_certificate.h"
#include "sail/core/wall/wall.h"

namespace manager {

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
