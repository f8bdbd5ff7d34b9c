#include "manager/media/tus_answers.h"

#include <fmt/core.h>

#include "sail/core/text/encodings.h"

namespace manager {
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
  sail::WebAnswer answer = tus_answer(429, "as many files are coming as may: try again later");
  answer.headers.emplace_back("Retry-After", "5");
  return answer;
}

}  // namespace manager
