// The functions behind the verbs, each in its own file, and what they share.
#pragma once

#include <string>
#include <vector>

#include "manager/commands.h"
#include "manager/fs_manager.h"
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
Answer find_places(const Caller& caller, const sail::Json& params);
Answer fit(const Caller& caller, const sail::Json& params);
Answer history(const Caller& caller, const sail::Json& params);
Answer identify(const Caller& caller, const sail::Json& params);
Answer input(const Caller& caller, const sail::Json& params);
Answer layout_apply(const Caller& caller, const sail::Json& params);
Answer layout_remove(const Caller& caller, const sail::Json& params);
Answer layout_save(const Caller& caller, const sail::Json& params);
Answer layouts(const Caller& caller, const sail::Json& params);
Answer list(const Caller& caller, const sail::Json& params);
Answer lock(const Caller& caller, const sail::Json& params);
Answer lower(const Caller& caller, const sail::Json& params);
Answer maximise(const Caller& caller, const sail::Json& params);
Answer move(const Caller& caller, const sail::Json& params);
void open_stream(const Caller& caller, const sail::Json& params, const Reply& reply);
Answer overlay(const Caller& caller, const sail::Json& params);
Answer partition(const Caller& caller, const sail::Json& params);
Answer place(const Caller& caller, const sail::Json& params);
void play(const Caller& caller, const sail::Json& params, const Reply& reply);
Answer playback(const Caller& caller, const sail::Json& params);
Answer pointer(const Caller& caller, const sail::Json& params);
Answer raise(const Caller& caller, const sail::Json& params);
Answer ready(const Caller& caller, const sail::Json& params);
Answer receiver_stats(const Caller& caller, const sail::Json& params);
void redo(const Caller& caller, const sail::Json& params, const Reply& reply);
Answer resize(const Caller& caller, const sail::Json& params);
Answer session_get(const Caller& caller, const sail::Json& params);
Answer session_remove(const Caller& caller, const sail::Json& params);
void session_restore(const Caller& caller, const sail::Json& params, const Reply& reply);
Answer session_save(const Caller& caller, const sail::Json& params);
Answer sessions(const Caller& caller, const sail::Json& params);
void shutdown(const Caller& caller, const sail::Json& params, const Reply& reply);
void snapshot(const Caller& caller, const sail::Json& params, const Reply& reply);
void source_remove(const Caller& caller, const sail::Json& params, const Reply& reply);
void source_rename(const Caller& caller, const sail::Json& params, const Reply& reply);
Answer source_save(const Caller& caller, const sail::Json& params);
void sources(const Caller& caller, const sail::Json& params, const Reply& reply);
Answer stats(const Caller& caller, const sail::Json& params);
Answer stream_stats(const Caller& caller, const sail::Json& params);
void subscribe(const Caller& caller, const sail::Json& params, const Reply& reply);
Answer thumbnail(const Caller& caller, const sail::Json& params);
void undo(const Caller& caller, const sail::Json& params, const Reply& reply);
Answer watch_thumbnails(const Caller& caller, const sail::Json& params);
Answer why(const Caller& caller, const sail::Json& params);

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
sail::Result<const Window*> own_window(const Caller& caller, uint32_t stream);
// Like find_window; kConflict when it is locked.
sail::Result<const Window*> find_unlocked(const Caller& caller, uint32_t number);
// For verbs that have only "window" or "windows": the numbers, each of which is there.
sail::Result<std::vector<uint32_t>> one_or_many(const Caller& caller, const sail::Json& params,
                                                const char* verb);
// "raised 'Film'", "raised 3 windows".
Deed restacked(const Caller& caller, const char* verb, const std::vector<uint32_t>& numbers);
// Reads the argument "gesture".
std::string gesture(sail::JsonFields& fields);
// Puts a window there, unless it is locked or may not stand there; it is maximised no longer. The
// window as it is now.
Answer place_one(const Caller& caller, const Window& window, const WideRect& place,
                 const Deed& deed);
// For verbs that have only "name", of a layout or session.
sail::Result<std::string> only_name(const sail::Json& params, const char* verb);
// {"layouts": […]} or {"sessions": […]}.
sail::Json saved_list(const Caller& caller, SavedKind kind);
sail::Json failures_json(const std::vector<Relaunched::Failure>& failures);
// The reply of undo and redo.
sail::Json step_json(const Told& told);
// The reply of verbs that change a window: the window as it is now.
sail::Json window_now(const Caller& caller, uint32_t number);

}  // namespace manager::verbs
