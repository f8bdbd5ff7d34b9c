// An answer of the verb "stats" for tests of its display: a stream over UDP to two receivers, one
// over TCP, and one of an application that has not sent statistics yet.
#pragma once

#include "sail/core/text/json.h"
#include "sail/core/wire/stats.h"

namespace ui {

inline sail::LinkStats udp_link(const std::string& receiver) {
  sail::LinkStats link{.receiver = receiver,
                       .transport = sail::Transport::kUdp,
                       .mbit_per_s = 250.25,
                       .limit_mbit_per_s = 400,
                       .rtt_ms = 20.5,
                       .delay_ms = 10.25,
                       .queue_ms = 1.5,
                       .jitter_ms = 0.75,
                       .fec_pct = 4.5,
                       .bytes_sent = 2'800'000,
                       .bytes_parity = 120'000,
                       .packets_sent = 2000,
                       .packets_retransmitted = 17,
                       .counters = {.packets_arrived = 1950,
                                    .bytes_arrived = 2'730'000,
                                    .packets_lost = 50,
                                    .packets_reordered = 6,
                                    .packets_duplicated = 1,
                                    .packets_late = 2,
                                    .mended_fec = 31,
                                    .mended_retransmit = 16,
                                    .socket_full = 4,
                                    .frames_lost = 3,
                                    .bursts = {20, 5, 0, 1, 0, 0, 0, 0}}};
  return link;
}

inline sail::Json stats_answer() {
  sail::StreamStats udp{.stream = 1,
                        .frames_submitted = 300,
                        .frames_sent = 300,
                        .frames_shown = 293,
                        .frames_dropped = 7,
                        .frames_skipped = 31,
                        .fps_wanted = 60,
                        .fps_shown = 29.5,
                        .delay_ms = 80};
  udp.dropped = {.superseded = 1, .lost = 4, .unsent = 2};
  udp.links = {udp_link("left"), udp_link("right")};
  sail::StreamStats tcp{.stream = 2, .frames_submitted = 10, .frames_shown = 10};
  tcp.links = {{.receiver = "left",
                .mbit_per_s = 8.5,
                .busy_pct = 12.5,
                .rtt_ms = 0.25,
                .packets_retransmitted = 9}};
  const auto window = [](int number, const char* title, const char* transport) {
    return sail::Json{{"window", number}, {"title", title}, {"transport", transport}};
  };
  sail::Json answer{{"windows", sail::Json::array()}, {"receivers", sail::Json::array()}};
  answer["windows"].push_back(window(1, "Film, \"uncut\"", "udp"));
  answer["windows"].back()["stats"] = to_json(udp);
  answer["windows"].back()["health"] = {
      {"state", "bad"}, {"narrow", "encoding"}, {"sentence", "encoding takes 160 ms a frame"}};
  answer["windows"].push_back(window(2, "Slides", "tcp"));
  answer["windows"].back()["stats"] = to_json(tcp);
  answer["windows"].back()["health"] = {
      {"state", "well"}, {"narrow", "still"}, {"sentence", "nothing moves"}};
  answer["windows"].push_back(window(3, "New", "tcp"));
  return answer;
}

// An answer of the verb "clocks".
inline sail::Json clocks_answer() {
  const auto peer = [](int id, const char* name, const char* role, const sail::ClockStats& stats) {
    sail::Json object = sail::to_json(stats);
    object["peer"] = id;
    object["name"] = name;
    object["role"] = role;
    return object;
  };
  return {{"wall_ns", 5},
          {"source", "manager"},
          {"synchronised", true},
          {"error_us", 0.0},
          {"peers",
           {peer(5, "left", "receiver",
                 {.offset_us = -1'234'567.5,
                  .drift_ppm = 12.25,
                  .error_us = 130.5,
                  .round_trip_us = 201.5,
                  .age_s = 0.5}),
            peer(6, "bplay", "application",
                 {.source = sail::ClockSource::kSystem,
                  .synchronised = false,
                  .offset_us = 1.5,
                  .error_us = 16e6,
                  .round_trip_us = 99,
                  .age_s = 0.25})}}};
}

}  // namespace ui
