#include "manager/journal/journal_writer.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <iterator>
#include <utility>

#include "sail/core/auth/proof.h"
#include "sail/core/base/private_file.h"
#include "sail/core/wire/rpc.h"

namespace manager {
namespace {

constexpr const char* kJournalSuffix = ".jsonl";
constexpr std::chrono::seconds kRetry{1};         // after a failed write
constexpr std::chrono::milliseconds kGather{20};  // entries that are written together

bool write_whole(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return fdatasync(file) == 0;
}

int64_t file_age_s(const std::filesystem::path& path) {
  std::error_code error;
  const auto written = std::filesystem::last_write_time(path, error);
  if (error) return 0;
  const auto age = std::filesystem::file_time_type::clock::now() - written;
  return std::chrono::duration_cast<std::chrono::seconds>(age).count();
}

}  // namespace

JournalWriter::JournalWriter(Options options, const sail::Log& log)
    : options_(std::move(options)), log_(log) {
  if (const auto made = sail::make_private_folder(options_.folder); !made) {
    log_.error("cannot keep the journal: {}", made.error().message);
  }
  resume();
  thread_ = std::thread([this] { run(); });
  compression_ = std::thread([this] { run_compression(); });
}

JournalWriter::~JournalWriter() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  thread_.join();
  compression_.join();
  if (file_ >= 0) close(file_);
}

void JournalWriter::resume() {
  for (std::vector<JournalFile> files = journal_files(options_.folder); !files.empty();
       files.pop_back()) {
    const auto& [path, first] = files.back();
    const auto text = read_journal_text(files.back(), options_.file_bytes + kMostPending);
    if (!text) {
      const auto aside = sail::set_aside(path);
      log_.error("cannot continue the journal: {}; {}", text.error().message,
                 aside ? "the file is kept as " + aside->string() : aside.error().message);
      ++lost_;  // the next entry contains this number
      continue;
    }
    const size_t whole = text->rfind('\n') + 1;  // npos + 1 is 0
    std::error_code error;
    if (whole == 0) {
      std::filesystem::remove(path, error);
      continue;
    }
    const bool compressed = files.back().compressed();  // There are no newer files any more.
    if (whole < text->size() && !compressed) std::filesystem::resize_file(path, whole, error);
    const std::string_view lines = std::string_view(*text).substr(0, whole - 1);
    last_hash_ = sail::sha256_text(lines.substr(lines.rfind('\n') + 1));
    next_ = first + static_cast<uint64_t>(std::ranges::count(lines, '\n')) + 1;
    on_disk_ = next_;
    if (compressed) return;
    file_ = open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    size_ = whole;
    return;
  }
}

void JournalWriter::add(std::string_view at, std::string_view fields) {
  bool first = false;
  {
    const std::lock_guard lock(mutex_);
    if (pending_.size() > kMostPending) {
      ++lost_;
      return;
    }
    first = pending_.empty();
    if (first) first_pending_ = next_;
    const size_t begin = pending_.size();
    // link_of() in journal_reader.cpp depends on the places of "at", "n" and "prev".
    const auto to = std::back_inserter(pending_);
    fmt::format_to(to, R"({{"at":{},"n":{},)", at, next_++);
    if (lost_ > 0) fmt::format_to(to, R"("lost":{},)", std::exchange(lost_, 0));
    fmt::format_to(to, R"({},"prev":"{}"}})", fields, last_hash_);
    last_hash_ = sail::sha256_text(std::string_view(pending_).substr(begin));
    pending_ += '\n';
  }
  if (first) wake_.notify_all();
}

void JournalWriter::add(sail::Json entry) {
  const std::string at = sail::compact_text(entry["at"]);
  entry.erase("at");
  const std::string whole = sail::compact_text(entry);
  add(at, std::string_view(whole).substr(1, whole.size() - 2));
}

JournalEnd JournalWriter::end() {
  const std::lock_guard lock(mutex_);
  if (!trouble_.empty()) return {.next = on_disk_};
  return {next_, last_hash_};
}

std::string JournalWriter::trouble() {
  const std::lock_guard lock(mutex_);
  return trouble_;
}

