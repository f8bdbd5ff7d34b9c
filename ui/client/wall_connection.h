// Connects to the active manager: the one configured, or its standby after a failover. The
// standby's address comes from the manager and is kept in this user's state folder. One thread at a
// time.
#pragma once

#include <memory>

#include "sail/core/rpc/rpc_client.h"

namespace ui {

// As RpcClient::connect(). $VITRAIL_STANDBY is the standby's address if none is kept.
sail::Result<std::unique_ptr<sail::RpcClient>> connect_to_wall(const sail::Address& manager,
                                                               sail::RpcClientOptions options);

}  // namespace ui
