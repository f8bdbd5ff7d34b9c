// People and saved URLs in the manager's journal for a standby, and in the files of both.
#include <string_view>

#include "manager/media/source_library.h"
#include "sail/core/auth/people.h"
#include "sail/core/text/limits.h"
#include "tests/fuzz/fuzz.h"

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

}  // namespace

FUZZ_TARGET(kept_document) {
  const auto document =
      sail::parse_json({reinterpret_cast<const char*>(data), size}, sail::kMaxControlLine);
  if (!document) return 0;
  read_people(*document);
  read_urls(*document);
  return 0;
}
