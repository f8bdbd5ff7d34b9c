#include "sail/client/session/stream_notices.h"

#include <fmt/core.h>
#include <unistd.h>

#include "sail/core/address/address.h"
#include "sail/core/time/clock.h"
#include "sail/core/wire/application_messages.h"
#include "sail/core/wire/input.h"
#include "sail/core/wire/memory.h"
#include "sail/core/wire/sound.h"

namespace sail {

void StreamNotices::on_request(const std::string& method, const Json& params,
                               const RpcPeer::Reply& reply) {
  if (method == "trace_read" && reply) {
    return reply(trace_.read(params, [this] { return stamps(); }));
  }
  if (method == MemoryUse::kMethod && reply) {
    return reply(
        to_json(MemoryUse{.pid = static_cast<uint64_t>(getpid()), .process = own_memory()}));
  }
  const auto result = handle(method, params);
  if (!result) log_.debug("message from the manager refused: {}", result.error().message);
  if (!reply) return;
  if (result) {
    reply(Json::object());
  } else {
    reply(result.error());
  }
}

Result<void> StreamNotices::handle(const std::string& method, const Json& params) {
  if (method == "routes") return on_routes(params);
  if (method == "take_effect") return on_take_effect(params);
  if (method == "group") return on_group(params);
  if (method == "event") return on_app_event(params);
  if (method == "input") return on_input(params);
  if (method == "thumbnails") return on_thumbnails(params);
  if (method == "sound_routes") return on_sound_routes(params);
  if (method == "trace") return on_trace(params);
  return fail(ErrorCode::kUnknownMethod, fmt::format("unknown method '{}'", method));
}

void StreamNotices::put_on_link(std::string& host) {
  if (RpcPeer* peer = link_.peer()) {
    host = on_link_of({host, 0}, peer->local_address().host).host;
  }
}

Result<void> StreamNotices::on_routes(const Json& params) {
  auto routes = message_from_json<Routes>(params);
  if (!routes) return routes.error();
  for (Route& route : routes->routes) put_on_link(route.host);
  ManagedStream* of = streams_.find(routes->stream);
  if (of == nullptr) return {};  // closed meanwhile
  auto taken = of->sender->route(*routes);
  if (!taken) log_.warning("stream {}: {}", routes->stream, taken.error().message);
  return taken;
}

Result<void> StreamNotices::on_take_effect(const Json& params) {
  const auto taken = message_from_json<TakeEffect>(params);
  if (!taken) return taken.error();
  if (ManagedStream* of = streams_.find(taken->stream)) of->sender->take_effect(*taken);
  return {};
}

Result<void> StreamNotices::on_group(const Json& params) {
  auto membership = message_from_json<GroupMembership>(params);
  if (!membership) return membership.error();
  put_on_link(membership->host);
  ManagedStream* of = streams_.find(membership->stream);
  if (of == nullptr) return {};
  of->sender->set_group(*membership);
  if (of->stream->spec().numbered()) return {};
  of->timeline = membership->name.empty() ? std::nullopt : std::optional(membership->timeline);
  of->group = membership->name;
  events_.push(timeline_event(*membership), of->stream);
  return {};
}

Result<void> StreamNotices::on_app_event(const Json& params) {
  const auto message = message_from_json<AppEvent>(params);
  if (!message) return message.error();
  const ManagedStream* of = streams_.find(message->stream);
  if (of == nullptr) return {};
  // A submitter may be waiting for other ranks that will never arrive: wake it with an error.
  if (message->type == "close" && of->stream->spec().part)
    of->stream->submit_queue().set_open(false);
  events_.push(people_event(*message), of->stream);
  return {};
}

Result<void> StreamNotices::on_input(const Json& params) {
  const auto message = message_from_json<StreamInput>(params);
  if (!message) return message.error();
  const ManagedStream* of = streams_.find(message->stream);
  if (of == nullptr || !of->stream->spec().takes_input) return {};
  events_.push(input_event(*message), of->stream);
  return {};
}

Result<void> StreamNotices::on_sound_routes(const Json& params) {
  auto routes = message_from_json<SoundRoutes>(params);
  if (!routes) return routes.error();
  for (SoundRoutes::Route& route : routes->routes) put_on_link(route.host);
  if (const ManagedStream* of = streams_.find(routes->stream)) of->stream->sound().route(*routes);
  return {};
}

Result<void> StreamNotices::on_trace(const Json& params) {
  const auto for_ms = trace_duration_ms(params);
  if (!for_ms) return for_ms.error();
  const int64_t until_ns = steady_now_ns() + *for_ms * 1'000'000;
  for (const auto& of : streams_.all()) of->stream->trace().begin(until_ns);
  return {};
}

std::vector<TraceStamp> StreamNotices::stamps() const {
  std::vector<TraceStamp> all;
  for (const auto& of : streams_.all()) {
    for (TraceStamp stamp : of->stream->trace().take()) {
      stamp.stream = of->number;
      stamp.begin_ns = clock_.to_wall_ns(stamp.begin_ns);
      stamp.end_ns = clock_.to_wall_ns(stamp.end_ns);
      all.push_back(stamp);
    }
  }
  return all;
}

Result<void> StreamNotices::on_thumbnails(const Json& params) {
  const auto request = message_from_json<ThumbnailRequest>(params);
  if (!request) return request.error();
  const ManagedStream* of = streams_.find(request->stream);
  if (of == nullptr) return {};
  of->stream->thumbnails().request(*request);
  thumbnails_.make_still(*of);
  return {};
}

}  // namespace sail
