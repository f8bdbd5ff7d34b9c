// Facts about a file, as told by a program that reads untrusted files in a sandbox. The file may
// control that program.
#include <string_view>

#include "manager/media/media_facts.h"
#include "sail/core/text/text.h"
#include "sail/media/film/stored_facts.h"
#include "tests/fuzz/fuzz.h"

FUZZ_TARGET(probe_answer) {
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  if (const auto film = sail::read_stored_facts(line)) {
    fuzz::require(film->size.width > 0 && film->size.height > 0, "a film has a size");
    fuzz::require(film->duration_ns >= 0 && film->fps >= 0, "times do not run backwards");
    std::string again = sail::stored_facts_line(film);
    again.pop_back();
    const auto same = sail::read_stored_facts(again);
    fuzz::require(same && sail::stored_facts_line(same) == again + '\n',
                  "facts are read as they were written");
  } else {
    fuzz::require(!film.error().message.empty(), "a refusal says why");
  }
  const auto facts = manager::parse_media_facts(line);
  if (!facts) {
    fuzz::require(!facts.error().message.empty(), "a refusal says why");
    return 0;
  }
  fuzz::require(!facts->size || (facts->size->width > 0 && facts->size->height > 0),
                "a picture has a size");
  fuzz::require(sail::is_plain_text(facts->unplayable), "a reason is plain text");
  return 0;
}
