#include "sail/client/session/manager_client.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "sail/core/base/environment.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/time/clock.h"
#include "sail/core/wire/application_messages.h"
#include "sail/core/wire/hello_messages.h"
#include "sail/core/wire/playback.h"

namespace sail {
namespace {

// Without the purpose the window is an ordinary one.
std::string purpose_of_program() {
  std::string purpose = environment("VITRAIL_PURPOSE");
  return purpose.size() <= kMaxPurpose && is_plain_text(purpose) ? purpose : "";
}

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
          .codec_reason = spec.codec_reason,
          .place = stood ? status.wall_rect : spec.place,
          .max_reduction = spec.max_reduction,
          .replaces = replaces,
          .transport = spec.transport,
          .content = spec.content,
          .takes_input = spec.takes_input,
          .resume = std::move(resume),
          .group = {},
          .fps = spec.fps,
          .part = spec.part,
          .purpose = purpose_of_program()};
}

}  // namespace

ManagerClient::ManagerClient(Loop& loop, const Address& manager, const std::string& name,
                             WallClock& clock, EventBox& events, const Log& log,
                             OnDisplay on_display, Done on_first_answer)
    : loop_(loop),
      clock_(clock),
      events_(events),
      log_(log),
      on_display_(std::move(on_display)),
      on_first_answer_(std::move(on_first_answer)),
      thumbnails_(streams_, link_, clock),
      notices_(streams_, thumbnails_, link_, clock, events, log),
      link_(
          loop, manager,
          [name](const Address&) { return Hello{.role = Role::kApplication, .name = name}; },
          {.on_connected = [this](const Json& welcome) { on_connected(welcome); },
           .on_request =
               [this](const std::string& method, const Json& params, const RpcPeer::Reply& reply) {
                 notices_.on_request(method, params, reply);
               },
           .on_lost = [this](const Error& error) { on_lost(error); },
           .on_refused = [this](const Error& error) { on_refused(error); },
           .on_clock = [this](const ClockLine& line, bool exchanged) { on_clock(line, exchanged); },
           .on_heartbeat = [this] { on_heartbeat(); }},
          log) {}

ManagerClient::~ManagerClient() = default;

// --- the connection -----------------------------------------------------------------------------

void ManagerClient::on_connected(const Json& welcome) {
  const auto known = message_from_json<WelcomeDisplay>(welcome);
  on_display_(known ? known->display : codecs::DisplayColor());
  if (!known) log_.warning("{}; colours are shown as on sRGB displays", known.error().message);
  if (!std::exchange(was_connected_, true)) return;
  bool reopening = false;
  for (const auto& entry : streams_.all()) {
    if (entry->closed) continue;
    reopening = true;
    entry->reopening = true;
    request_open(entry);
  }
  if (!reopening) events_.push(make_event(SAIL_EVENT_CONNECTED));
}

void ManagerClient::on_lost(const Error& error) {
  for (const auto& entry : streams_.all()) {
    entry->number = 0;
    entry->reopening = false;
    entry->stream->thumbnails().request({});
    entry->sender->continue_without_manager();
  }
  events_.push(make_event(SAIL_EVENT_DISCONNECTED));
  const auto opening = streams_.all();
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
  const auto refused = streams_.all();
  for (const auto& entry : refused) not_opened(entry, error);
}

// --- clock and statistics -----------------------------------------------------------------------

void ManagerClient::on_heartbeat() {
  RpcPeer* peer = link_.peer();
  const int64_t now_ns = steady_now_ns();
  for (const auto& entry : streams_.all()) {
    if (entry->number == 0) continue;
    StreamStats stats = entry->sender->stats(now_ns);
    entry->stream->add_figures(stats, now_ns);
    entry->stream->submit_queue().report_drop_counts(stats.dropped);
    peer->notify("stream_stats", to_json(stats));
    thumbnails_.make_still(*entry);
    if (!entry->stream->links_watched()) continue;
    for (const LinkStats& link : stats.links) events_.push(link_event(link), entry->stream);
  }
}

// The application need not wait for further exchanges: each takes a round trip.
void ManagerClient::on_clock(const ClockLine& line, bool exchanged) {
  clock_.set(line);
  if (exchanged && on_first_answer_) std::exchange(on_first_answer_, nullptr)({});
}

// --- streams ------------------------------------------------------------------------------------

void ManagerClient::open(std::shared_ptr<ClientStream> stream, Done on_opened) {
  const auto entry = std::make_shared<ManagedStream>();
  entry->on_opened = std::move(on_opened);
  entry->stream = std::move(stream);
  entry->sender = make_sender(loop_, entry->stream, link_, clock_, events_, log_);
  entry->group = entry->stream->spec().group;
  entry->timeline = entry->stream->spec().timeline;
  const auto rejected = [&events = events_, weak = std::weak_ptr(entry->stream)](
                            const FrameFate& fate) { report_fate(events, weak, fate); };
  // close() waits for the loop, so the stream still exists when the task runs.
  const auto thumbnail_made = [this, of = entry->stream.get()](Thumbnail thumbnail) {
    loop_.post([this, of, thumbnail = std::move(thumbnail)] { thumbnails_.send(*of, thumbnail); });
  };
  entry->stream->connect(*entry->sender, rejected, thumbnail_made);
  streams_.add(entry);
  request_open(entry);
}

