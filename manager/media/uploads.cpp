#include "manager/media/uploads.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "manager/media/media_facts.h"
#include "manager/media/upload.h"
#include "manager/media/upload_file.h"
#include "manager/media/upload_rules.h"
#include "sail/core/base/private_file.h"
#include "sail/core/base/secret.h"
#include "sail/core/loop/loop.h"
#include "sail/core/time/clock.h"

namespace manager {
namespace {

constexpr int64_t kSweepMs = 60'000;
constexpr std::string_view kRoot = "/uploads";

std::string mebibytes(uint64_t bytes) {
  return fmt::format("{:.1f}", static_cast<double>(bytes) / (1 << 20));
}

}  // namespace

Uploads::Uploads(sail::Loop& loop, SourceLibrary& sources, const sail::Log& log)
    : loop_(loop),
      sources_(sources),
      options_(sources.uploads()),
      log_(log),
      slots_({}),
      sweep_(loop) {
  cleaning_ = sail::in_background(
      loop_,
      [folder = options_.folder, age_s = options_.wait_timeout_s, most = options_.quota_bytes] {
        // An older version made this folder readable for everyone.
        std::error_code failed;
        if (std::filesystem::exists(folder, failed)) (void)sail::make_private_folder(folder);
        remove_stale_uploads(folder, age_s);
        empty_bin(folder, most);
      },
      [] {});
  sweep_.start(kSweepMs, kSweepMs, [this] { forget_stale(); });
}

void Uploads::handle(const Exchange& exchange) {
  const std::string& path = exchange->path();
  const std::string& method = exchange->method();
  if (method == "OPTIONS") {
    exchange->answer(tus_abilities(options_.most_bytes));
    return;
  }
  if (exchange->header("tus-resumable") != kTusVersion) {
    sail::WebAnswer answer = tus_answer(412, "the header Tus-Resumable must be 1.0.0");
    answer.headers.emplace_back("Tus-Version", kTusVersion);
    exchange->answer(std::move(answer));
    return;
  }
  if (path == kRoot && method == "POST") {
    create(exchange);
    return;
  }
  const std::string id = path.substr(std::min(kRoot.size() + 1, path.size()));
  if (const auto* whole = finished_.find(id)) {
    if (method == "HEAD") {
      report(exchange, *whole);
    } else {
      exchange->answer(tus_answer(409, "the upload is already complete"));
    }
    return;
  }
  const auto found = uploads_.find(id);
  if (found == uploads_.end() || !found->second->created()) {
    exchange->answer(tus_answer(404, "there is no such upload; it may have expired"));
    return;
  }
  const std::shared_ptr<Upload> upload = found->second;
  upload->touch();
  if (method == "HEAD") {
    upload->report(exchange);
  } else if (method == "PATCH") {
    receive(exchange, upload);
  } else if (method == "DELETE") {
    remove(exchange, upload);
  } else {
    exchange->answer(tus_answer(405, "use HEAD, PATCH or DELETE"));
  }
}

void Uploads::create(const Exchange& exchange) {
  const auto size = upload_number(exchange->header("upload-length").value_or(""));
  const auto name = upload_metadata(exchange->header("upload-metadata").value_or(""), "filename");
  if (!size || *size == 0) {
    exchange->answer(
        tus_answer(400, "the header Upload-Length must be the file's size in bytes, at least 1"));
  } else if (!name) {
    exchange->answer(
        tus_answer(400, "the file's name is missing: send Upload-Metadata: filename BASE64"));
  } else if (*size > options_.most_bytes) {
    exchange->answer(
        tus_answer(413, fmt::format("the file is too large: uploads may have at most {} MiB",
                                    options_.most_bytes >> 20)));
  } else if (!has_media_extension(clean_file_name(*name))) {
    exchange->answer(
        tus_answer(415, "unsupported file type: upload films, pictures or PDF documents"));
  } else {
    sources_.refresh([this, exchange, address = exchange->peer().host,
                      name = clean_file_name(*name),
                      size = *size] { create(exchange, address, name, size); });
  }
}

void Uploads::create(const Exchange& exchange, const std::string& address, const std::string& name,
                     uint64_t size) {
  const std::string id = sail::random_word();
  if (!make_place() || !slots_.take(id, address, sail::steady_now_ns())) {
    exchange->answer(tus_busy());
    return;
  }
  if (const auto none = no_room_for(id, size)) {
    slots_.leave(id);
    exchange->answer(tus_failure(*none));
    return;
  }
  uint64_t needed = size;
  for (const auto& [other_id, other] : uploads_) needed += other->size() - other->offset();
  // The bin may use the rest of the quota.
  const uint64_t taken = used_without(id) + size;
  const uint64_t left = options_.quota_bytes - std::min(options_.quota_bytes, taken);
  const auto upload = std::make_shared<Upload>(
      loop_, sources_, log_, Upload::Facts{.id = id, .name = name, .size = size},
      Upload::Handlers{.on_written = [this, id] { slots_.touch(id, sail::steady_now_ns()); },
                       .on_end =
                           [this, id](const auto& source, const std::vector<Exchange>& waiting) {
                             ended(id, source, waiting);
                           }});
  uploads_.emplace(id, upload);
  upload->create(
      options_.folder, needed, left,
      [this, exchange, id](const sail::Result<void>& made) { created(exchange, id, made); });
}

// Drops the upload that has been idle the longest, to make room for a new one.
bool Uploads::make_place() {
  if (uploads_.size() < options_.most_unfinished) return true;
  const int64_t now_ns = sail::steady_now_ns();
  auto oldest = uploads_.end();
  for (auto entry = uploads_.begin(); entry != uploads_.end(); ++entry) {
    const Upload& upload = *entry->second;
    if (upload.busy() || slots_.has(upload.id(), now_ns)) continue;
    const bool older =
        oldest == uploads_.end() || upload.touched_ns() < oldest->second->touched_ns();
    if (older) oldest = entry;
  }
  if (oldest == uploads_.end()) return false;
  drop(oldest->second->take_file());
  uploads_.erase(oldest);
  return true;
}

// Idle uploads reserve no space for data that they have not sent yet.
uint64_t Uploads::used_without(const std::string& id) const {
  const int64_t now_ns = sail::steady_now_ns();
  uint64_t used = sources_.upload_bytes();
  for (const auto& [other_id, other] : uploads_) {
    if (other_id == id) continue;
    used += slots_.has(other_id, now_ns) ? other->size() : other->offset();
  }
  return used;
}

std::optional<sail::Error> Uploads::no_room_for(const std::string& id, uint64_t size) const {
  const uint64_t used = used_without(id);
  if (used + size <= options_.quota_bytes) return std::nullopt;
  return sail::Error{
      sail::ErrorCode::kLimit,
      fmt::format("the uploads use {} of {} MiB, and this file has {} MiB: remove some uploads, or "
                  "ask an admin for a larger quota (--uploads-quota)",
                  mebibytes(used), mebibytes(options_.quota_bytes), mebibytes(size))};
}

void Uploads::created(const Exchange& exchange, const std::string& id,
                      const sail::Result<void>& made) {
  if (!made) {
    log_.warning("cannot create an upload: {}", made.error().message);
    uploads_.erase(id);
    slots_.leave(id);
    exchange->answer(tus_failure(made.error()));
    return;
  }
  exchange->answer(tus_created(fmt::format("{}/{}", kRoot, id)));
}

void Uploads::report(const Exchange& exchange, const FinishedUploads::Finished& upload) {
  const int status = exchange->method() == "HEAD" ? 200 : 204;
  exchange->answer(tus_finished(status, upload.size, upload.source));
}

void Uploads::receive(const Exchange& exchange, const std::shared_ptr<Upload>& upload) {
  const auto offset = upload_number(exchange->header("upload-offset").value_or(""));
  if (exchange->header("content-type") != "application/offset+octet-stream") {
    exchange->answer(
        tus_answer(415, "the header Content-Type must be application/offset+octet-stream"));
  } else if (upload->busy()) {
    exchange->answer(tus_answer(423, "another request is sending this upload"));
  } else if (offset != upload->offset()) {
    exchange->answer(tus_answer(
        409, fmt::format("wrong Upload-Offset: continue from byte {}", upload->offset())));
  } else if (exchange->body_size() == 0 ||
             exchange->body_size() > upload->size() - upload->offset()) {
    exchange->answer(tus_answer(413, "the body is empty or exceeds Upload-Length"));
  } else if (const auto none = no_room_for(upload->id(), upload->size())) {
    exchange->answer(tus_failure(*none));
  } else if (!slots_.take(upload->id(), exchange->peer().host, sail::steady_now_ns())) {
    exchange->answer(tus_busy());
  } else {
    upload->receive(exchange);
  }
}

void Uploads::ended(const std::string& id, const sail::Result<std::string>& source,
                    const std::vector<Exchange>& waiting) {
  const std::shared_ptr<Upload> upload = uploads_.extract(id).mapped();
  slots_.leave(id);
  drop(upload->take_file());
  if (!source) {
    for (const Exchange& exchange : waiting) exchange->answer(tus_failure(source.error()));
    return;
  }
  finished_.add(
      {.id = id, .size = upload->size(), .source = *source, .at_ns = sail::steady_now_ns()});
  for (const Exchange& exchange : waiting) report(exchange, *finished_.find(id));
}

void Uploads::remove(const Exchange& exchange, const std::shared_ptr<Upload>& upload) {
  if (upload->busy()) {
    exchange->answer(tus_answer(423, "a request is sending this upload: end that request first"));
    return;
  }
  uploads_.erase(upload->id());
  slots_.leave(upload->id());
  drop(upload->take_file());
  exchange->answer(tus_answer(204));
}

void Uploads::forget_stale() {
  const int64_t oldest_ns = sail::steady_now_ns() - options_.wait_timeout_s * sail::kSecondNs;
  finished_.forget_before(oldest_ns);
  std::erase_if(uploads_, [&](const auto& entry) {
    Upload& upload = *entry.second;
    if (upload.busy() || upload.touched_ns() >= oldest_ns) return false;
    drop(upload.take_file());
    return true;
  });
}

void Uploads::drop(std::shared_ptr<UploadFile> file) {
  cleaning_ = sail::in_background(
      loop_,
      [file = std::make_shared<std::shared_ptr<UploadFile>>(std::move(file))] { file->reset(); },
      [] {});
}

}  // namespace manager
