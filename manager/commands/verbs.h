// The functions behind the verbs, grouped by file, and their shared helpers.
#pragma once

#include <string>
#include <vector>

#include "manager/commands/commands.h"
#include "manager/wall/history.h"
#include "manager/wall/window_stack.h"
#include "sail/core/base/result.h"
#include "sail/core/text/json.h"

namespace manager {

using Call = sail::RpcCall;

}  // namespace manager

namespace manager::verbs {

using Answer = sail::Result<sail::Json>;
using Reply = sail::RpcPeer::Reply;

// arrange.cpp
Answer arrange(const Call& call, Desk& desk);
Answer find_places(const Call& call, const Desk& desk, const ObjectRights& rights);
Answer partition(const Call& call, Desk& desk, const StateFeed& state);

// windows.cpp
Answer move(const Call& call, Desk& desk);
Answer resize(const Call& call, Desk& desk);
Answer place(const Call& call, Desk& desk);
Answer fit(const Call& call, Desk& desk);
Answer maximise(const Call& call, Desk& desk);
Answer lock(const Call& call, Desk& desk);
Answer swap(const Call& call, Desk& desk);
Answer raise(const Call& call, Desk& desk);
Answer lower(const Call& call, Desk& desk);
void close(const Call& call, Desk& desk, UndoSteps& steps);

// blank.cpp
void blank(const Call& call, Desk& desk, Players& players, SourceLibrary& library);
Answer freeze(const Call& call, Desk& desk);

// label.cpp
Answer label(const Call& call, Desk& desk);

// annotate.cpp
Answer annotate(const Call& call, Desk& desk, const Peers& peers);
Answer annotate_erase(const Call& call, Desk& desk);
Answer annotate_clear(const Call& call, Desk& desk);

// decorations.cpp
void wallpaper(const Call& call, Desk& desk, Players& players, SourceLibrary& library,
               UndoSteps& steps);
void logo(const Call& call, Desk& desk, Players& players, SourceLibrary& library, UndoSteps& steps);

// look.cpp
Answer look(const Call& call, Desk& desk, const ObjectRights& rights);

// webhooks.cpp
Answer webhooks(const Call& call, const Webhooks& hooks);
void webhooks_test(const Call& call, Webhooks& hooks);
Answer webhooks_settings(const Call& call, const Desk& desk);
Answer webhooks_report(const Call& call, Webhooks& hooks);

// cameras.cpp
void camera_find(const Call& call, Cameras& cameras);
void camera_profiles(const Call& call, Cameras& cameras);
void camera_save(const Call& call, Cameras& cameras, SourceLibrary& library);
void camera_move(const Call& call, const Desk& desk, Cameras& cameras,
                 const SourceLibrary& library);
void camera_presets(const Call& call, const Desk& desk, Cameras& cameras,
                    const SourceLibrary& library);

// saved.cpp
Answer layouts(const Call& call, const StateFeed& state);
Answer layout_save(const Call& call, WallArchive& archive, const StateFeed& state);
Answer layout_remove(const Call& call, WallArchive& archive, const StateFeed& state);
Answer layout_apply(const Call& call, Desk& desk, const WallArchive& archive);
Answer sessions(const Call& call, const StateFeed& state);
Answer session_save(const Call& call, WallArchive& archive, const StateFeed& state);
Answer session_remove(const Call& call, WallArchive& archive, const StateFeed& state);
Answer session_get(const Call& call, const WallArchive& archive);
Answer session_put(const Call& call, WallArchive& archive, const StateFeed& state);
void session_restore(const Call& call, SessionRestore& sessions);
void scene_show(const Call& call, const Desk& desk, SceneSwitch& scene);
Answer scene_preview(const Call& call, const Desk& desk, const SceneSwitch& scene);

// history.cpp
Answer history(const Call& call, const StateFeed& state);
void undo(const Call& call, UndoSteps& steps, const EventScenes& events);
void redo(const Call& call, UndoSteps& steps, const EventScenes& events);
void journal(const Call& call, Journal& journal);

// sources.cpp
void sources(const Call& call, const Desk& desk, SourceLibrary& library);
Answer source_save(const Call& call, SourceLibrary& library);
void source_remove(const Call& call, Desk& desk, SourceLibrary& library);
void source_bin(const Call& call, SourceLibrary& library);
void source_restore(const Call& call, SourceLibrary& library);
void source_rename(const Call& call, SourceLibrary& library);

// events.cpp
Answer event_start(const Call& call, EventScenes& events);
Answer event_clear(const Call& call, EventScenes& events);
Answer event_acknowledge(const Call& call, EventScenes& events);
Answer event_list(const Call& call, const EventScenes& events);
Answer event_rules(const Call& call, EventScenes& events);

// schedule.cpp
Answer schedule_add(const Call& call, Scheduler& scheduler, const Peers& peers,
                    const WallArchive& archive);
Answer schedule_remove(const Call& call, Scheduler& scheduler);
Answer schedule_list(const Call& call, const Scheduler& scheduler);
Answer schedule_next(const Call& call, const Scheduler& scheduler);
// rights.cpp
Answer rights(const Call& call, const ObjectRights& rights);
Answer rights_set(const Call& call, ObjectRights& rights);
Answer rights_lock(const Call& call, const Desk& desk, const WallArchive& archive,
                   ObjectRights& rights);

// playlists.cpp
void playlist_add(const Call& call, SourceLibrary& library, MediaRights& rights,
                  Playlists& playlists);
Answer playlist_delete(const Call& call, Playlists& playlists, const Tours& tours);
Answer playlist_get(const Call& call, const Playlists& playlists);
Answer playlist_list(const Call& call, const Playlists& playlists, const Tours& tours);
Answer playlist_move(const Call& call, Playlists& playlists);
void playlist_play(const Call& call, const Desk& desk, const Playlists& playlists, Tours& tours);
Answer playlist_remove(const Call& call, Playlists& playlists);
void playlist_save(const Call& call, SourceLibrary& library, MediaRights& rights,
                   Playlists& playlists);

// tours.cpp
void tour_start(const Call& call, const Desk& desk, SourceLibrary& library, Tours& tours);
Answer tour_stop(const Call& call, Tours& tours);
Answer tour_control(const Call& call, Tours& tours);
Answer tour_list(const Call& call, const Tours& tours);

// films.cpp
void films(const Call& call, FilmServers& servers);

// playing.cpp
void play(const Call& call, Players& players, SourceLibrary& library);
void replace(const Call& call, const Desk& desk, Players& players, SourceLibrary& library);
Answer opening_close(const Call& call, Players& players);
Answer control(const Call& call, Desk& desk, Groups& groups);
Answer group(const Call& call, const Desk& desk, Groups& groups);
Answer groups(const Call& call, const Groups& groups);
Answer invite(const Call& call, Guests& guests);
Answer sound(const Call& call, Desk& desk);
Answer master_volume(const Call& call, Desk& desk);

// people.cpp
Answer input(const Call& call, const Desk& desk, Peers& peers, Drivers& drivers);
Answer drive(const Call& call, const Desk& desk, Peers& peers, Drivers& drivers);
Answer pointer(const Call& call, const Desk& desk, const Peers& peers, WallOverlay& overlay);
Answer overlay(const Call& call, WallOverlay& overlay);
Answer watch_thumbnails(const Call& call, ThumbnailExchange& thumbnails);

// speaker_notes.cpp
void speaker_notes(const Call& call, const Desk& desk, const Peers& peers, SpeakerNotes& notes);

// users.cpp
Answer users(const Call& call, const Users& users, const Peers& peers);
Answer user_salt(const Call& call, const Users& users);
void user_add(const Call& call, Users& users, Peers& peers);
void user_password(const Call& call, Users& users, Peers& peers);
void user_remove(const Call& call, Users& users, Peers& peers);

// wall.cpp
Answer list(const Call& call, StateFeed& state);
void subscribe(const Call& call, StateFeed& state, Figures& figures);
Answer stats(const Call& call, const Desk& desk, const Peers& peers, const Figures& figures,
             Sound& sound);
Answer clocks(const Call& call, const Clocks& clocks);
Answer why(const Call& call, const Desk& desk, Figures& figures);
void snapshot(const Call& call, SnapshotQueue& queue, const Desk& desk, Peers& peers);
Answer identify(const Call& call, Desk& desk);
Answer calibrate(const Call& call, Desk& desk);
void power(const Call& call, WallPower& displays);
void power_status(const Call& call, WallPower& displays);
void shutdown(const Call& call, Shutdown& ending);

// nodes.cpp
void open_stream(const Call& call, StreamOpener& openings);
Answer close_stream(const Call& call, Desk& desk);
Answer playback(const Call& call, Desk& desk);
Answer stream_stats(const Call& call, const Desk& desk, Figures& figures);
Answer thumbnail(const Call& call, const Desk& desk, ThumbnailExchange& thumbnails);
Answer data_port(const Call& call, Peers& peers);
Answer epoch_ready(const Call& call, Desk& desk);
Answer group_absent(const Call& call, Groups& groups);
Answer receiver_stats(const Call& call, Figures& figures, Clocks& clocks);
Answer sound_levels(const Call& call, Sound& sound);
Answer watch_levels(const Call& call, Sound& sound);
Answer host_stats(const Call& call, Figures& figures);
Answer receiver_log(const Call& call, const Desk& desk, const NodeLogs& logs);
Answer receiver_restart(const Call& call, const Peers& peers, ReceiverLauncher& launcher);
void doctor(const Call& call, NodeCheckups& checkups);
void trace(const Call& call, Peers& peers);
void trace_read(const Call& call, Peers& peers);
void memory(const Call& call, Peers& peers);
void record(const Call& call, Recorders& recorders);
Answer clock(const Call& call, const Clocks& clocks);
Answer clock_stats(const Call& call, Clocks& clocks);
Answer stand_by(const Call& call, JournalServer& journal_server, Desk& desk);
Answer journal_read(const Call& call, JournalServer& journal_server);

// --- arguments
// Reads the arguments of verbs that take only "name", the name of a layout or session.
sail::Result<std::string> only_name(const Call& call);
// Reads "window" or "windows", without other arguments. Checks each with window_to_change().
sail::Result<std::vector<uint32_t>> one_or_many(const Call& call, const Desk& desk);
// Reads the argument "windows". Empty: it is not given.
std::vector<uint32_t> window_numbers(sail::JsonFields& fields);
// Read the arguments "window", "stream" and "gesture".
uint32_t window_number(sail::JsonFields& fields);
uint32_t stream_number(sail::JsonFields& fields);
std::string gesture(sail::JsonFields& fields);
// Reads "area", a tile or partition, or "rect"; neither: the whole wall. kNotFound.
sail::Result<sail::Rect> area_asked(const Desk& desk, sail::JsonFields& fields);
// A request to show one source, named as for tour_start, as this decoration. Fails if the name
// stands for none or for several.
sail::Result<PlayRequest> decoration_request(const SourceLibrary& library,
                                             const std::string& source,
                                             const Decoration& decoration, const sail::Rect& place,
                                             const std::string& opener);
// Reads one or more source ids.
std::vector<std::string> source_ids(sail::JsonFields& fields, const char* name);

// --- objects named by arguments
// kNotFound: there is no such window.
sail::Result<const Window*> find_window(const Desk& desk, uint32_t number);
// Whether the client may change only its own windows, and this window is another client's.
bool is_of_others(const sail::ServicePeer& presenter, const Window& window);
// Like find_window(). Also kUnauthorized: the caller may change only its own windows, and this
// window is another client's.
sail::Result<const Window*> window_to_change(const Call& call, const Desk& desk, uint32_t number);
// kConflict: the window's program is lost, so nobody receives what the window is to do.
sail::Result<void> check_program(const Window& window);
// Like window_to_change(). Also kConflict: the window is locked.
sail::Result<const Window*> find_unlocked(const Call& call, const Desk& desk, uint32_t number);
// Like window_to_change(). Also kConflict: the window is hidden, or a wallpaper or logo.
sail::Result<const Window*> find_on_wall(const Call& call, const Desk& desk, uint32_t number);
// Like find_on_wall(). Also kConflict: the window is locked.
sail::Result<const Window*> find_placeable(const Call& call, const Desk& desk, uint32_t number);
// kNotFound: there is no such stream, or it belongs to another application.
sail::Result<const Window*> own_window(const Call& call, const Desk& desk, uint32_t stream);

// --- steps and answers
// Describes a change of the stacking order: "raised 'Film'", "raised 3 windows".
UndoLabel restacked(const Desk& desk, const char* verb, const std::vector<uint32_t>& numbers);
// Moves a window to `place`, ends its maximised state, and returns its new state. Fails if the
// window is locked or the place is out of bounds.
Answer place_one(const Call& call, Desk& desk, const Window& window, const WideRect& place,
                 const UndoLabel& undo_label);
// kLimit: the scene message has no room for another window with a view transform.
sail::Result<void> check_view_transform(const Desk& desk, const Window& window,
                                        const sail::ViewTransform& look);
// Like place_one(), with a complete placement.
Answer apply_placement(const Call& call, Desk& desk, const Window& window,
                       const WindowPlacement& placement, const UndoLabel& undo_label);
// Returns the window's current state without statistics, the reply of verbs that change a window.
sail::Json window_now(const Desk& desk, uint32_t number);

}  // namespace manager::verbs
