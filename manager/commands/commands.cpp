#include "manager/commands/commands.h"

#include <functional>
#include <type_traits>

#include "manager/commands/verbs.h"

namespace manager {
namespace {

// For verbs that return their answer.
template <typename... Part>
void run_verb(verbs::Answer (*verb)(const Call&, Part&...), const Call& call,
              const VerbParts& parts) {
  call.reply(verb(call, std::get<std::remove_const_t<Part>&>(parts)...));
}

// For verbs that call the reply themselves.
template <typename... Part>
void run_verb(void (*verb)(const Call&, Part&...), const Call& call, const VerbParts& parts) {
  verb(call, std::get<std::remove_const_t<Part>&>(parts)...);
}

template <auto kVerb>
std::function<void(const Call&)> run(const VerbParts& parts) {
  return [parts](const Call& call) { run_verb(kVerb, call, parts); };
}

// For verbs without arguments.
template <auto kVerb>
std::function<void(const Call&)> bare(const VerbParts& parts) {
  return sail::with_arguments(sail::no_arguments, [parts](const Call& call, std::monostate) {
    run_verb(kVerb, call, parts);
  });
}

}  // namespace

std::vector<sail::RpcVerb> control_verbs(const VerbParts& parts) {
  using sail::Right;
  return {
      {.name = "arrange", .ui = Right::kOperator, .noted = true, .run = run<verbs::arrange>(parts)},
      {.name = "blank", .ui = Right::kPresenter, .noted = true, .run = run<verbs::blank>(parts)},
      {.name = "clock",
       .ui = Right::kViewer,
       .application = true,
       .receiver = true,
       .recorder = true,
       .run = bare<verbs::clock>(parts)},
      {.name = "clock_stats",
       .application = true,
       .receiver = true,
       .recorder = true,
       .run = run<verbs::clock_stats>(parts)},
      {.name = "clocks", .ui = Right::kViewer, .run = bare<verbs::clocks>(parts)},
      {.name = "close", .ui = Right::kPresenter, .noted = true, .run = run<verbs::close>(parts)},
      {.name = "close_stream",
       .application = true,
       .noted = true,
       .run = run<verbs::close_stream>(parts)},
      {.name = "control",
       .ui = Right::kPresenter,
       .noted = true,
       .run = run<verbs::control>(parts)},
      {.name = "data_port",
       .receiver = true,
       .recorder = true,
       .run = run<verbs::data_port>(parts)},
      {.name = "doctor", .ui = Right::kAdmin, .run = run<verbs::doctor>(parts)},
      {.name = "epoch_ready", .application = true, .run = run<verbs::epoch_ready>(parts)},
      {.name = "films", .ui = Right::kViewer, .run = run<verbs::films>(parts)},
      {.name = "find_places", .ui = Right::kViewer, .run = run<verbs::find_places>(parts)},
      {.name = "fit", .ui = Right::kPresenter, .noted = true, .run = run<verbs::fit>(parts)},
      {.name = "group", .ui = Right::kOperator, .noted = true, .run = run<verbs::group>(parts)},
      {.name = "group_absent", .receiver = true, .run = run<verbs::group_absent>(parts)},
      {.name = "groups", .ui = Right::kViewer, .run = bare<verbs::groups>(parts)},
      {.name = "history", .ui = Right::kViewer, .run = bare<verbs::history>(parts)},
      {.name = "host_stats",
       .application = true,
       .receiver = true,
       .recorder = true,
       .run = run<verbs::host_stats>(parts)},
      {.name = "identify",
       .ui = Right::kOperator,
       .noted = true,
       .run = run<verbs::identify>(parts)},
      {.name = "input", .ui = Right::kPresenter, .run = run<verbs::input>(parts)},
      {.name = "invite", .ui = Right::kPresenter, .noted = true, .run = run<verbs::invite>(parts)},
      {.name = "journal", .ui = Right::kAdmin, .run = run<verbs::journal>(parts)},
      {.name = "journal_read", .ui = Right::kAdmin, .run = run<verbs::journal_read>(parts)},
      {.name = "layout_apply",
       .ui = Right::kOperator,
       .noted = true,
       .run = run<verbs::layout_apply>(parts)},
      {.name = "layout_remove",
       .ui = Right::kOperator,
       .noted = true,
       .run = run<verbs::layout_remove>(parts)},
      {.name = "layout_save",
       .ui = Right::kOperator,
       .noted = true,
       .run = run<verbs::layout_save>(parts)},
      {.name = "layouts", .ui = Right::kViewer, .run = bare<verbs::layouts>(parts)},
      {.name = "list", .ui = Right::kViewer, .run = run<verbs::list>(parts)},
      {.name = "lock", .ui = Right::kPresenter, .noted = true, .run = run<verbs::lock>(parts)},
      {.name = "look", .ui = Right::kPresenter, .noted = true, .run = run<verbs::look>(parts)},
      {.name = "lower", .ui = Right::kPresenter, .noted = true, .run = run<verbs::lower>(parts)},
      {.name = "master_volume",
       .ui = Right::kPresenter,
       .noted = true,
       .run = run<verbs::master_volume>(parts)},
      {.name = "maximise",
       .ui = Right::kPresenter,
       .noted = true,
       .run = run<verbs::maximise>(parts)},
      {.name = "move", .ui = Right::kPresenter, .noted = true, .run = run<verbs::move>(parts)},
      {.name = "open_stream",
       .application = true,
       .noted = true,
       .run = run<verbs::open_stream>(parts)},
      {.name = "opening_close",
       .ui = Right::kPresenter,
       .noted = true,
       .run = run<verbs::opening_close>(parts)},
      {.name = "overlay", .ui = Right::kOperator, .noted = true, .run = run<verbs::overlay>(parts)},
      {.name = "partition",
       .ui = Right::kOperator,
       .noted = true,
       .run = run<verbs::partition>(parts)},
      {.name = "place", .ui = Right::kPresenter, .noted = true, .run = run<verbs::place>(parts)},
      {.name = "play", .ui = Right::kPresenter, .noted = true, .run = run<verbs::play>(parts)},
      {.name = "playback", .application = true, .run = run<verbs::playback>(parts)},
      {.name = "pointer",
       .ui = Right::kPresenter,
       .lasting = true,
       .run = run<verbs::pointer>(parts)},
      {.name = "raise", .ui = Right::kPresenter, .noted = true, .run = run<verbs::raise>(parts)},
      {.name = "receiver_log", .ui = Right::kAdmin, .run = run<verbs::receiver_log>(parts)},
      {.name = "receiver_restart",
       .ui = Right::kAdmin,
       .noted = true,
       .run = run<verbs::receiver_restart>(parts)},
      {.name = "receiver_stats", .receiver = true, .run = run<verbs::receiver_stats>(parts)},
      {.name = "record", .recorder = true, .noted = true, .run = run<verbs::record>(parts)},
      {.name = "redo", .ui = Right::kPresenter, .noted = true, .run = bare<verbs::redo>(parts)},
      {.name = "replace",
       .ui = Right::kPresenter,
       .noted = true,
       .run = run<verbs::replace>(parts)},
      {.name = "resize", .ui = Right::kPresenter, .noted = true, .run = run<verbs::resize>(parts)},
      {.name = "session_get", .ui = Right::kViewer, .run = run<verbs::session_get>(parts)},
      {.name = "session_remove",
       .ui = Right::kOperator,
       .noted = true,
       .run = run<verbs::session_remove>(parts)},
      {.name = "session_restore",
       .ui = Right::kOperator,
       .noted = true,
       .run = run<verbs::session_restore>(parts)},
      {.name = "session_save",
       .ui = Right::kOperator,
       .noted = true,
       .run = run<verbs::session_save>(parts)},
      {.name = "sessions", .ui = Right::kViewer, .run = bare<verbs::sessions>(parts)},
      {.name = "shutdown", .ui = Right::kAdmin, .noted = true, .run = bare<verbs::shutdown>(parts)},
      {.name = "snapshot", .ui = Right::kViewer, .run = bare<verbs::snapshot>(parts)},
      {.name = "sound", .ui = Right::kPresenter, .noted = true, .run = run<verbs::sound>(parts)},
      {.name = "source_bin", .ui = Right::kAdmin, .run = bare<verbs::source_bin>(parts)},
      {.name = "source_remove",
       .ui = Right::kAdmin,
       .noted = true,
       .run = run<verbs::source_remove>(parts)},
      {.name = "source_rename",
       .ui = Right::kAdmin,
       .noted = true,
       .run = run<verbs::source_rename>(parts)},
      {.name = "source_restore",
       .ui = Right::kAdmin,
       .noted = true,
       .run = run<verbs::source_restore>(parts)},
      {.name = "source_save",
       .ui = Right::kAdmin,
       .noted = true,
       .run = run<verbs::source_save>(parts)},
      {.name = "sources", .ui = Right::kViewer, .run = run<verbs::sources>(parts)},
      {.name = "stand_by",
       .ui = Right::kAdmin,
       .lasting = true,
       .noted = true,
       .run = run<verbs::stand_by>(parts)},
      {.name = "stats", .ui = Right::kViewer, .run = run<verbs::stats>(parts)},
      {.name = "stream_stats", .application = true, .run = run<verbs::stream_stats>(parts)},
      {.name = "subscribe",
       .ui = Right::kViewer,
       .lasting = true,
       .run = run<verbs::subscribe>(parts)},
      {.name = "swap", .ui = Right::kPresenter, .noted = true, .run = run<verbs::swap>(parts)},
      {.name = "thumbnail", .application = true, .run = run<verbs::thumbnail>(parts)},
      {.name = "trace", .ui = Right::kOperator, .run = run<verbs::trace>(parts)},
      {.name = "trace_read", .ui = Right::kOperator, .run = run<verbs::trace_read>(parts)},
      {.name = "undo", .ui = Right::kPresenter, .noted = true, .run = bare<verbs::undo>(parts)},
      {.name = "user_add", .ui = Right::kAdmin, .noted = true, .run = run<verbs::user_add>(parts)},
      {.name = "user_password",
       .ui = Right::kAdmin,
       .noted = true,
       .run = run<verbs::user_password>(parts)},
      {.name = "user_remove",
       .ui = Right::kAdmin,
       .noted = true,
       .run = run<verbs::user_remove>(parts)},
      {.name = "user_salt", .ui = Right::kAdmin, .run = run<verbs::user_salt>(parts)},
      {.name = "users", .ui = Right::kAdmin, .run = bare<verbs::users>(parts)},
      {.name = "watch_thumbnails",
       .ui = Right::kViewer,
       .lasting = true,
       .run = run<verbs::watch_thumbnails>(parts)},
      {.name = "why", .ui = Right::kViewer, .run = run<verbs::why>(parts)},
  };
}

}  // namespace manager
