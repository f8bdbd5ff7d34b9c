#include "manager/journal/journal.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "manager/desk/desk.h"
#include "manager/journal/journal_writer.h"
#include "sail/core/auth/proof.h"
#include "sail/core/base/private_file.h"
#include "sail/core/text/text.h"

namespace manager {
namespace {

using sail::Json;

constexpr size_t kMostFileBytes = 64 << 20;
constexpr size_t kMostEntryBytes = 64 << 10;
constexpr size_t kMostReadBytes = 256 << 20;  // read for a page, so that its time is bounded
constexpr size_t kMostBroken = 100;

std::string text_in(const Json& entry, const char* name) {
  const auto found = entry.find(name);
  return found != entry.end() && found->is_string() ? found->get<std::string>() : "";
}

double number_in(const Json& entry, const char* name) {
  const auto found = entry.find(name);
  return found != entry.end() && found->is_number() ? found->get<double>() : 0;
}

bool names_window(const Json& entry, uint32_t window) {
  const auto params = entry.find("params");
  if (params == entry.end() || !params->is_object()) return false;
  if (number_in(*params, "window") == window || number_in(*params, "other") == window) return true;
  const auto list = params->find("windows");
  if (list == params->end() || !list->is_array()) return false;
  return std::ranges::any_of(*list, [window](const Json& one) {
    return one.is_object() ? number_in(one, "window") == window : one == Json(window);
  });
}

bool matches(const Json& entry, const JournalQuery& query) {
  const bool person = query.person.empty() || text_in(entry, "who") == query.person ||
                      text_in(entry, "key") == query.person;
  return person && (query.verb.empty() || text_in(entry, "verb") == query.verb) &&
         (query.window == 0 || names_window(entry, query.window));
}

// The fields that every entry has, as the writer writes them: with sorted names.
struct Link {
  double at = 0;
  uint64_t number = 0;
  std::string_view prev;  // hash of the line before
};

template <typename Number>
bool read_number(std::string_view text, Number& number) {
  return std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc();
}

// Reads them without parsing the line, because a month has half a million lines. "n" stands before
// all objects, and "prev" behind them, so their names cannot be those of a verb's parameters.
std::optional<Link> link_of(std::string_view line) {
  constexpr std::string_view kAt = "{\"at\":", kNumber = "\"n\":", kPrev = "\"prev\":\"";
  const size_t number_at = line.find(kNumber);
  const size_t prev_at = line.rfind(kPrev);
  if (!line.starts_with(kAt) || number_at == line.npos || prev_at == line.npos) return std::nullopt;
  Link link;
  const std::string_view rest = line.substr(prev_at + kPrev.size());
  link.prev = rest.substr(0, rest.find('"'));
  const bool read = read_number(line.substr(kAt.size()), link.at) &&
                    read_number(line.substr(number_at + kNumber.size()), link.number);
  return read ? std::optional(link) : std::nullopt;
}

// Reads the lines backwards, from the last one. Parses only those that may match.
class BackwardReader {
 public:
  explicit BackwardReader(const JournalQuery& query) : query_(query) {
    const auto quoted = [](const std::string& text) {
      return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
    };
    if (!query.person.empty()) texts_.push_back(quoted(query.person));
    if (!query.verb.empty()) texts_.push_back("\"verb\":" + quoted(query.verb));
    if (query.window != 0) texts_.push_back(std::to_string(query.window));
  }

  // Returns false once the page is complete.
  bool read_file(std::string_view text, uint64_t first) {
    if (text.ends_with('\n')) text.remove_suffix(1);
    auto number = first + static_cast<uint64_t>(std::ranges::count(text, '\n'));
    while (true) {
      const void* end = memrchr(text.data(), '\n', text.size());
      if (end == nullptr) return read_line(text, number);
      const auto before = static_cast<size_t>(static_cast<const char*>(end) - text.data());
      if (!read_line(text.substr(before + 1), number--)) return false;
      text = text.substr(0, before);
    }
  }
  JournalPage take() { return std::move(page_); }

 private:
  bool read_line(std::string_view line, uint64_t number) {
    if (number > query_.before) return true;
    const auto link = link_of(line);
    const auto wanted =
        std::exchange(wanted_hash_, link ? std::optional<std::string>(link->prev) : std::nullopt);
    if (number == query_.before) return true;
    if (page_.newest == 0) page_.newest = number;
    page_.oldest = number;
    if (link && link->at < query_.since) return false;
    auto entry = link && may_match(line) ? sail::parse_json(line, kMostEntryBytes) : Json::object();
    const bool is_broken = !link || link->number != number || !entry || !entry->is_object() ||
                           (wanted && *wanted != sail::sha256_text(line));
    if (is_broken && page_.broken.size() < kMostBroken) page_.broken.push_back(number);
    if (entry && !entry->empty() && matches(*entry, query_)) {
      page_.entries.push_back(*std::move(entry));
    }
    read_ += line.size();
    const bool full = page_.entries.size() >= query_.count || read_ > kMostReadBytes;
    if (full && number > 1) page_.next = number;
    return !full;
  }

