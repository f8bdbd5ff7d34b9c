#include "manager/media/upload.h"

#include <fmt/core.h>

#include <deque>
#include <utility>

#include "manager/media/media_probe.h"
#include "manager/media/upload_file.h"
#include "manager/media/upload_rules.h"
#include "sail/core/text/encodings.h"
#include "sail/core/time/clock.h"

namespace manager {

struct Upload::Transfer {
  Exchange exchange;
  std::deque<std::string> pieces;
  bool ended = false;
};

Upload::Upload(sail::Loop& loop, SourceLibrary& sources, const sail::Log& log, Facts facts,
               Handlers handlers)
    : loop_(loop),
      sources_(sources),
      log_(log),
      facts_(std::move(facts)),
      handlers_(std::move(handlers)) {
  touch();
}

void Upload::touch() {
  touched_ns_ = sail::steady_now_ns();
}

void Upload::create(const std::string& folder, uint64_t needed, uint64_t bin_bytes,
                    std::function<void(const sail::Result<void>&)> done) {
  using File = sail::Result<std::shared_ptr<UploadFile>>;
  auto made = std::make_shared<File>();
  working_ = sail::in_background(
      loop_,
      [made, folder, id = id(), extension = file_extension_of(facts_.name), needed, bin_bytes] {
        empty_bin(folder, bin_bytes);
        *made = UploadFile::create(folder, id, extension, needed);
        if (*made || made->error().code != sail::ErrorCode::kLimit) return;
        empty_bin(folder, 0);
        *made = UploadFile::create(folder, id, extension, needed);
      },
      [this, made, done = std::move(done)] {
        working_.reset();
        if (!*made) return done(made->error());
        file_ = std::move(**made);
        done({});
      });
}

void Upload::report(const Exchange& exchange) {
  if (offset_ == size()) {
    asking_.push_back(exchange);
  } else {
    exchange->answer(tus_progress(200, offset_, size()));
  }
}

// --- data ----------------------------------------------------------------------------------------

void Upload::receive(const Exchange& exchange) {
  transfer_ = std::make_shared<Transfer>();
  transfer_->exchange = exchange;
  const auto ended = [self = shared_from_this()] {
    self->transfer_->ended = true;
    self->write_next();
  };
  exchange->read_body({.on_bytes =
                           [self = shared_from_this()](std::string_view bytes) {
                             self->transfer_->exchange->pause_body();
                             self->transfer_->pieces.emplace_back(bytes);
                             self->write_next();
                           },
                       .on_end = ended,
                       // Keep the data: the client can resume.
                       .on_gone = ended});
}

void Upload::write_next() {
  if (working_ || !transfer_) return;
  if (transfer_->pieces.empty()) {
    if (transfer_->ended) {
      finish();
    } else {
      transfer_->exchange->resume_body();
    }
    return;
  }
  const auto piece = std::make_shared<std::string>(std::move(transfer_->pieces.front()));
  transfer_->pieces.pop_front();
  const auto result = std::make_shared<sail::Result<void>>();
  working_ = sail::in_background(
      loop_,
      [file = file_, piece, result, offset = offset_] { *result = file->write(*piece, offset); },
      [self = shared_from_this(), piece, result] { self->written(piece->size(), *result); });
}

void Upload::written(size_t bytes, const sail::Result<void>& result) {
  working_.reset();
  touch();
  handlers_.on_written();
  if (!result) {
    log_.warning("upload of '{}': {}", facts_.name, result.error().message);
    const auto transfer = std::move(transfer_);
    transfer->exchange->answer(tus_failure(result.error()));
    return;
  }
  offset_ += bytes;
  write_next();
}

void Upload::finish() {
  if (offset_ == size()) return check();
  const auto transfer = std::move(transfer_);
  transfer->exchange->answer(tus_progress(204, offset_, size()));
}

// --- publishing ----------------------------------------------------------------------------------

void Upload::check() {
  const auto file = std::make_shared<FileVersion>();
  working_ = sail::in_background(
      loop_, [part = file_, file] { *file = part->version(); },
      [self = shared_from_this(), file] {
        self->working_ = self->sources_.probe().inspect(*file, MediaProbe::Turn::kNext,
                                                        [self, file] { self->checked(*file); });
      });
}

void Upload::checked(const FileVersion& file) {
  const MediaFacts* facts = sources_.probe().known(file);
  if (facts != nullptr && !facts->unplayable.empty()) {
    return end(sail::fail(sail::ErrorCode::kBadData,
                          fmt::format("the file cannot be shown: {}", facts->unplayable)));
  }
  const auto result = std::make_shared<sail::Result<UploadFile::Published>>();
  working_ = sail::in_background(
      loop_, [part = file_, wanted = facts_.name, result] { *result = part->publish(wanted); },
      [self = shared_from_this(), file, result] { self->published(file, *result); });
}

void Upload::published(const FileVersion& checked,
                       const sail::Result<UploadFile::Published>& result) {
  if (!result) return end(result.error());
  log_.info("uploaded: '{}', {} bytes", result->name, size());
  sources_.probe().moved(checked, result->file);
  end(sources_.add_upload(result->name, size(), result->file));
}

void Upload::end(const sail::Result<std::string>& source) {
  if (!source) log_.warning("upload of '{}': {}", facts_.name, source.error().message);
  std::vector<Exchange> waiting = std::move(asking_);
  waiting.push_back(transfer_->exchange);
  transfer_.reset();
  working_.reset();
  handlers_.on_end(source, std::move(waiting));
}

namespace {

// The characters of ids stay readable.
bool stays_in_id(char letter) {
  return sail::is_unreserved(letter) || letter == ':' || letter == '/';
}

}  // namespace

sail::WebAnswer tus_answer(int status, std::string_view text) {
  sail::WebAnswer answer =
      text.empty() ? sail::WebAnswer{status, {}, {}} : sail::text_answer(status, text);
  answer.headers.emplace_back("Tus-Resumable", kTusVersion);
  answer.headers.emplace_back("Cache-Control", "no-store");
  return answer;
}

sail::WebAnswer tus_abilities(uint64_t most_bytes) {
  sail::WebAnswer answer = tus_answer(204);
  answer.headers.emplace_back("Tus-Version", kTusVersion);
  answer.headers.emplace_back("Tus-Extension", "creation,termination");
  answer.headers.emplace_back("Tus-Max-Size", fmt::format("{}", most_bytes));
  return answer;
}

sail::WebAnswer tus_created(const std::string& location) {
  sail::WebAnswer answer = tus_answer(201);
  answer.headers.emplace_back("Location", location);
  return answer;
}

sail::WebAnswer tus_progress(int status, uint64_t offset, uint64_t size) {
  sail::WebAnswer answer = tus_answer(status);
  answer.headers.emplace_back("Upload-Offset", fmt::format("{}", offset));
  answer.headers.emplace_back("Upload-Length", fmt::format("{}", size));
  return answer;
}

sail::WebAnswer tus_finished(int status, uint64_t size, std::string_view source) {
  sail::WebAnswer answer = tus_progress(status, size, size);
  answer.headers.emplace_back("Vitrail-Source", sail::percent_encoded(source, stays_in_id));
  return answer;
}

sail::WebAnswer tus_failure(const sail::Error& error) {
  const bool full = error.code == sail::ErrorCode::kLimit;
  const bool no_media = error.code == sail::ErrorCode::kBadData;
  return tus_answer(full ? 507 : no_media ? 415 : 500, error.message);
}

sail::WebAnswer tus_busy() {
  sail::WebAnswer answer = tus_answer(429, "too many uploads are in progress: try again later");
  answer.headers.emplace_back("Retry-After", "5");
  return answer;
}

}  // namespace manager
