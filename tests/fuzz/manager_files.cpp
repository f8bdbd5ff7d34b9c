// Documents that the manager keeps, and requests to keep an upload.
#include <cstdlib>
#include <string_view>

#include "manager/events/active_events.h"
#include "manager/files/saved_files.h"
#include "manager/media/playlists.h"
#include "manager/media/source_library.h"
#include "manager/media/upload_rules.h"
#include "manager/peers/pending_power.h"
#include "manager/rights/object_rights.h"
#include "manager/sessions/saved_wall.h"
#include "manager/sessions/window_match.h"
#include "manager/tours/tour_plan.h"
#include "sail/core/auth/people.h"
#include "sail/core/calendar/schedule_run.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "tests/fuzz/fuzz.h"

// A saved layout or session. Writing it and reading it back must give the same value.
FUZZ_TARGET(saved_wall) {
  using namespace manager;
  const auto document =
      sail::parse_json({reinterpret_cast<const char*>(data), size}, SavedFiles::kMostBytes);
  if (!document) return 0;
  for (const SavedKind kind : {SavedKind::kLayout, SavedKind::kSession}) {
    const auto wall = saved_wall_from_json(*document, kind);
    if (!wall) {
      fuzz::require(!wall.error().message.empty(), "a refusal says why");
      continue;
    }
    fuzz::require(wall->windows.size() <= sail::kMaxWindows, "windows have a bound");
    fuzz::require(!is_newer(*document), "a newer version is refused");
    const sail::Json written = to_json(*wall, kind);
    const auto again = saved_wall_from_json(written, kind);
    fuzz::require(again.has_value(), "what was written can be read");
    fuzz::require(to_json(*again, kind) == written, "it reads back as what it was");
    const sail::Size smaller{640, 360};
    const SavedWall on_smaller = on_wall_of(*wall, smaller);
    for (const Partition& partition : on_smaller.partitions.all()) {
      fuzz::require(
          partition.rect.right() <= smaller.width && partition.rect.bottom() <= smaller.height,
          "partitions lie on the wall");
    }
    match_windows(wall->windows, WindowStack());
  }
  return 0;
}

