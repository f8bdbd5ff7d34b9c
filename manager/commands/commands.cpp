#include "manager/commands/commands.h"

#include <functional>
#include <type_traits>

#include "manager/commands/verbs.h"

namespace manager {
namespace {

// For verbs that return their answer.
template <typename... Room>
void run_verb(verbs::Answer (*verb)(const Call&, Room&...), const Call& call, const Rooms& rooms) {
  call.reply(verb(call, std::get<std::remove_const_t<Room>&>(rooms)...));
}

// For verbs that call the reply themselves.
template <typename... Room>
void run_verb(void (*verb)(const Call&, Room&...), const Call& call, const Rooms& rooms) {
  verb(call, std::get<std::remove_const_t<Room>&>(rooms)...);
}

template <auto kVerb>
std::function<void(const Call&)> run(const Rooms& rooms) {
  return [rooms](const Call& call) { run_verb(kVerb, call, rooms); };
}

// For verbs without arguments.
template <auto kVerb>
std::function<void(const Call&)> bare(const Rooms& rooms) {
  return sail::with_arguments(sail::no_arguments, [rooms](const Call& call, std::monostate) {
    run_verb(kVerb, call, rooms);
  });
}

}  // namespace

std::vector<sail::RpcVerb> control_verbs(const Rooms& rooms) {
  using sail::Right;
  return {
      {.name = "arrange", .ui = Right::kOperator, .run = run<verbs::arrange>(rooms)},
      {.name = "blank", .ui = Right::kPresenter, .run = run<verbs::blank>(rooms)},
      {.name = "clock",
       .ui = Right::kViewer,
       .application = true,
       .receiver = true,
       .recorder = true,
       .run = bare<verbs::clock>(rooms)},
      {.name = "clock_stats",
       .application = true,
       .receiver = true,
       .recorder = true,
       .run = run<verbs::clock_stats>(rooms)},
      {.name = "clocks", .ui = Right::kViewer, .run = bare<verbs::clocks>(rooms)},
      {.name = "close", .ui = Right::kPresenter, .run = run<verbs::close>(rooms)},
      {.name = "close_stream", .application = true, .run = run<verbs::close_stream>(rooms)},
      {.name = "control", .ui = Right::kPresenter, .run = run<verbs::control>(rooms)},
      {.name = "data_port",
       .receiver = true,
       .recorder = true,
       .run = run<verbs::data_port>(rooms)},
      {.name = "doctor", .ui = Right::kAdmin, .run = run<verbs::doctor>(rooms)},
      {.name = "epoch_ready", .application = true, .run = run<verbs::epoch_ready>(rooms)},
      {.name = "films", .ui = Right::kViewer, .run = run<verbs::films>(rooms)},
      {.name = "find_places", .ui = Right::kViewer, .run = run<verbs::find_places>(rooms)},
      {.name = "fit", .ui = Right::kPresenter, .run = run<verbs::fit>(rooms)},
      {.name = "group", .ui = Right::kOperator, .run = run<verbs::group>(rooms)},
      {.name = "group_absent", .receiver = true, .run = run<verbs::group_absent>(rooms)},
      {.name = "groups", .ui = Right::kViewer, .run = bare<verbs::groups>(rooms)},
      {.name = "history", .ui = Right::kViewer, .run = bare<verbs::history>(rooms)},
      {.name = "host_stats",
       .application = true,
       .receiver = true,
       .recorder = true,
       .run = run<verbs::host_stats>(rooms)},
      {.name = "identify", .ui = Right::kOperator, .run = run<verbs::identify>(rooms)},
      {.name = "input", .ui = Right::kPresenter, .run = run<verbs::input>(rooms)},
      {.name = "invite", .ui = Right::kPresenter, .run = run<verbs::invite>(rooms)},
      {.name = "journal_read", .ui = Right::kAdmin, .run = run<verbs::journal_read>(rooms)},
      {.name = "layout_apply", .ui = Right::kOperator, .run = run<verbs::layout_apply>(rooms)},
      {.name = "layout_remove", .ui = Right::kOperator, .run = run<verbs::layout_remove>(rooms)},
      {.name = "layout_save", .ui = Right::kOperator, .run = run<verbs::layout_save>(rooms)},
      {.name = "layouts", .ui = Right::kViewer, .run = bare<verbs::layouts>(rooms)},
      {.name = "list", .ui = Right::kViewer, .run = run<verbs::list>(rooms)},
      {.name = "lock", .ui = Right::kPresenter, .run = run<verbs::lock>(rooms)},
      {.name = "look", .ui = Right::kPresenter, .run = run<verbs::look>(rooms)},
      {.name = "lower", .ui = Right::kPresenter, .run = run<verbs::lower>(rooms)},
      {.name = "master_volume", .ui = Right::kPresenter, .run = run<verbs::master_volume>(rooms)},
      {.name = "maximise", .ui = Right::kPresenter, .run = run<verbs::maximise>(rooms)},
      {.name = "move", .ui = Right::kPresenter, .run = run<verbs::move>(rooms)},
      {.name = "open_stream", .application = true, .run = run<verbs::open_stream>(rooms)},
      {.name = "opening_close", .ui = Right::kPresenter, .run = run<verbs::opening_close>(rooms)},
      {.name = "overlay", .ui = Right::kOperator, .run = run<verbs::overlay>(rooms)},
      {.name = "partition", .ui = Right::kOperator, .run = run<verbs::partition>(rooms)},
      {.name = "place", .ui = Right::kPresenter, .run = run<verbs::place>(rooms)},
      {.name = "play", .ui = Right::kPresenter, .run = run<verbs::play>(rooms)},
      {.name = "playback", .application = true, .run = run<verbs::playback>(rooms)},
      {.name = "pointer", .ui = Right::kPresenter, .run = run<verbs::pointer>(rooms)},
      {.name = "raise", .ui = Right::kPresenter, .run = run<verbs::raise>(rooms)},
      {.name = "receiver_log", .ui = Right::kAdmin, .run = run<verbs::receiver_log>(rooms)},
      {.name = "receiver_restart", .ui = Right::kAdmin, .run = run<verbs::receiver_restart>(rooms)},
      {.name = "receiver_stats", .receiver = true, .run = run<verbs::receiver_stats>(rooms)},
      {.name = "record", .recorder = true, .run = run<verbs::record>(rooms)},
      {.name = "redo", .ui = Right::kPresenter, .run = bare<verbs::redo>(rooms)},
      {.name = "replace", .ui = Right::kPresenter, .run = run<verbs::replace>(rooms)},
      {.name = "resize", .ui = Right::kPresenter, .run = run<verbs::resize>(rooms)},
      {.name = "session_get", .ui = Right::kViewer, .run = run<verbs::session_get>(rooms)},
      {.name = "session_remove", .ui = Right::kOperator, .run = run<verbs::session_remove>(rooms)},
      {.name = "session_restore",
       .ui = Right::kOperator,
       .run = run<verbs::session_restore>(rooms)},
      {.name = "session_save", .ui = Right::kOperator, .run = run<verbs::session_save>(rooms)},
      {.name = "sessions", .ui = Right::kViewer, .run = bare<verbs::sessions>(rooms)},
      {.name = "shutdown", .ui = Right::kAdmin, .run = bare<verbs::shutdown>(rooms)},
      {.name = "snapshot", .ui = Right::kViewer, .run = bare<verbs::snapshot>(rooms)},
      {.name = "sound", .ui = Right::kPresenter, .run = run<verbs::sound>(rooms)},
      {.name = "source_bin", .ui = Right::kAdmin, .run = bare<verbs::source_bin>(rooms)},
      {.name = "source_remove", .ui = Right::kAdmin, .run = run<verbs::source_remove>(rooms)},
      {.name = "source_rename", .ui = Right::kAdmin, .run = run<verbs::source_rename>(rooms)},
      {.name = "source_restore", .ui = Right::kAdmin, .run = run<verbs::source_restore>(rooms)},
      {.name = "source_save", .ui = Right::kAdmin, .run = run<verbs::source_save>(rooms)},
      {.name = "sources", .ui = Right::kViewer, .run = run<verbs::sources>(rooms)},
      {.name = "stand_by", .ui = Right::kAdmin, .run = run<verbs::stand_by>(rooms)},
      {.name = "stats", .ui = Right::kViewer, .run = run<verbs::stats>(rooms)},
      {.name = "stream_stats", .application = true, .run = run<verbs::stream_stats>(rooms)},
      {.name = "subscribe", .ui = Right::kViewer, .run = run<verbs::subscribe>(rooms)},
      {.name = "swap", .ui = Right::kPresenter, .run = run<verbs::swap>(rooms)},
      {.name = "thumbnail", .application = true, .run = run<verbs::thumbnail>(rooms)},
      {.name = "trace", .ui = Right::kOperator, .run = run<verbs::trace>(rooms)},
      {.name = "trace_read", .ui = Right::kOperator, .run = run<verbs::trace_read>(rooms)},
      {.name = "undo", .ui = Right::kPresenter, .run = bare<verbs::undo>(rooms)},
      {.name = "user_add", .ui = Right::kAdmin, .run = run<verbs::user_add>(rooms)},
      {.name = "user_password", .ui = Right::kAdmin, .run = run<verbs::user_password>(rooms)},
      {.name = "user_remove", .ui = Right::kAdmin, .run = run<verbs::user_remove>(rooms)},
      {.name = "user_salt", .ui = Right::kAdmin, .run = run<verbs::user_salt>(rooms)},
      {.name = "users", .ui = Right::kAdmin, .run = bare<verbs::users>(rooms)},
      {.name = "watch_thumbnails",
       .ui = Right::kViewer,
       .run = run<verbs::watch_thumbnails>(rooms)},
      {.name = "why", .ui = Right::kViewer, .run = run<verbs::why>(rooms)},
  };
}

}  // namespace manager
