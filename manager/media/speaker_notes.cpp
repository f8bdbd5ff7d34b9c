#include "manager/media/speaker_notes.h"

#include <algorithm>
#include <utility>

#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/wire/content.h"

namespace manager {
namespace {

constexpr size_t kLongestNotes = sail::kMaxControlLine - 1024;  // The rest of the answer.
constexpr size_t kLongestNotesReason = 1000;

sail::Error unknown_notes() {
  return sail::fail(sail::ErrorCode::kBadData,
                    "the speaker's notes cannot be read: vitrail-poster failed; the manager's log "
                    "may tell why");
}

// Consoles print the text as it is.
bool is_page_notes(const sail::Json& page) {
  if (!page.is_object()) return false;
  return std::ranges::all_of(page.items(), [](const auto& field) {
    const sail::Json& value = field.value();
    if (field.key() == "cut") return value.is_boolean();
    if (!value.is_string()) return false;
    std::string text = value.template get<std::string>();
    if (field.key() == "notes") std::ranges::replace(text, '\n', ' ');
    return (field.key() == "title" || field.key() == "notes") && sail::is_plain_text(text);
  });
}

}  // namespace

sail::Result<sail::Json> parse_speaker_notes(std::string_view output) {
  auto answer = sail::parse_json(output.substr(0, output.find('\n')), kLongestNotes);
  if (!answer || !answer->is_object()) return unknown_notes();
  if (const auto reason = answer->find("unreadable");
      reason != answer->end() && reason->is_string()) {
    return sail::fail(sail::ErrorCode::kBadData,
                      "the speaker's notes cannot be read: " +
                          sail::make_plain_text(reason->get<std::string>(), kLongestNotesReason));
  }
  const auto pages = answer->find("pages");
  const bool is_good = pages != answer->end() && pages->is_array() &&
                       pages->size() <= sail::kMaxNotedPages &&
                       std::ranges::all_of(*pages, is_page_notes);
  if (!is_good) return unknown_notes();
  return std::move(*pages);
}

void SpeakerNotes::read(const std::string& path, Done done) {
  if (!sail::names_office_document(path)) return done(sail::Json::array());
  if (waiting_.size() >= kMostWaiting) {
    return done(sail::fail(sail::ErrorCode::kLimit,
                           "too many requests for speaker's notes wait: try again"));
  }
  waiting_.push_back({path, std::move(done)});
  start_next();
}

void SpeakerNotes::start_next() {
  while (running_ < kMostAtOnce && !waiting_.empty()) {
    const Job job = std::move(waiting_.front());
    waiting_.pop_front();
    ++running_;
    const auto started = runs_.start(
        {"--notes"}, {job.path}, kLongestNotes,
        [this, done = job.done](const sail::Result<void>& end, std::string_view output) {
          --running_;
          done(end ? parse_speaker_notes(output) : sail::Result<sail::Json>(unknown_notes()));
          start_next();
        });
    if (started) continue;
    --running_;
    job.done(started.error());
  }
}

}  // namespace manager