void ManagerClient::request_open(const ManagedStreams::Shared& entry) {
  RpcPeer* peer = link_.peer();
  if (peer == nullptr) {
    not_opened(entry, {ErrorCode::kUnavailable, "not connected to the manager"});
    return;
  }
  // Null if the replaced stream was closed or is not open at this manager: nothing to replace.
  const auto former = streams_.find(entry->stream->spec().replaces);
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

void ManagerClient::on_open_answer(const std::weak_ptr<ManagedStream>& weak,
                                   const Result<Json>& answer) {
  const auto entry = weak.lock();
  const auto message =
      answer ? message_from_json<StreamOpened>(*answer) : Result<StreamOpened>(answer.error());
  if (!entry) {  // closed meanwhile
    if (message) report_closed(message->stream);
  } else if (!message) {
    not_opened(entry, message.error());
  } else if (const std::string offered = codec_name(entry->stream->spec().codec.codec);
             message->codec != offered) {
    report_closed(message->stream);
    not_opened(entry, {ErrorCode::kBadData,
                       fmt::format("the manager chose codec '{}', but only '{}' was offered",
                                   message->codec, offered)});
  } else {
    opened(entry, *message);
  }
}

void ManagerClient::opened(const ManagedStreams::Shared& entry, const StreamOpened& opened) {
  entry->number = opened.stream;
  entry->stream->set_numbers(opened.stream, opened.window);
  entry->stream->sound().open(opened);
  entry->stream->playback().forget_sent();
  report_playback(*entry);
  const auto resume = entry->sender->resume();
  if (resume && resume->routes.stream == opened.stream && resume->secret == opened.secret) {
    return reopened(*entry);  // the stream was never interrupted
  }
  entry->sender->open(opened, [this, weak = std::weak_ptr(entry)] {
    const auto ready = weak.lock();
    if (!ready) return;
    if (ready->on_opened) std::exchange(ready->on_opened, nullptr)({});
    reopened(*ready);
  });
}

void ManagerClient::not_opened(const ManagedStreams::Shared& entry, const Error& error) {
  if (entry->on_opened) {
    end(entry, [on_opened = std::exchange(entry->on_opened, nullptr), error] { on_opened(error); });
    return;
  }
  // The connection was lost: ManagerLink logs this and reconnects.
  if (error.code == ErrorCode::kUnavailable) return;
  entry->closed = error.code == ErrorCode::kNotFound;
  log_.error("cannot reopen stream '{}': {}", entry->stream->spec().title, error.message);
  entry->sender->suspend();
  events_.push(make_event(SAIL_EVENT_CLOSE), entry->stream);
  reopened(*entry);
}

void ManagerClient::reopened(ManagedStream& entry) {
  if (!std::exchange(entry.reopening, false)) return;
  const bool waiting = std::ranges::any_of(streams_.all(), &ManagedStream::reopening);
  if (!waiting) events_.push(make_event(SAIL_EVENT_CONNECTED));
}

void ManagerClient::report_playback(const ClientStream& stream) {
  if (const auto entry = streams_.find(&stream)) report_playback(*entry);
}

// Without a manager the state is sent when the stream is open again.
void ManagerClient::report_playback(ManagedStream& entry) {
  RpcPeer* peer = link_.peer();
  if (peer == nullptr || entry.number == 0) return;
  const auto message = entry.stream->playback().take(clock_);
  if (message) peer->notify("playback", to_json(StreamPlayback{entry.number, *message}));
}

void ManagerClient::close(const ClientStream& stream, std::function<void()> on_closed) {
  const auto entry = streams_.find(&stream);
  if (entry == nullptr) {
    on_closed();
    return;
  }
  if (entry->number != 0) report_closed(entry->number);
  end(entry, std::move(on_closed));
}

void ManagerClient::shut_down(std::function<void()> on_done) {
  if (streams_.all().empty()) {
    on_done();
    return;
  }
  const auto done = std::make_shared<std::function<void()>>(std::move(on_done));
  const auto left = std::make_shared<size_t>(streams_.all().size());
  const auto all = streams_.all();
  for (const auto& entry : all) {
    // The manager must distinguish a rank that ends from one that crashed, for the other ranks.
    if (entry->stream->spec().part && entry->number != 0) report_closed(entry->number);
    end(entry, [done, left] {
      if (--*left == 0) (*done)();
    });
  }
}

// The entry lives until its last write has completed, but find() no longer returns it.
void ManagerClient::end(const ManagedStreams::Shared& entry, std::function<void()> on_ended) {
  streams_.remove(entry);
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

}  // namespace sail
