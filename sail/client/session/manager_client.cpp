#include "sail/client/session/manager_client.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "sail/core/address/reach.h"
#include "sail/core/wire/control_messages.h"
#include "sail/core/wire/data/thumbnail.h"
#include "sail/core/wire/input.h"
#include "sail/core/wire/playback.h"
#include "sail/core/wire/rpc.h"
#include "sail/core/wire/sound.h"

namespace sail {
namespace {

// replaces: number of the stream to replace; 0: none.
OpenStream open_request(const ClientStream& stream, const SubmitQueue::Status& status,
                        uint32_t replaces, std::optional<Resume> resume) {
  const StreamSpec& spec = stream.spec();
  // After a loss of the manager, ask for the window's last position.
  const bool stood = !status.wall_rect.empty();
  return {.title = spec.title,
          .frame_size = spec.frame_size,
          .block_size = spec.block_size,
          .codecs = {codec_name(spec.codec.codec)},
          .place = stood ? status.wall_rect : spec.place,
          .max_reduction = spec.max_reduction,
          .replaces = replaces,
          .transport = spec.transport,
          .content = spec.content,
          .takes_input = spec.takes_input,
          .resume = std::move(resume),
          .group = {},
          .fps = spec.fps,
          .part = spec.part};
}

}  // namespace

ManagerClient::ManagerClient(Loop& loop, const Address& manager, const std::string& name,
                             WallClock& clock, EventBox& events, const Log& log,
                             Done on_first_answer)
    : loop_(loop),
      clock_(clock),
      events_(events),
      log_(log),
      on_first_answer_(std::move(on_first_answer)),
      link_(
          loop, manager,
          [name](const Address&) { return Hello{.role = Role::kApplication, .name = name}; },
          {.on_connected = [this](const Json&) { on_connected(); },
           .on_request = [this](const std::string& method, const Json& params,
                                const RpcPeer::Reply& reply) { on_request(method, params, reply); },
           .on_lost = [this](const Error& error) { on_lost(error); },
           .on_refused = [this](const Error& error) { on_refused(error); },
           .on_clock = [this](const ClockLine& line, bool settled) { on_clock(line, settled); },
           .on_heartbeat = [this] { on_heartbeat(); }},
          log) {}

ManagerClient::~ManagerClient() = default;

// --- the connection -----------------------------------------------------------------------------

void ManagerClient::on_connected() {
  if (!std::exchange(was_connected_, true)) return;
  bool reopening = false;
  for (const auto& entry : entries_) {
    if (entry->closed) continue;
    reopening = true;
    entry->reopening = true;
    request_open(entry);
  }
  if (!reopening) push(make_event(SAIL_EVENT_CONNECTED));
}

void ManagerClient::on_lost(const Error& error) {
  for (const auto& entry : entries_) {
    entry->number = 0;
    entry->reopening = false;
    entry->stream->thumbnails().request({});
    entry->sender->go_on_alone();
  }
  push(make_event(SAIL_EVENT_DISCONNECTED));
  const auto opening = entries_;
  for (const auto& entry : opening) {
    if (entry->on_opened) not_opened(entry, error);
  }
}

void ManagerClient::on_refused(const Error& error) {
  if (on_first_answer_) {
    std::exchange(on_first_answer_, nullptr)(error);
    return;
  }
  log_.error("the manager refused this application: {}", error.message);
  const auto refused = entries_;
  for (const auto& entry : refused) not_opened(entry, error);
}

void ManagerClient::on_request(const std::string& method, const Json& params,
                               const RpcPeer::Reply& reply) {
  if (method == "trace_read" && reply) {
    return reply(trace_.read(params, [this] { return stamps(); }));
  }
  Result<void> result = fail(ErrorCode::kUnknownMethod, fmt::format("unknown method '{}'", method));
  if (method == "routes") result = on_routes(params);
  if (method == "take_effect") result = on_take_effect(params);
  if (method == "group") result = on_group(params);
  if (method == "event") result = on_app_event(params);
  if (method == "input") result = on_input(params);
  if (method == "thumbnails") result = on_thumbnails(params);
  if (method == "sound_routes") result = on_sound_routes(params);
  if (method == "trace") result = on_trace(params);
  if (!result) log_.debug("invalid message from the manager: {}", result.error().message);
  if (!reply) return;
  if (result) {
    reply(Json::object());
  } else {
    reply(result.error());
  }
}

// If the address is link-local, sets its scope to the interface that reaches the manager.
void ManagerClient::put_on_link(std::string& host) {
  if (RpcPeer* peer = link_.peer()) {
    host = on_link_of({host, 0}, peer->local_address().host).host;
  }
}

Result<void> ManagerClient::on_routes(const Json& params) {
  auto routes = message_from_json<Routes>(params);
  if (!routes) return routes.error();
  for (Route& route : routes->routes) put_on_link(route.host);
  Entry* entry = find(routes->stream);
  if (entry == nullptr) return {};  // closed meanwhile
  auto taken = entry->sender->route(*routes);
  if (!taken) log_.warning("stream {}: {}", routes->stream, taken.error().message);
  return taken;
}

Result<void> ManagerClient::on_take_effect(const Json& params) {
  const auto taken = message_from_json<TakeEffect>(params);
  if (!taken) return taken.error();
  if (Entry* entry = find(taken->stream)) entry->sender->take_effect(*taken);
  return {};
}

Result<void> ManagerClient::on_group(const Json& params) {
  auto seat = message_from_json<GroupSeat>(params);
  if (!seat) return seat.error();
  put_on_link(seat->host);
  Entry* entry = find(seat->stream);
  if (entry == nullptr) return {};
  entry->sender->sit(*seat);
  if (entry->stream->spec().numbered()) return {};
  entry->timeline = seat->name.empty() ? std::nullopt : std::optional(seat->timeline);
  entry->group = seat->name;
  push(timeline_event(*seat), entry->stream);
  return {};
}

Result<void> ManagerClient::on_app_event(const Json& params) {
  const auto told = message_from_json<AppEvent>(params);
  if (!told) return told.error();
  const Entry* entry = find(told->stream);
  if (entry == nullptr) return {};
  // A submitter may be waiting for other ranks that will never arrive: wake it with an error.
  if (told->type == "close" && entry->stream->spec().part)
    entry->stream->submit_queue().set_open(false);
  push(people_event(*told), entry->stream);
  return {};
}

Result<void> ManagerClient::on_input(const Json& params) {
  const auto told = message_from_json<StreamInput>(params);
  if (!told) return told.error();
  const Entry* entry = find(told->stream);
  if (entry == nullptr || !entry->stream->spec().takes_input) return {};
  push(input_event(*told), entry->stream);
  return {};
}

Result<void> ManagerClient::on_sound_routes(const Json& params) {
  auto routes = message_from_json<SoundRoutes>(params);
  if (!routes) return routes.error();
  for (SoundRoutes::Route& route : routes->routes) put_on_link(route.host);
  if (const Entry* entry = find(routes->stream)) entry->stream->sound().route(*routes);
  return {};
}

Result<void> ManagerClient::on_trace(const Json& params) {
  const auto for_ms = trace_duration_ms(params);
  if (!for_ms) return for_ms.error();
  const int64_t until_ns = steady_now_ns() + *for_ms * 1'000'000;
  for (const auto& entry : entries_) entry->stream->trace().begin(until_ns);
  return {};
}

// Returns the trace in wall time, with the streams' numbers at this manager.
std::vector<TraceStamp> ManagerClient::stamps() const {
  std::vector<TraceStamp> all;
  for (const auto& entry : entries_) {
    for (TraceStamp stamp : entry->stream->trace().take()) {
      stamp.stream = entry->number;
      stamp.begin_ns = clock_.to_wall_ns(stamp.begin_ns);
      stamp.end_ns = clock_.to_wall_ns(stamp.end_ns);
      all.push_back(stamp);
    }
  }
  return all;
}

Result<void> ManagerClient::on_thumbnails(const Json& params) {
  const auto request = message_from_json<ThumbnailRequest>(params);
  if (!request) return request.error();
  const Entry* entry = find(request->stream);
  if (entry == nullptr) return {};
  entry->stream->thumbnails().request(*request);
  make_still_thumbnail(*entry);
  return {};
}

void ManagerClient::make_still_thumbnail(const Entry& entry) {
  const FrameRef& newest = entry.sender->newest();
  ThumbnailMaker& maker = entry.stream->thumbnails();
  if (!newest || !newest->has_all_rows() || newest->number() == maker.made_of() ||
      clock_.wall_now_ns() - newest->submitted_ns() < kStillNs ||
      !maker.take_due(steady_now_ns())) {
    return;
  }
  if (auto made = maker.make(*newest)) send_thumbnail(*entry.stream, *std::move(made));
}

// Dropped if it cannot be sent now: the next thumbnail is as good.
void ManagerClient::send_thumbnail(const ClientStream& stream, Thumbnail thumbnail) {
  RpcPeer* peer = link_.peer();
  const Entry* entry = find(&stream);
  if (peer == nullptr || entry == nullptr || entry->number == 0) return;
  thumbnail.stream = entry->number;
  peer->offer_line(notification_line("thumbnail", to_json(thumbnail)));
}

// --- clock and statistics -----------------------------------------------------------------------

void ManagerClient::on_heartbeat() {
  RpcPeer* peer = link_.peer();
  const int64_t now_ns = steady_now_ns();
  for (const auto& entry : entries_) {
    if (entry->number == 0) continue;
    StreamStats stats = entry->sender->stats(now_ns);
    entry->stream->add_figures(stats, now_ns);
    entry->stream->submit_queue().report_drop_counts(stats.dropped);
    peer->notify("stream_stats", to_json(stats));
    make_still_thumbnail(*entry);
    if (!entry->stream->links_watched()) continue;
    for (const LinkStats& link : stats.links) push(link_event(link), entry->stream);
  }
}

// The clock is set even while it is not settled.
void ManagerClient::on_clock(const ClockLine& line, bool settled) {
  clock_.set(line);
  if (settled && on_first_answer_) std::exchange(on_first_answer_, nullptr)({});
}

// --- streams ------------------------------------------------------------------------------------

void ManagerClient::open(std::shared_ptr<ClientStream> stream, Done on_opened) {
  const auto entry = std::make_shared<Entry>();
  entry->on_opened = std::move(on_opened);
  entry->stream = std::move(stream);
  const auto report_fate = [this, weak = std::weak_ptr(entry->stream)](const FrameFate& fate) {
    const auto of = weak.lock();
    if (of && of->frames_watched()) push(frame_event(fate), of);
  };
  const auto frame_done = [report_fate,
                           weak = std::weak_ptr(entry->stream)](const FrameFate& fate) {
    if (const auto of = weak.lock()) of->sound().frame_done(fate);
    report_fate(fate);
  };
  const auto report_window = [this, weak = std::weak_ptr(entry->stream)](const Rect& wall_rect) {
    if (const auto of = weak.lock()) push(window_event(wall_rect), of);
  };
  const auto report_refresh = [this, weak = std::weak_ptr(entry->stream)] {
    if (const auto of = weak.lock()) push(make_event(SAIL_EVENT_REFRESH), of);
  };
  const auto report_trouble = [this, weak = std::weak_ptr(entry->stream)](const LinkStats& link) {
    if (const auto of = weak.lock()) push(receiver_event(link), of);
  };
  const StreamSpec& spec = entry->stream->spec();
  entry->sender = std::make_unique<StreamSender>(
      loop_, spec.codec.codec,
      FrameShape{.frame_size = spec.frame_size,
                 .block_size = spec.block_size,
                 .scaling = scaling_of(spec.codec.codec.id),
                 .encoded = spec.encoded,
                 .max_reduction = spec.max_reduction},
      StreamSender::Options{.fps = spec.fps,
                            .delay_ms = spec.delay_ms,
                            .mtu = spec.mtu,
                            .apart = spec.apart,
                            .part = spec.part.has_value(),
                            .trace = &entry->stream->trace()},
      entry->stream->submit_queue(), clock_, log_,
      StreamSender::Handlers{.on_fate = frame_done,
                             .on_window = report_window,
                             .on_refresh = report_refresh,
                             .on_trouble = report_trouble,
                             .on_epoch_ready = [this](const EpochReady& ready) {
                               RpcPeer* peer = link_.peer();
                               if (peer != nullptr) peer->notify("epoch_ready", to_json(ready));
                             }});
  // close() waits for the loop, so the stream still exists when the task runs.
  const auto report_thumbnail = [this, stream = entry->stream.get()](Thumbnail thumbnail) {
    loop_.post(
        [this, stream, thumbnail = std::move(thumbnail)] { send_thumbnail(*stream, thumbnail); });
  };
  entry->group = spec.group;
  entry->timeline = spec.timeline;
  entry->stream->connect(*entry->sender, report_fate, report_thumbnail);
  entries_.push_back(entry);
  request_open(entry);
}

void ManagerClient::request_open(const std::shared_ptr<Entry>& entry) {
  RpcPeer* peer = link_.peer();
  if (peer == nullptr) {
    not_opened(entry, {ErrorCode::kUnavailable, "not connected to the manager"});
    return;
  }
  // Null if the replaced stream was closed or is not open at this manager: nothing to replace.
  const Entry* former = find(entry->stream->spec().replaces);
  auto resume = entry->sender->resume();
  if (resume) resume->window = entry->stream->window_number();
  OpenStream request = open_request(*entry->stream, entry->stream->submit_queue().status(),
                                    former == nullptr ? 0 : former->number, std::move(resume));
  request.group = entry->group;
  request.timeline = entry->timeline;
  peer->call(
      "open_stream", to_json(request),
      [this, weak = std::weak_ptr(entry)](const Result<Json>& answer) {
        on_open_answer(weak, answer);
      },
      request.part ? kCallTimeoutMs + kJoinTimeoutMs : kCallTimeoutMs);
}

void ManagerClient::on_open_answer(const std::weak_ptr<Entry>& weak, const Result<Json>& answer) {
  const auto entry = weak.lock();
  const auto told =
      answer ? message_from_json<StreamOpened>(*answer) : Result<StreamOpened>(answer.error());
  if (!entry) {  // closed meanwhile
    if (told) report_closed(told->stream);
  } else if (!told) {
    not_opened(entry, told.error());
  } else if (const std::string offered = codec_name(entry->stream->spec().codec.codec);
             told->codec != offered) {
    report_closed(told->stream);
    not_opened(entry, {ErrorCode::kBadData,
                       fmt::format("the manager chose codec '{}', but only '{}' was offered",
                                   told->codec, offered)});
  } else {
    opened(entry, *told);
  }
}

void ManagerClient::opened(const std::shared_ptr<Entry>& entry, const StreamOpened& opened) {
  entry->number = opened.stream;
  entry->stream->set_numbers(opened.stream, opened.window);
  entry->stream->sound().open(opened);
  entry->stream->playback().forget_sent();
  report_playback(*entry);
  const auto resume = entry->sender->resume();
  if (resume && resume->routes.stream == opened.stream && resume->secret == opened.secret) {
    return reopened(*entry);  // the stream was never interrupted
  }
  entry->sender->suspend();
  entry->sender->open(opened, [this, weak = std::weak_ptr(entry)] {
    const auto ready = weak.lock();
    if (!ready) return;
    if (ready->on_opened) std::exchange(ready->on_opened, nullptr)({});
    reopened(*ready);
  });
}

void ManagerClient::not_opened(const std::shared_ptr<Entry>& entry, const Error& error) {
  if (entry->on_opened) {
    end(entry, [on_opened = std::exchange(entry->on_opened, nullptr), error] { on_opened(error); });
    return;
  }
  // The connection was lost: ManagerLink logs this and reconnects.
  if (error.code == ErrorCode::kUnavailable) return;
  entry->closed = error.code == ErrorCode::kNotFound;
  log_.error("cannot reopen stream '{}': {}", entry->stream->spec().title, error.message);
  entry->sender->suspend();
  push(make_event(SAIL_EVENT_CLOSE), entry->stream);
  reopened(*entry);
}

void ManagerClient::reopened(Entry& entry) {
  if (!std::exchange(entry.reopening, false)) return;
  const bool waiting = std::any_of(entries_.begin(), entries_.end(),
                                   [](const auto& other) { return other->reopening; });
  if (!waiting) push(make_event(SAIL_EVENT_CONNECTED));
}

void ManagerClient::report_playback(const ClientStream& stream) {
  if (Entry* entry = find(&stream)) report_playback(*entry);
}

// Without a manager the state is sent when the stream is open again.
void ManagerClient::report_playback(Entry& entry) {
  RpcPeer* peer = link_.peer();
  if (peer == nullptr || entry.number == 0) return;
  const auto told = entry.stream->playback().take(clock_);
  if (told) peer->notify("playback", to_json(StreamPlayback{entry.number, *told}));
}

void ManagerClient::close(const ClientStream& stream, std::function<void()> on_closed) {
  const auto it = std::find_if(entries_.begin(), entries_.end(),
                               [&](const auto& entry) { return entry->stream.get() == &stream; });
  if (it == entries_.end()) {
    on_closed();
    return;
  }
  const std::shared_ptr<Entry> entry = *it;
  if (entry->number != 0) report_closed(entry->number);
  end(entry, std::move(on_closed));
}

void ManagerClient::shut_down(std::function<void()> on_done) {
  if (entries_.empty()) {
    on_done();
    return;
  }
  const auto done = std::make_shared<std::function<void()>>(std::move(on_done));
  const auto left = std::make_shared<size_t>(entries_.size());
  const auto all = entries_;
  for (const auto& entry : all) {
    // The manager must distinguish a rank that ends from one that crashed, for the other ranks.
    if (entry->stream->spec().part && entry->number != 0) report_closed(entry->number);
    end(entry, [done, left] {
      if (--*left == 0) (*done)();
    });
  }
}

// The entry lives until its last write has completed, but find() no longer returns it.
void ManagerClient::end(const std::shared_ptr<Entry>& entry, std::function<void()> on_ended) {
  std::erase(entries_, entry);
  entry->stream->sound().close();
  reopened(*entry);
  entry->sender->close([entry, on_ended = std::move(on_ended)] {
    entry->sender.reset();
    entry->stream.reset();
    on_ended();
  });
}

void ManagerClient::report_closed(uint32_t number) {
  if (RpcPeer* peer = link_.peer()) {
    peer->call("close_stream", {{"stream", number}}, [](const Result<Json>&) {});
  }
}

ManagerClient::Entry* ManagerClient::find(uint32_t number) {
  const auto it = std::find_if(entries_.begin(), entries_.end(),
                               [&](const auto& entry) { return entry->number == number; });
  return it == entries_.end() ? nullptr : it->get();
}

ManagerClient::Entry* ManagerClient::find(const ClientStream* stream) {
  const auto it = std::find_if(entries_.begin(), entries_.end(),
                               [&](const auto& entry) { return entry->stream.get() == stream; });
  return it == entries_.end() ? nullptr : it->get();
}

// --- events -------------------------------------------------------------------------------------

void ManagerClient::push(const sail_event& event) {
  events_.push({.event = event, .stream = {}, .of_stream = false});
}

void ManagerClient::push(const sail_event& event, const std::shared_ptr<ClientStream>& stream) {
  events_.push({.event = event, .stream = stream, .of_stream = true});
}

}  // namespace sail
