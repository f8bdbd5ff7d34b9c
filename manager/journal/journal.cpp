#include "manager/journal/journal.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "manager/desk/desk.h"
#include "manager/journal/journal_writer.h"
#include "sail/core/text/text.h"
#include "sail/core/time/clock.h"
#include "sail/core/wire/rpc.h"

namespace manager {
namespace {

constexpr size_t kMostParameterBytes = 1024;
// "resume" of open_stream has the stream's secret, too.
constexpr const char* kSecrets[] = {"stored_key", "listener_key", "secret", "resume"};

// The present as JSON text, in seconds since 1970.
std::string now_text() {
  const int64_t now_ms = sail::calendar_now_ns() / 1'000'000;
  return fmt::format("{}.{:03}", now_ms / 1000, now_ms % 1000);
}

// The address of a camera without its login, also if it is not a valid URL.
std::string without_login(const std::string& device) {
  const size_t at = device.rfind('@');
  if (at == std::string::npos) return device;
  size_t begin = 0;
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (device.starts_with(scheme)) begin = scheme.size();
  }
  return device.substr(0, begin) + "…" + device.substr(at);
}

sail::Json without_secrets(sail::Json params) {
  for (const char* secret : kSecrets) params.erase(secret);
  const auto device = params.find("device");
  if (device != params.end() && device->is_string()) {
    *device = without_login(device->get<std::string>());
  }
  return params;
}

// Returns the JSON text of the parameters without passwords. If they are long, it is a string.
std::string shown_parameters(const sail::Json& params) {
  const bool has_secret =
      params.contains("device") || std::ranges::any_of(kSecrets, [&params](const char* secret) {
        return params.contains(secret);
      });
  const std::string whole = sail::compact_text(has_secret ? without_secrets(params) : params);
  std::string text = sail::without_passwords(whole);
  if (text.size() > kMostParameterBytes) {
    return sail::quoted_text(sail::make_plain_text(text, kMostParameterBytes));
  }
  const bool is_json = text == whole || sail::parse_json(text, kMostParameterBytes);
  return is_json ? text : sail::quoted_text(text);
}

// Empty: nothing is kept.
std::filesystem::path past_folder(const std::filesystem::path& state_folder) {
  return state_folder.empty() ? state_folder : state_folder / "past-layouts";
}

}  // namespace

Journal::Journal(sail::Loop& loop, const std::filesystem::path& state_folder, const Desk& desk,
                 const sail::Log& log)
    : loop_(loop),
      desk_(desk),
      folder_(state_folder / "journal"),
      reader_(std::make_shared<JournalReader>(folder_)),
      changes_(desk.arrangement()),
      next_turn_(loop),
      past_(loop, past_folder(state_folder), desk, log) {
  if (state_folder.empty()) return;
  writer_ = std::make_shared<JournalWriter>(JournalWriter::Options{.folder = folder_}, log);
  writer_->add(now_text(), R"("verb":"start")");
  in_background<JournalPage>(
      [reader = reader_] {
        reader->prepare();
        return JournalPage();
      },
      [](const JournalPage&) {});
}

uint64_t Journal::newest_step() const {
  const auto& entries = desk_.arrangement().history().entries();
  return entries.empty() ? 0 : entries.back().number;
}

void Journal::await_end_of_turn() {
  if (std::exchange(in_turn_, true)) return;
  next_turn_.start(0, 0, [this] {
    in_turn_ = false;
    write_answered();
    changes_.end_turn();
  });
}

void Journal::wall_changed(const Touched& touched) {
  if (!writer_) return;
  changes_.wall_changed(touched);
  write_answered();
  past_.wall_changed();
}

void Journal::write(const NewEntry& entry) {
  std::string changed = entry.verb ? changes_.text(*entry.verb, entry.named) : "";
  // Before the parameters, so that those cannot be mistaken for it: see for_each_term().
  if (!changed.empty()) changed = fmt::format(R"("changed":{},)", changed);
  writer_->add(entry.at, changed + entry.fields + entry.windows);
}