namespace {

void read_people(const sail::Json& document) {
  const auto people = sail::People::read(document);
  if (!people) return fuzz::require(!people.error().message.empty(), "a refusal says why");
  fuzz::require(people->all().size() <= sail::People::kMostPeople, "people have a bound");
  for (const auto& [name, person] : people->all()) {
    fuzz::require(sail::is_persons_name(name), "names are of people");
    fuzz::require(person.right != sail::Right::kNone, "each may something");
  }
  const auto again = sail::People::read(people->json());
  fuzz::require(again && again->json() == people->json(), "what was written is read as it was");
}

void read_urls(const sail::Json& document) {
  const auto urls = manager::urls_from_json(document);
  if (!urls) return fuzz::require(!urls.error().message.empty(), "a refusal says why");
  sail::Json written = sail::Json::array();
  for (const manager::Source& url : *urls) {
    fuzz::require(url.title.size() <= sail::kMaxTitleLength, "titles have a bound");
    written.push_back({{"url", url.media}, {"title", url.title}});
  }
  const auto again = manager::urls_from_json(written);
  fuzz::require(again && again->size() == urls->size(), "what was written is read again");
  for (size_t i = 0; i < urls->size(); ++i) {
    fuzz::require((*again)[i].media == (*urls)[i].media && (*again)[i].title == (*urls)[i].title,
                  "and as it was");
  }
}

void read_playlists(const sail::Json& document) {
  const auto lists = manager::playlists_from_json(document);
  if (!lists) return fuzz::require(!lists.error().message.empty(), "a refusal says why");
  fuzz::require(lists->size() <= manager::kMostPlaylists, "playlists have a bound");
  const sail::Json written = manager::playlists_json(*lists);
  const auto again = manager::playlists_from_json(written);
  fuzz::require(again && manager::playlists_json(*again) == written,
                "what was written is read as it was");
}

void read_power(const sail::Json& document) {
  const auto orders = manager::power_orders_from_json(document);
  if (!orders) return fuzz::require(!orders.error().message.empty(), "a refusal says why");
  fuzz::require(orders->size() <= sail::kMaxTiles, "orders have a bound");
  const auto again = manager::power_orders_from_json(manager::to_json(*orders));
  fuzz::require(again && *again == *orders, "what was written is read as it was");
}

void read_rights(const sail::Json& document) {
  const auto rights = manager::saved_rights_from_json(document);
  if (!rights) return fuzz::require(!rights.error().message.empty(), "a refusal says why");
  fuzz::require(rights->locks.size() <= manager::kMostObjectLocks, "locks have a bound");
  const sail::Json written = manager::to_json(*rights);
  const auto again = manager::saved_rights_from_json(written);
  fuzz::require(again && manager::to_json(*again) == written, "what was written is read as it was");
}

void read_tour(const sail::Json& document) {
  const auto tour = manager::saved_tour_from_json(document);
  if (!tour) return fuzz::require(!tour.error().message.empty(), "a refusal says why");
  fuzz::require(tour->plan.cells() <= manager::kMostTourCells, "cells have a bound");
  const sail::Json written = manager::to_json(*tour);
  const auto again = manager::saved_tour_from_json(written);
  fuzz::require(again && manager::to_json(*again) == written, "what was written is read as it was");
}

void read_events(const sail::Json& document) {
  const auto events = manager::active_events_from_json(document, {});
  if (!events) return fuzz::require(!events.error().message.empty(), "a refusal says why");
  fuzz::require(events->all().size() <= sail::kMaxActiveEvents, "active events have a bound");
  fuzz::require(events->shown().size() <= events->all().size(), "of these some are shown");
}

void read_schedule(const sail::Json& document) {
  const auto schedule = sail::saved_schedule_from_json(document);
  if (!schedule) return fuzz::require(!schedule.error().message.empty(), "a refusal says why");
  fuzz::require(schedule->schedule.all().size() <= sail::kMaxScheduleEntries, "it has a bound");
}

sail::Json written_history(const manager::SavedHistory& saved) {
  manager::History history;
  history.adopt(saved.entries, saved.done);
  return manager::to_json(history);
}

void read_history(const sail::Json& document) {
  auto history = manager::saved_history_from_json(document);
  if (!history) return fuzz::require(!history.error().message.empty(), "a refusal says why");
  fuzz::require(history->entries.size() <= manager::History::kMostEntries, "steps have a bound");
  fuzz::require(history->done <= history->entries.size(), "only steps of the history are done");
  const sail::Json written = written_history(*history);
  const auto again = manager::saved_history_from_json(written);
  fuzz::require(again && written_history(*again) == written, "what was written is read as it was");
  uint32_t last = 0;
  manager::renumber(*history, {}, [&last] { return ++last; });
  for (const manager::HistoryEntry& entry : history->entries) {
    for (const uint32_t window : entry.stack) {
      fuzz::require(window > 0 && window <= last, "windows have new numbers");
    }
  }
}

}  // namespace

// What the manager keeps in its journal for a standby and in the files of both: the undo history,
// people, saved URLs, playlists, pending orders to displays, rights on objects, the schedule, tours
// and active events.
FUZZ_TARGET(kept_document) {
  const auto document =
      sail::parse_json({reinterpret_cast<const char*>(data), size}, sail::kMaxControlLine);
  if (!document) return 0;
  read_people(*document);
  read_urls(*document);
  read_power(*document);
  read_playlists(*document);
  read_rights(*document);
  read_schedule(*document);
  read_tour(*document);
  read_events(*document);
  read_history(*document);
  return 0;
}

namespace {

void check_name(std::string_view given) {
  using namespace manager;
  const std::string name = clean_file_name(given);
  fuzz::require(!name.empty() && name.size() <= kLongestUploadName, "a name is a name");
  fuzz::require(name.find_first_of("/\\<>:\"|?*") == std::string::npos, "a name is no path");
  fuzz::require(name.front() != '.' && name.front() != ' ', "a name is not hidden");
  fuzz::require(!sail::name_mistake(name), "a name is what it seems");
  fuzz::require(renamed("film.mp4", given).size() <= kLongestUploadName, "a new name is a name");
  fuzz::require(clean_file_name(name) == name, "a clean name stays as it is");
}

}  // namespace

// Upload-Metadata of an upload request. The file name in it must not lead out of the upload folder.
FUZZ_TARGET(upload_request) {
  const std::string_view header(reinterpret_cast<const char*>(data), size);
  check_name(header);
  if (const auto name = manager::upload_metadata(header, "filename")) {
    fuzz::require(name->size() <= size, "decoding makes nothing longer");
    check_name(*name);
  }
  if (const auto number = manager::upload_number(header)) {
    fuzz::require(*number <= 999'999'999'999'999, "a number has at most 15 digits");
  }
  return 0;
}