  bool may_match(std::string_view line) const {
    return std::ranges::all_of(
        texts_, [line](const std::string& text) { return line.find(text) != line.npos; });
  }

  const JournalQuery& query_;
  std::vector<std::string> texts_;  // Lines without these texts do not match.
  JournalPage page_;
  std::optional<std::string> wanted_hash_;  // hash of the line before; empty: unknown
  size_t read_ = 0;
};

}  // namespace

JournalPage read_journal(const std::filesystem::path& folder, const JournalQuery& query) {
  BackwardReader reader(query);
  const std::vector<JournalFile> files = journal_files(folder);
  for (size_t i = files.size(); i-- > 0;) {
    if (files[i].first > query.before) continue;
    const auto text = sail::read_file(files[i].path, kMostFileBytes);
    if (!text || !reader.read_file(*text, files[i].first)) break;
  }
  return reader.take();
}

namespace {

constexpr size_t kMostParameterBytes = 1024;

double seconds_since_1970() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<double>(std::chrono::duration_cast<std::chrono::milliseconds>(now).count()) /
         1000;
}

// Returns the parameters without passwords, as text if they are long.
sail::Json shown_parameters(sail::Json params) {
  for (const char* secret : {"stored_key", "listener_key", "secret"}) params.erase(secret);
  const std::string whole = params.dump(-1, ' ', false, sail::Json::error_handler_t::replace);
  const std::string text = sail::without_passwords(whole);
  if (text.size() > kMostParameterBytes) return sail::make_plain_text(text, kMostParameterBytes);
  if (text == whole) return params;
  auto shown = sail::parse_json(text, kMostParameterBytes);
  return shown ? *shown : sail::Json(text);
}

}  // namespace

Journal::Journal(sail::Loop& loop, const std::filesystem::path& state_folder, const Desk& desk,
                 const sail::Log& log)
    : loop_(loop), desk_(desk), folder_(state_folder / "journal") {
  if (state_folder.empty()) return;
  writer_ = std::make_shared<JournalWriter>(JournalWriter::Options{.folder = folder_}, log);
  writer_->add({{"at", seconds_since_1970()}, {"verb", "start"}});
}

uint64_t Journal::newest_step() const {
  const auto& entries = desk_.arrangement().history().entries();
  return entries.empty() ? 0 : entries.back().number;
}

sail::VerbNote Journal::note(sail::ServicePeer& peer, const char* verb, const sail::Json& params) {
  if (!writer_) return [](const auto&) {};
  const sail::Role role = *peer.role();
  sail::Json entry = {
      {"at", seconds_since_1970()},
      {"who", peer.name()},
      {"role", role == sail::Role::kUi ? right_name(peer.right()) : role_name(role)},
      {"from", peer.rpc().peer_address().host},
      {"verb", verb},
      {"params", shown_parameters(params)}};
  if (!peer.key_name().empty()) entry["key"] = peer.key_name();
  return [this, client = peer.id(), before = newest_step(), dragged = params.contains("gesture"),
          entry = std::move(entry)](const sail::Result<sail::Json>& answer) mutable {
    // The first step of a drag is in the journal; its other steps belong to the same undo step.
    if (answer && dragged && newest_step() == before) return;
    // The beginning of an event is in the journal. Its repetitions may be very many.
    if (answer && text_in(*answer, "outcome") == "prolonged") return;
    if (!answer) {
      entry["error"] = sail::error_name(answer.error().code);
    } else if (newest_step() > before) {
      const HistoryEntry& step = desk_.arrangement().history().entries().back();
      if (step.author.client == client) entry["did"] = step.what;
    }
    writer_->add(std::move(entry));
  };
}

void Journal::read(const JournalQuery& query, std::function<void(JournalPage)> done) {
  if (!writer_) return done({});
  const auto page = std::make_shared<JournalPage>();
  const auto place = reads_.insert(reads_.end(), nullptr);
  *place = sail::in_background(
      loop_,
      [page, query, folder = folder_, writer = writer_] {
        writer->flush();
        *page = read_journal(folder, query);
      },
      [this, place, page, done = std::move(done)] {
        const auto read = std::move(*place);
        reads_.erase(place);
        done(std::move(*page));
      });
}

}  // namespace manager
