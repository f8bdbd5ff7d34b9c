// The functions behind the verbs, each in its own file, and what they share.
#pragma once

#include "manager/commands.h"
#include "manager/window_stack.h"
#include "sail/base/result.h"
#include "sail/net/rpc_peer.h"
#include "sail/wire/json.h"

namespace manager::verbs {

using Answer = sail::Result<sail::Json>;
using Reply = sail::RpcPeer::Reply;

Answer arrange(const Caller& caller, const sail::Json& params);
Answer clock(const Caller& caller, const sail::Json& params);
void close(const Caller& caller, const sail::Json& params, const Reply& reply);
Answer close_stream(const Caller& caller, const sail::Json& params);
Answer control(const Caller& caller, const sail::Json& params);
Answer fit(const Caller& caller, const sail::Json& params);
Answer identify(const Caller& caller, const sail::Json& params);
Answer input(const Caller& caller, const sail::Json& params);
Answer list(const Caller& caller, const sail::Json& params);
Answer lower(const Caller& caller, const sail::Json& params);
Answer move(const Caller& caller, const sail::Json& params);
void open_stream(const Caller& caller, const sail::Json& params, const Reply& reply);
void play(const Caller& caller, const sail::Json& params, const Reply& reply);
Answer playback(const Caller& caller, const sail::Json& params);
Answer raise(const Caller& caller, const sail::Json& params);
Answer ready(const Caller& caller, const sail::Json& params);
Answer receiver_stats(const Caller& caller, const sail::Json& params);
Answer resize(const Caller& caller, const sail::Json& params);
void shutdown(const Caller& caller, const sail::Json& params, const Reply& reply);
void snapshot(const Caller& caller, const sail::Json& params, const Reply& reply);
Answer stats(const Caller& caller, const sail::Json& params);
Answer stream_stats(const Caller& caller, const sail::Json& params);
void subscribe(const Caller& caller, const sail::Json& params, const Reply& reply);
Answer thumbnail(const Caller& caller, const sail::Json& params);
Answer watch_thumbnails(const Caller& caller, const sail::Json& params);

// For verbs without arguments.
sail::Result<void> no_arguments(const sail::Json& params, const char* verb);
// Reads the argument "window".
uint32_t window_number(sail::JsonFields& fields);
// kNotFound when there is no such window.
sail::Result<const Window*> find_window(const Caller& caller, uint32_t number);
// For verbs that have only "window".
sail::Result<const Window*> only_window(const Caller& caller, const sail::Json& params,
                                        const char* verb);
// Reads the argument "stream".
uint32_t stream_number(sail::JsonFields& fields);
// kNotFound unless the stream is there and the caller's own.
sail::Result<void> check_own(const Caller& caller, uint32_t stream);
// The reply of verbs that change a window: the window as it is now.
sail::Json window_now(const Caller& caller, uint32_t number);

}  // namespace manager::verbs
