#include "sail/apps/show/ticker_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>
#include <system_error>

#include "sail/core/base/environment.h"
#include "sail/core/text/text.h"
#include "sail/core/time/clock.h"
#include "sail/media/storage/http/far_document.h"
#include "sail/media/storage/source_uri.h"

namespace sail {
namespace {

constexpr int64_t kLongestFetchNs = 20 * kSecondNs;
constexpr int64_t kLongestWaitNs = 3600 * kSecondNs;

// `words` is a phrase: "is …".
Error error_about(const std::string& name, const Error& phrase) {
  return fail(phrase.code, fmt::format("{} {}", without_passwords(name), phrase.message));
}

}  // namespace

TickerReader::TickerReader(TickerMedium medium, TickerTimes times)
    : medium_(std::move(medium)),
      source_(ticker_source(ticker_text(medium_))),
      times_(times),
      thread_([this] { run(); }) {}

TickerReader::~TickerReader() {
  ending_ = true;
  heights_.push(kEnd);
  thread_.join();
}

bool TickerReader::end(std::chrono::nanoseconds wait) {
  ending_ = true;
  heights_.push(kEnd);
  return ended_.pop(wait).has_value();
}

void TickerReader::run() {
  name_this_thread("ticker");
  for (int height = kEnd; !ending_;) {
    const int64_t wait_ns = std::clamp<int64_t>(look_at_ns_ - steady_now_ns(), 0, kLongestWaitNs);
    const auto wanted = heights_.pop(std::chrono::nanoseconds(wait_ns));
    if (ending_) break;
    height = wanted.value_or(height);
    const bool changed = steady_now_ns() >= look_at_ns_ && look();
    if (height != kEnd && !line_.text.empty() && (wanted || changed)) draw(height);
  }
  ended_.push(true);
}

bool TickerReader::look() {
  const int64_t now_ns = steady_now_ns();
  if (source_.empty()) {
    look_at_ns_ = std::numeric_limits<int64_t>::max();
    return take_line(line_of_text(medium_.content));
  }
  const bool feed = is_ticker_url(source_);
  const auto document = feed ? read_feed() : read_file();
  look_at_ns_ = now_ns + (!feed       ? times_.file_ns
                          : !document ? times_.failed_feed_ns
                                      : times_.feed_ns);
  if (!document) {
    complain(document.error());
    return false;
  }
  if (!*document) {
    complaint_.clear();
    return false;
  }
  return take_line(line_of_file(**document));
}

Result<std::optional<std::string>> TickerReader::read_file() {
  std::error_code error;
  const auto time = std::filesystem::last_write_time(source_, error);
  const auto size = error ? 0 : std::filesystem::file_size(source_, error);
  if (error) {
    return fail(ErrorCode::kNotFound, fmt::format("cannot read {}: {}", source_, error.message()));
  }
  if (stamp_ == Stamp(time, size)) return std::nullopt;
  const auto file = open_bytes(source_);
  if (!file) return file.error();
  const auto bytes = (*file)->size();
  if (!bytes) return bytes.error();
  if (*bytes > kMostTickerFile) {
    return fail(ErrorCode::kLimit,
                fmt::format("{} has more than {} bytes", source_, kMostTickerFile));
  }
  std::string text(*bytes, '\0');
  auto read = (*file)->read(0, std::span(reinterpret_cast<uint8_t*>(text.data()), text.size()));
  if (!read) return read.error();
  stamp_ = Stamp(time, size);
  return text;
}

Result<std::optional<std::string>> TickerReader::read_feed() {
  const int64_t latest_ns = steady_now_ns() + kLongestFetchNs;
  auto document = fetch_document(source_, kMostTickerFile, [this, latest_ns] {
    return ending_ || steady_now_ns() > latest_ns;
  });
  if (!document) return document.error();
  if (*document == document_) return std::nullopt;
  document_ = *document;
  return *std::move(document);
}

bool TickerReader::take_line(Result<TickerLine> line) {
  if (!line) {
    complain(source_.empty() ? fail(line.error().code, "the ticker's text " + line.error().message)
                             : error_about(source_, line.error()));
    return false;
  }
  complaint_.clear();
  if (*line == line_) return false;
  line_ = *std::move(line);
  return true;
}

void TickerReader::draw(int height) {
  auto strip = TickerStrip::draw(line_.text, height, {medium_.ink, medium_.paper});
  if (!strip) return complain(strip.error());
  const bool shortened = line_.shortened || strip->shortened();
  answers_.push({std::make_shared<const TickerStrip>(*std::move(strip)),
                 shortened ? "the text is too long for a ticker: its end is not shown" : ""});
}

void TickerReader::complain(Error error) {
  if (ending_ || error.message == complaint_) return;
  complaint_ = error.message;
  answers_.push({std::move(error)});
}

}  // namespace sail