void JournalWriter::flush() {
  std::unique_lock lock(mutex_);
  flushing_ = true;
  wake_.notify_all();
  written_.wait(lock, [this, wanted = next_] { return !trouble_.empty() || on_disk_ >= wanted; });
}

void JournalWriter::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return ending_ || !pending_.empty(); });
    if (pending_.empty()) return;
    wake_.wait_for(lock, kGather, [this] { return ending_ || flushing_; });
    flushing_ = false;
    const std::string batch = std::exchange(pending_, {});
    const uint64_t first = first_pending_;
    const uint64_t behind = next_;
    while (true) {
      lock.unlock();
      const bool done = write(batch, first);
      const std::string why = done ? "" : std::strerror(errno);
      lock.lock();
      if (!done && trouble_.empty()) {
        trouble_ = fmt::format("cannot write to {}: {}", options_.folder.string(), why);
        log_.error("{}", trouble_);
      }
      if (done) trouble_.clear();
      if (done) on_disk_ = behind;
      written_.notify_all();
      if (done || ending_) break;
      wake_.wait_for(lock, kRetry, [this] { return ending_; });
    }
  }
}

bool JournalWriter::write(std::string_view lines, uint64_t first) {
  const bool full = size_ > 0 && size_ + lines.size() > options_.file_bytes;
  if ((file_ < 0 || full) && !open_file(first)) return false;
  if (write_whole(file_, lines)) {
    size_ += lines.size();
    return true;
  }
  const int why = errno;
  // Part of the lines may be in the file: removes it, because the next try writes all lines.
  (void)!ftruncate(file_, static_cast<off_t>(size_));
  errno = why;
  return false;
}

bool JournalWriter::open_file(uint64_t first) {
  constexpr mode_t kOwnerOnly = S_IRUSR | S_IWUSR;
  const auto path = options_.folder / fmt::format("{:012}{}", first, kJournalSuffix);
  const int opened = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, kOwnerOnly);
  if (opened < 0) return false;
  if (file_ >= 0) close(file_);
  file_ = opened;
  size_ = 0;
  remove_old();
  {
    const std::lock_guard lock(mutex_);
    has_new_file_ = true;
  }
  wake_.notify_all();
  return true;
}

// The newest file always stays.
void JournalWriter::remove_old() const {
  std::vector<JournalFile> files = journal_files(options_.folder);
  uint64_t bytes = 0;
  bool too_old = false;
  for (size_t i = files.size(); i-- > 0;) {
    std::error_code error;
    const uint64_t size = std::filesystem::file_size(files[i].path, error);
    bytes += error ? 0 : size;
    too_old = too_old || bytes > options_.keep_bytes || file_age_s(files[i].path) > options_.keep_s;
    if (too_old && i + 1 < files.size()) std::filesystem::remove(files[i].path, error);
  }
}

std::vector<JournalFile> JournalWriter::files_to_compress() const {
  std::vector<JournalFile> files = journal_files(options_.folder);
  uint64_t bytes = 0;
  const auto is_recent = [&](const JournalFile& file) {
    std::error_code error;
    if (!file.compressed()) bytes += std::filesystem::file_size(file.path, error);
    return file.compressed() || bytes <= options_.plain_bytes;
  };
  if (!files.empty()) files.pop_back();  // It is written.
  std::ranges::reverse(files);
  std::erase_if(files, is_recent);
  return files;
}

void JournalWriter::run_compression() {
  constexpr int kNiceness = 10;
  (void)!nice(kNiceness);  // on Linux, of this thread
  remove_unfinished_files(options_.folder);
  std::unique_lock lock(mutex_);
  while (!ending_) {
    if (!std::exchange(has_new_file_, false)) {
      wake_.wait(lock, [this] { return ending_ || has_new_file_; });
      continue;
    }
    lock.unlock();
    for (const JournalFile& file : files_to_compress()) {
      if (const auto done = compress_journal_file(file); !done) {
        log_.warning("cannot compress {}: {}", file.path.string(), done.error().message);
        if (done.error().code == sail::ErrorCode::kIo) break;  // Others would also fail.
      }
      const std::lock_guard guard(mutex_);
      if (ending_) return;
    }
    lock.lock();
  }
}

}  // namespace manager
