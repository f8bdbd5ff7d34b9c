// Connects to the active manager, and reads the passwords for it. One thread at a time.
#pragma once

#include <memory>
#include <string>

#include "sail/core/address/site_walls.h"
#include "sail/core/base/result.h"
#include "sail/core/rpc/rpc_client.h"

namespace ui {

// Like RpcClient::connect(), but to the active manager: the one configured, or its standby after a
// failover. The standby's address comes from the manager and is kept in this user's state folder.
// $VITRAIL_STANDBY is the standby's address if none is kept.
sail::Result<std::unique_ptr<sail::RpcClient>> connect_to_wall(const sail::Address& manager,
                                                               sail::RpcClientOptions options);

// Connects to another wall of the site, with the key of its entry.
sail::Result<std::unique_ptr<sail::RpcClient>> connect_to_wall(const sail::SiteWall& wall,
                                                               sail::RpcClientOptions options);

// Returns the first line of standard input. Prompts at a terminal, without echo.
sail::Result<std::string> ask_password(const std::string& question);
// Returns a new password: the file's first line if `file` is not empty, else read like
// ask_password(), and entered twice at a terminal. kInvalidParams: wrong length, or the two entries
// differ.
sail::Result<std::string> new_password(const std::string& file, const std::string& name);

}  // namespace ui
