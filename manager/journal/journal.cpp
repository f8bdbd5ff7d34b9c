#include "manager/journal/journal.h"

#include <chrono>
#include <string_view>
#include <utility>

#include "manager/desk/desk.h"
#include "manager/journal/journal_writer.h"
#include "sail/core/text/text.h"

namespace manager {
namespace {

constexpr size_t kMostParameterBytes = 1024;

double seconds_since_1970() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<double>(std::chrono::duration_cast<std::chrono::milliseconds>(now).count()) /
         1000;
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

// Returns the parameters without passwords, as text if they are long.
sail::Json shown_parameters(sail::Json params) {
  for (const char* secret : {"stored_key", "listener_key", "secret"}) params.erase(secret);
  const auto device = params.find("device");
  if (device != params.end() && device->is_string()) {
    *device = without_login(device->get<std::string>());
  }
  const std::string whole = params.dump(-1, ' ', false, sail::Json::error_handler_t::replace);
  const std::string text = sail::without_passwords(whole);
  if (text.size() > kMostParameterBytes) return sail::make_plain_text(text, kMostParameterBytes);
  if (text == whole) return params;
  auto shown = sail::parse_json(text, kMostParameterBytes);
  return shown ? *shown : sail::Json(text);
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
      past_(loop, past_folder(state_folder), desk, log) {
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
  if (entry["params"].is_string()) entry["windows"] = named_windows(params);
  if (!peer.key_name().empty()) entry["key"] = peer.key_name();
  return [this, client = peer.id(), before = newest_step(), dragged = params.contains("gesture"),
          entry = std::move(entry)](const sail::Result<sail::Json>& answer) mutable {
    // The first step of a drag is in the journal; its other steps belong to the same undo step.
    if (answer && dragged && newest_step() == before) return;
    // The beginning of an event is in the journal. Its repetitions may be very many.
    if (answer && answer->is_object() && answer->value("outcome", sail::Json()) == "prolonged")
      return;
    if (!answer) {
      entry["error"] = sail::error_name(answer.error().code);
    } else if (newest_step() > before) {
      const HistoryEntry& step = desk_.arrangement().history().entries().back();
      if (step.author.client == client) entry["did"] = step.what;
    }
    writer_->add(std::move(entry));
  };
}

template <typename Page>
void Journal::in_background(std::function<Page()> work, std::function<void(Page)> done) {
  if (!writer_) return done({});
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
      [before, end, folder = folder_] { return check_journal(folder, before, end); },
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
