// vitrail-camera: talks to ONVIF cameras for the manager, so that slow, damaged and hostile cameras
// do not affect the manager. One process does one job.
#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <string>

#include "sail/apps/camera/camera_http.h"
#include "sail/apps/camera/camera_jobs.h"
#include "sail/core/command_line/command_line.h"
#include "sail/core/process/process.h"
#include "sail/core/text/json.h"
#include "sail/core/text/text.h"
#include "sail/core/time/clock.h"

namespace {

constexpr unsigned kLongestS = 40;

const char* const kNotes =
    R"(The manager starts this program for `vitrail camera`. A line of JSON on standard input is the
job; passwords are not passed as arguments. A line of JSON on standard output is the answer, or
{"error": …}. A job takes at most 40 s.)";

sail::Result<sail::Json> done_job() {
  std::string line;
  std::getline(std::cin, line);
  const auto job = sail::parse_json(line, sail::ChildFiles::kMostInputBytes);
  if (!job) return job.error();
  sail::CameraHttp http;
  return sail::do_camera_job(
      *job, {.post = [&http](const sail::CameraPost& request) { return http.post(request); },
             .ask_stream = [&http](const sail::CameraUrl& url) { return http.ask_stream(url); },
             .try_stream = sail::try_camera_stream,
             .now_s = [] { return sail::calendar_now_ns() / sail::kSecondNs; }});
}

sail::Result<void> run_camera() {
  alarm(kLongestS);
  auto answer = done_job();
  if (!answer) {
    answer = sail::Json{{"error",
                         {{"code", static_cast<int>(answer.error().code)},
                          {"message", sail::without_passwords(answer.error().message)}}}};
  }
  fmt::print("{}\n", answer->dump(-1, ' ', false, sail::Json::error_handler_t::replace));
  return {};
}

}  // namespace

int vitrail_camera_main(int argc, char** argv) {
  sail::CommandLine line("vitrail-camera", "Talk to ONVIF cameras for a Vitrail wall's manager.");
  line.notes(kNotes);
  return line.run(argc, argv, run_camera);
}
