// A connection to whoever manages the wall now: the manager, or the standby that took its place.
// Where that is the manager tells, and this user's state folder keeps it. Thread: one at a time.
#pragma once

#include <memory>

#include "sail/net/rpc_client.h"

namespace ui {

// As RpcClient::connect(). $VITRAIL_STANDBY says where the standby is that nobody has told of.
sail::Result<std::unique_ptr<sail::RpcClient>> connect_to_wall(const sail::Address& manager,
                                                               sail::RpcClientOptions options);

}  // namespace ui
