#include "manager/commands.h"

#include <fmt/core.h>

#include <algorithm>
#include <type_traits>
#include <vector>

#include "manager/commands/verbs.h"
#include "manager/peer.h"
#include "sail/wire/nearest_word.h"

namespace manager {
namespace {

// For verbs that have their answer when they return.
template <typename... Room>
void run_verb(sail::Result<sail::Json> (*verb)(const Call&, Room&...), const Call& call,
              const Rooms& rooms) {
  call.reply(verb(call, std::get<std::remove_const_t<Room>&>(rooms)...));
}

// For those that answer by themselves.
template <typename... Room>
void run_verb(void (*verb)(const Call&, Room&...), const Call& call, const Rooms& rooms) {
  verb(call, std::get<std::remove_const_t<Room>&>(rooms)...);
}

template <auto kVerb>
void run(const Call& call, const Rooms& rooms) {
  run_verb(kVerb, call, rooms);
}

constexpr Command kCommands[] = {
    {.verb = "arrange", .ui = true, .run = run<verbs::arrange>},
    {.verb = "clock",
     .application = true,
     .receiver = true,
     .bare = true,
     .run = run<verbs::clock>},
    {.verb = "close", .ui = true, .run = run<verbs::close>},
    {.verb = "close_stream", .application = true, .run = run<verbs::close_stream>},
    {.verb = "control", .ui = true, .run = run<verbs::control>},
    {.verb = "find_places", .ui = true, .run = run<verbs::find_places>},
    {.verb = "fit", .ui = true, .run = run<verbs::fit>},
    {.verb = "history", .ui = true, .bare = true, .run = run<verbs::history>},
    {.verb = "identify", .ui = true, .run = run<verbs::identify>},
    {.verb = "input", .ui = true, .run = run<verbs::input>},
    {.verb = "layout_apply", .ui = true, .run = run<verbs::layout_apply>},
    {.verb = "layout_remove", .ui = true, .run = run<verbs::layout_remove>},
    {.verb = "layout_save", .ui = true, .run = run<verbs::layout_save>},
    {.verb = "layouts", .ui = true, .bare = true, .run = run<verbs::layouts>},
    {.verb = "list", .ui = true, .run = run<verbs::list>},
    {.verb = "lock", .ui = true, .run = run<verbs::lock>},
    {.verb = "lower", .ui = true, .run = run<verbs::lower>},
    {.verb = "maximise", .ui = true, .run = run<verbs::maximise>},
    {.verb = "move", .ui = true, .run = run<verbs::move>},
    {.verb = "open_stream", .application = true, .run = run<verbs::open_stream>},
    {.verb = "overlay", .ui = true, .run = run<verbs::overlay>},
    {.verb = "partition", .ui = true, .run = run<verbs::partition>},
    {.verb = "place", .ui = true, .run = run<verbs::place>},
    {.verb = "play", .ui = true, .run = run<verbs::play>},
    {.verb = "playback", .application = true, .run = run<verbs::playback>},
    {.verb = "pointer", .ui = true, .run = run<verbs::pointer>},
    {.verb = "raise", .ui = true, .run = run<verbs::raise>},
    {.verb = "ready", .receiver = true, .run = run<verbs::ready>},
    {.verb = "receiver_stats", .receiver = true, .run = run<verbs::receiver_stats>},
    {.verb = "redo", .ui = true, .bare = true, .run = run<verbs::redo>},
    {.verb = "resize", .ui = true, .run = run<verbs::resize>},
    {.verb = "session_get", .ui = true, .run = run<verbs::session_get>},
    {.verb = "session_remove", .ui = true, .run = run<verbs::session_remove>},
    {.verb = "session_restore", .ui = true, .run = run<verbs::session_restore>},
    {.verb = "session_save", .ui = true, .run = run<verbs::session_save>},
    {.verb = "sessions", .ui = true, .bare = true, .run = run<verbs::sessions>},
    {.verb = "shutdown", .ui = true, .bare = true, .run = run<verbs::shutdown>},
    {.verb = "snapshot", .ui = true, .bare = true, .run = run<verbs::snapshot>},
    {.verb = "source_remove", .ui = true, .run = run<verbs::source_remove>},
    {.verb = "source_rename", .ui = true, .run = run<verbs::source_rename>},
    {.verb = "source_save", .ui = true, .run = run<verbs::source_save>},
    {.verb = "sources", .ui = true, .run = run<verbs::sources>},
    {.verb = "stats", .ui = true, .run = run<verbs::stats>},
    {.verb = "stream_stats", .application = true, .run = run<verbs::stream_stats>},
    {.verb = "subscribe", .ui = true, .run = run<verbs::subscribe>},
    {.verb = "thumbnail", .application = true, .run = run<verbs::thumbnail>},
    {.verb = "undo", .ui = true, .bare = true, .run = run<verbs::undo>},
    {.verb = "watch_thumbnails", .ui = true, .run = run<verbs::watch_thumbnails>},
    {.verb = "why", .ui = true, .run = run<verbs::why>},
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

void run_command(const Rooms& rooms, Peer& peer, const std::string& verb, const sail::Json& params,
                 const sail::RpcPeer::Reply& reply) {
  const sail::Role role = *peer.role();
  const auto* command = std::find_if(std::begin(kCommands), std::end(kCommands),
                                     [&](const Command& known) { return verb == known.verb; });
  if (command == std::end(kCommands)) {
    reply(sail::fail(sail::ErrorCode::kUnknownMethod,
                     fmt::format("there is no verb '{}'{}", verb, hint(verb, role))));
  } else if (!allows(*command, role)) {
    reply(sail::fail(sail::ErrorCode::kInvalidRequest,
                     fmt::format("'{}' is no verb of the role '{}', which this connection has",
                                 verb, role_name(role))));
  } else if (auto error = command->bare ? sail::JsonFields(params, verb).finish() : std::nullopt) {
    reply(*error);
  } else {
    command->run({peer, command->verb, params, reply}, rooms);
  }
}

}  // namespace manager