void Journal::write_answered() {
  for (const NewEntry& entry : std::exchange(answered_, {})) write(entry);
}

sail::VerbNote Journal::note(sail::ServicePeer& peer, const char* verb, const sail::Json& params) {
  if (!writer_) return [](const auto&) {};
  const sail::Role role = *peer.role();
  // Shared, because the function is copied with the reply.
  const auto entry = std::make_shared<NewEntry>();
  entry->at = now_text();
  const std::string shown = shown_parameters(params);
  entry->fields = fmt::format(R"("from":{},"params":{},"role":"{}","verb":"{}","who":{})",
                              sail::quoted_text(peer.rpc().peer_address().host), shown,
                              role == sail::Role::kUi ? right_name(peer.right()) : role_name(role),
                              verb, sail::quoted_text(peer.name()));
  if (!peer.key_name().empty()) {
    entry->fields += fmt::format(R"(,"key":{})", sail::quoted_text(peer.key_name()));
  }
  entry->named = named_windows(params);
  if (shown.starts_with('"')) {
    entry->windows = fmt::format(R"(,"windows":{})", sail::compact_text(entry->named));
  }
  await_end_of_turn();
  entry->verb = changes_.begin(role != sail::Role::kUi);
  return [this, client = peer.id(), before = newest_step(), dragged = params.contains("gesture"),
          entry](const sail::Result<sail::Json>& answer) {
    NewEntry done = std::move(*entry);
    // The first step of a drag is in the journal; its other steps belong to the same undo step.
    if (answer && dragged && newest_step() == before) return;
    // The beginning of an event is in the journal. Its repetitions may be very many.
    if (answer && answer->is_object() && answer->value("outcome", sail::Json()) == "prolonged")
      return;
    if (!answer) {
      done.verb = nullptr;
      done.fields += fmt::format(R"(,"error":"{}")", sail::error_name(answer.error().code));
    } else {
      std::ranges::copy(named_windows(*answer), std::back_inserter(done.named));
      if (newest_step() > before) {
        const HistoryEntry& step = desk_.arrangement().history().entries().back();
        if (step.author.client == client) {
          done.fields += fmt::format(R"(,"did":{})", sail::quoted_text(step.what));
        }
      }
    }
    if (desk_.is_changing()) {
      answered_.push_back(std::move(done));
      await_end_of_turn();
    } else {
      write(done);
    }
  };
}

template <typename Page>
void Journal::in_background(std::function<Page()> work, std::function<void(Page)> done) {
  if (!writer_) return done({});
  write_answered();
  const auto page = std::make_shared<Page>();
  const auto place = reads_.insert(reads_.end(), nullptr);
  *place = sail::in_background(
      loop_,
      [page, work = std::move(work), writer = writer_] {
        writer->flush();
        *page = work();
      },
      [this, place, page, done = std::move(done)] {
        const auto read = std::move(*place);
        reads_.erase(place);
        done(std::move(*page));
      });
}

void Journal::read(const JournalQuery& query, std::function<void(JournalPage)> done) {
  in_background<JournalPage>([query, reader = reader_] { return reader->read(query); },
                             std::move(done));
}

void Journal::check(uint64_t before, std::function<void(JournalCheck)> done) {
  const JournalEnd end = writer_ ? writer_->end() : JournalEnd();
  in_background<JournalCheck>(
      [before, end, writer = writer_, folder = folder_] {
        return check_journal(folder, before, writer->trouble().empty() ? end : writer->end());
      },
      std::move(done));
}

void Journal::layout_at(double at, std::function<void(sail::Result<sail::Json>)> done) {
  const auto writer = past_.note();
  if (!writer) {
    return done(sail::fail(sail::ErrorCode::kNotFound,
                           "nothing is kept of the wall: start the manager with --state"));
  }
  in_background<sail::Result<sail::Json>>(
      [at, writer, folder = past_folder(folder_.parent_path())] {
        writer->flush();
        return manager::layout_at(folder, at);
      },
      std::move(done));
}

}  // namespace manager
