#include "manager/commands.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "manager/commands/verbs.h"
#include "manager/session.h"
#include "sail/wire/nearest_word.h"

namespace manager {
namespace {

using Verb = sail::Result<sail::Json> (*)(const Caller& caller, const sail::Json& params);

// For verbs that have their answer when they return.
template <Verb kVerb>
void at_once(const Caller& caller, const sail::Json& params, const sail::RpcPeer::Reply& reply) {
  reply(kVerb(caller, params));
}

constexpr Command kCommands[] = {
    {.verb = "arrange", .ui = true, .run = at_once<verbs::arrange>},
    {.verb = "clock", .application = true, .receiver = true, .run = at_once<verbs::clock>},
    {.verb = "close", .ui = true, .run = verbs::close},
    {.verb = "close_stream", .application = true, .run = at_once<verbs::close_stream>},
    {.verb = "control", .ui = true, .run = at_once<verbs::control>},
    {.verb = "find_places", .ui = true, .run = at_once<verbs::find_places>},
    {.verb = "fit", .ui = true, .run = at_once<verbs::fit>},
    {.verb = "history", .ui = true, .run = at_once<verbs::history>},
    {.verb = "identify", .ui = true, .run = at_once<verbs::identify>},
    {.verb = "input", .ui = true, .run = at_once<verbs::input>},
    {.verb = "layout_apply", .ui = true, .run = at_once<verbs::layout_apply>},
    {.verb = "layout_remove", .ui = true, .run = at_once<verbs::layout_remove>},
    {.verb = "layout_save", .ui = true, .run = at_once<verbs::layout_save>},
    {.verb = "layouts", .ui = true, .run = at_once<verbs::layouts>},
    {.verb = "list", .ui = true, .run = at_once<verbs::list>},
    {.verb = "lock", .ui = true, .run = at_once<verbs::lock>},
    {.verb = "lower", .ui = true, .run = at_once<verbs::lower>},
    {.verb = "maximise", .ui = true, .run = at_once<verbs::maximise>},
    {.verb = "move", .ui = true, .run = at_once<verbs::move>},
    {.verb = "open_stream", .application = true, .run = verbs::open_stream},
    {.verb = "overlay", .ui = true, .run = at_once<verbs::overlay>},
    {.verb = "partition", .ui = true, .run = at_once<verbs::partition>},
    {.verb = "place", .ui = true, .run = at_once<verbs::place>},
    {.verb = "play", .ui = true, .run = verbs::play},
    {.verb = "playback", .application = true, .run = at_once<verbs::playback>},
    {.verb = "pointer", .ui = true, .run = at_once<verbs::pointer>},
    {.verb = "raise", .ui = true, .run = at_once<verbs::raise>},
    {.verb = "ready", .receiver = true, .run = at_once<verbs::ready>},
    {.verb = "receiver_stats", .receiver = true, .run = at_once<verbs::receiver_stats>},
    {.verb = "redo", .ui = true, .run = verbs::redo},
    {.verb = "resize", .ui = true, .run = at_once<verbs::resize>},
    {.verb = "session_get", .ui = true, .run = at_once<verbs::session_get>},
    {.verb = "session_remove", .ui = true, .run = at_once<verbs::session_remove>},
    {.verb = "session_restore", .ui = true, .run = verbs::session_restore},
    {.verb = "session_save", .ui = true, .run = at_once<verbs::session_save>},
    {.verb = "sessions", .ui = true, .run = at_once<verbs::sessions>},
    {.verb = "shutdown", .ui = true, .run = verbs::shutdown},
    {.verb = "snapshot", .ui = true, .run = verbs::snapshot},
    {.verb = "source_remove", .ui = true, .run = verbs::source_remove},
    {.verb = "source_rename", .ui = true, .run = verbs::source_rename},
    {.verb = "source_save", .ui = true, .run = at_once<verbs::source_save>},
    {.verb = "sources", .ui = true, .run = verbs::sources},
    {.verb = "stats", .ui = true, .run = at_once<verbs::stats>},
    {.verb = "stream_stats", .application = true, .run = at_once<verbs::stream_stats>},
    {.verb = "subscribe", .ui = true, .run = verbs::subscribe},
    {.verb = "thumbnail", .application = true, .run = at_once<verbs::thumbnail>},
    {.verb = "undo", .ui = true, .run = verbs::undo},
    {.verb = "watch_thumbnails", .ui = true, .run = at_once<verbs::watch_thumbnails>},
    {.verb = "why", .ui = true, .run = at_once<verbs::why>},
};

bool allows(const Command& command, sail::Role role) {
  switch (role) {
    case sail::Role::kUi:
      return command.ui;
    case sail::Role::kApplication:
      return command.application;
    case sail::Role::kReceiver:
      return command.receiver;
  }
  return false;
}

// " (did you mean 'move'?)" when a verb of the role is near enough to be meant.
std::string hint(std::string_view verb, sail::Role role) {
  std::vector<std::string_view> verbs;
  for (const Command& command : kCommands) {
    if (allows(command, role)) verbs.emplace_back(command.verb);
  }
  const std::string_view nearest = sail::nearest_word(verb, verbs);
  return nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest);
}

}  // namespace

std::span<const Command> commands() {
  return kCommands;
}

void run_command(const Caller& caller, const std::string& verb, const sail::Json& params,
                 const sail::RpcPeer::Reply& reply) {
  const sail::Role role = *caller.session.role();
  const auto* command = std::find_if(std::begin(kCommands), std::end(kCommands),
                                     [&](const Command& known) { return verb == known.verb; });
  if (command == std::end(kCommands)) {
    reply(sail::fail(sail::ErrorCode::kUnknownMethod,
                     fmt::format("there is no verb '{}'{}", verb, hint(verb, role))));
  } else if (!allows(*command, role)) {
    reply(sail::fail(sail::ErrorCode::kInvalidRequest,
                     fmt::format("'{}' is no verb of the role '{}', which this session has", verb,
                                 role_name(role))));
  } else {
    command->run(caller, params, reply);
  }
}

}  // namespace manager
