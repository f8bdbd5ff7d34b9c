// The command upload: copies files of this computer to the manager, to be played there.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "sail/core/base/environment.h"
#include "sail/core/base/stop_signals.h"
#include "sail/core/text/json.h"
#include "ui/client/answers.h"
#include "ui/client/commands.h"
#include "ui/client/value_texts.h"
#include "ui/console/http_upload.h"
#include "ui/console/start/state_folder.h"

namespace ui {
namespace {

constexpr size_t kMaxRecordBytes = 1 << 20;
constexpr size_t kMaxRecords = 1000;

std::string record_file() {
  const auto folder = state_folder();
  return folder ? (*folder / "uploads.json").string() : "";
}

sail::Json records() {
  std::ifstream file(record_file(), std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  auto json = sail::parse_json(text.str(), kMaxRecordBytes);
  return json && json->is_object() ? std::move(*json) : sail::Json::object();
}

// Records unfinished uploads in $XDG_STATE_HOME/vitrail/uploads.json, so that the next try resumes
// them. If the record cannot be read or written, the upload starts from the beginning.
class UploadRecord {
 public:
  // The key is the file's path, size and modification time, and the page.
  UploadRecord(const std::string& file, uint64_t bytes, const std::string& page);

  // URL of the upload; empty: none recorded.
  std::string url() const;
  // Records the URL; an empty one removes the record.
  void keep(const std::string& url) const;

 private:
  std::string key_;
};

UploadRecord::UploadRecord(const std::string& file, uint64_t bytes, const std::string& page) {
  std::error_code ignored;
  const auto path = std::filesystem::canonical(file, ignored).string();
  const auto changed = std::filesystem::last_write_time(file, ignored).time_since_epoch().count();
  key_ = fmt::format("{} {} {} {}", page, bytes, changed, path);
}

std::string UploadRecord::url() const {
  return text_member(records(), key_.c_str());
}

void UploadRecord::keep(const std::string& url) const {
  sail::Json all = records();
  if (all.size() >= kMaxRecords) all = sail::Json::object();
  if (url.empty()) {
    all.erase(key_);
  } else {
    all[key_] = url;
  }
  std::ofstream(record_file(), std::ios::binary | std::ios::trunc) << all.dump(1);
}

struct UploadArguments {
  std::vector<std::string> files;
  bool play = false;
  bool quiet = false;
};

// Progress line, redrawn in place. Prints nothing if standard error is not a terminal.
class UploadDisplay {
 public:
  UploadDisplay(std::string name, bool quiet)
      : name_(std::move(name)), drawn_(!quiet && isatty(STDERR_FILENO) == 1) {}
  ~UploadDisplay() {
    if (drawn_) fmt::print(stderr, "\r\033[K");
  }
  UploadDisplay(const UploadDisplay&) = delete;
  UploadDisplay& operator=(const UploadDisplay&) = delete;

  void show(uint64_t sent, uint64_t total) {
    const double share = total == 0 ? 1 : static_cast<double>(sent) / static_cast<double>(total);
    const int permille = static_cast<int>(share * 1000);
    if (!drawn_ || permille == shown_permille_) return;
    shown_permille_ = permille;
    fmt::print(stderr, "\r{}  {:.0f}%  {} of {}  {}\033[K",
               progress_bar(share, kBarWidth, sail::environment("NO_COLOR").empty()), share * 100,
               bytes_text(static_cast<double>(sent)), bytes_text(static_cast<double>(total)),
               name_);
    std::fflush(stderr);
  }

 private:
  std::string name_;
  bool drawn_;
  int shown_permille_ = -1;
};

sail::Result<UploadTarget> target_of(Context& context) {
  sail::RpcClient* client = context.connection();
  if (client == nullptr) return sail::fail(sail::ErrorCode::kUnavailable, "");
  const std::string page = text_member(client->welcome(), "page");
  if (page.empty()) {
    return sail::fail(sail::ErrorCode::kUnavailable,
                      "cannot upload: the manager serves no page (start it with --page)");
  }
  return UploadTarget{page, text_member(client->welcome(), "page_key"), client->session(),
                      static_cast<uint64_t>(number_member(client->welcome(), "client"))};
}

struct Begun {
  std::string url;  // URL of the upload
  HttpUpload::Place place;
};

// Resumes a recorded upload, which may be complete, or creates a new one.
sail::Result<Begun> begin(HttpUpload& upload, const UploadRecord& record) {
  const std::string known = record.url();
  if (!known.empty()) {
    const auto place = upload.place(known);
    if (place) return Begun{known, *place};
    if (place.error().code == sail::ErrorCode::kUnavailable) {
      return place.error();
    }
  }
  const auto url = upload.create();
  if (!url) return url.error();
  record.keep(*url);
  return Begun{*url, {}};
}

// Uploads the file and returns the id of the new source. Reconnects after a broken connection as
// long as some bytes get through each time. Sets `stopped` when a signal ended it.
sail::Result<std::string> upload_file(const UploadTarget& target, const std::string& file,
                                      bool quiet, bool& stopped) {
  std::error_code error;
  const uint64_t bytes = std::filesystem::file_size(file, error);
  if (error) {
    return sail::fail(sail::ErrorCode::kNotFound, fmt::format("{}: {}", file, error.message()));
  }
  UploadDisplay display(std::filesystem::path(file).filename().string(), quiet);
  sail::StopSignals stop;
  HttpUpload upload(target, file, bytes, [&](uint64_t sent, uint64_t total) {
    display.show(sent, total);
    return !stop.arrived();
  });
  const UploadRecord record(file, bytes, target.page);
  uint64_t before = 0;
  constexpr int kTries = 3;  // attempts in a row without progress
  for (int tries = 0;;) {
    const auto begun = begin(upload, record);
    if (!begun) return begun.error();
    const uint64_t from = begun->place.offset;
    if (from > before) tries = 0;
    before = from;
    // The upload is complete; only the answer with the source id was lost.
    const std::string& known = begun->place.source;
    auto source = known.empty() ? upload.send(begun->url, from) : sail::Result<std::string>(known);
    if (source) {
      record.keep("");
      return source;
    }
    stopped = stop.arrived();
    if (stopped) {
      return sail::fail(sail::ErrorCode::kIo, "stopped; run the same command again to resume");
    }
    if (source.error().code != sail::ErrorCode::kUnavailable || ++tries >= kTries) return source;
  }
}

// Advice for the user; empty if there is none.
std::string advice(const sail::Error& error, const sail::Json& welcome) {
  if (error.code != sail::ErrorCode::kUnavailable) return "";
  return std::string("; run the same command again to resume") +
         (text_member(welcome, "standby").empty()
              ? ""
              : ", or to start over at the standby after a failover");
}

// Uploads one file, and shows it if that is wanted. Returns the exit code.
int upload_one(Context& context, const UploadTarget& target, const UploadArguments& arguments,
               const std::string& file, bool& stopped) {
  const auto source = upload_file(target, file, arguments.quiet || context.json, stopped);
  if (!source) {
    return context.report(
        {source.error().code, fmt::format("{}: {}{}", file, source.error().message,
                                          advice(source.error(), context.client->welcome()))});
  }
  const sail::Json result = {{"file", file}, {"source", *source}};
  const int code = context.done(result, fmt::format("{}: uploaded as source {}", file, *source));
  if (code != kDone || !arguments.play) return code;
  constexpr int64_t kPlayTimeoutMs = 3'600'000;  // until the player opens its window
  return context.perform(
      "play", {{"source", *source}},
      [](const sail::Json& window) {
        return fmt::format("window {}", number_member(window, "window"));
      },
      kPlayTimeoutMs);
}

// Continues with the next file after a refusal, but not if the manager is lost. Returns the worst
// exit code.
int upload(Context& context, const UploadArguments& arguments) {
  const auto target = target_of(context);
  if (!target)
    return target.error().message.empty() ? int{kNoManager} : context.report(target.error());
  int worst = kDone;
  bool stopped = false;
  for (const std::string& file : arguments.files) {
    worst = std::max(worst, upload_one(context, *target, arguments, file, stopped));
    if (worst == kNoManager || stopped) break;
  }
  return worst;
}

}  // namespace

void add_upload_command(const Command& app, Context& context) {
  const auto arguments = std::make_shared<UploadArguments>();
  const Command command =
      app.command("upload", "Upload films and pictures to the manager; resumes interrupted uploads")
          .group("Sources");
  command.option("files", arguments->files, "Files on this computer").required();
  command.flag("--play", arguments->play, "Show each file as soon as its upload is complete");
  command.flag("--quiet", arguments->quiet, "Hide the progress bar");
  command.runs([&context, arguments] { return upload(context, *arguments); });
}

}  // namespace ui
