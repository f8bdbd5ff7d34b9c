#include "sail/server/librarian.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "sail/wire/text.h"

namespace server {
namespace {

constexpr size_t kMaxQuestions = 64;
constexpr std::chrono::hours kLong(1);

bool holds(const std::string& title, const std::string& search) {
  return sail::lower(title).find(sail::lower(search)) != std::string::npos;
}

}  // namespace

Librarian::Librarian(sail::Loop& loop, const Library& library)
    : loop_(loop), library_(library), questions_(kMaxQuestions), thread_([this] { run(); }) {}

Librarian::~Librarian() {
  ending_ = true;
  questions_.push({});
  thread_.join();
}

void Librarian::list(TitlesRequest request, Answer answer) {
  auto dropped = questions_.push({std::move(request), std::move(answer)});
  if (!dropped) return;
  loop_.post([answer = std::move(dropped->answer)] {
    answer(sail::fail(sail::ErrorCode::kLimit, "too many ask for titles at once: ask again"));
  });
}

void Librarian::run() {
  while (!ending_) {
    const auto question = questions_.pop(kLong);
    if (!question || ending_) continue;
    auto titles = std::make_shared<Titles>(look(question->request));
    loop_.post([answer = question->answer, titles] { answer(std::move(*titles)); });
  }
}

Titles Librarian::look(const TitlesRequest& request) {
  const std::vector<std::string> titles = library_.titles();
  forget_unseen(titles);
  Titles found;
  auto title = std::upper_bound(titles.begin(), titles.end(), request.after);
  if (request.after.empty()) title = titles.begin();
  for (; title != titles.end() && !ending_; ++title) {
    if (!holds(*title, request.search)) continue;
    const std::optional<FilmFacts>& facts = facts_of(*title);
    if (!facts) continue;
    found.more = found.entries.size() == kMaxTitlesAnswered;
    if (found.more) break;
    found.entries.push_back({*title, *facts});
  }
  return found;
}

const std::optional<FilmFacts>& Librarian::facts_of(const std::string& title) {
  std::error_code ignored;
  const std::filesystem::path path = library_.find(title).value_or("");
  const auto changed = std::filesystem::last_write_time(path, ignored);
  const uintmax_t bytes = std::filesystem::file_size(path, ignored);
  const auto [it, added] = known_.try_emplace(title);
  Known& known = it->second;
  if (!added && known.changed == changed && known.bytes == bytes) return known.facts;
  known = {.changed = changed, .bytes = bytes, .facts = {}};
  if (auto facts = film_facts(library_, title)) known.facts = std::move(*facts);
  return known.facts;
}

void Librarian::forget_unseen(const std::vector<std::string>& titles) {
  std::erase_if(known_, [&](const auto& known) {
    return !std::binary_search(titles.begin(), titles.end(), known.first);
  });
}

}  // namespace server
