// The journal's files: one line of JSON for each entry, numbered from 1, with the SHA-256 of the
// line before as "prev". So a changed, removed or inserted line is noticed. A thread of its own
// writes and syncs, so callers do not wait for the disk. Files are named by the number of their
// first entry. Another thread compresses older files, and whole files are removed once they are too
// old or too many. Any thread.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "manager/journal/journal_text.h"
#include "sail/core/base/log.h"
#include "sail/core/text/json.h"

namespace manager {

// Where the journal ends.
struct JournalEnd {
  uint64_t next = std::numeric_limits<uint64_t>::max();  // number behind the newest entry
  std::string hash{};                                    // hash of that entry's line; "": unknown
};

class JournalWriter {
 public:
  static constexpr size_t kMostPending = 8 << 20;  // bytes that wait for the disk
  struct Options {
    std::filesystem::path folder;
    uint64_t file_bytes = 16 << 20;
    uint64_t plain_bytes = 192 << 20;  // of the newest files, which stay as they are
    uint64_t keep_bytes = uint64_t{1} << 30;
    int64_t keep_s = 366 * 86'400;
  };

  // Continues after the last whole line; a cut-off one (killed while writing) is removed. Blocks on
  // the disk.
  JournalWriter(Options options, const sail::Log& log);
  // Writes the pending entries first.
  ~JournalWriter();
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  // Adds an entry with number and hash. If too many bytes wait for the disk, drops the entry; the
  // next entry that is kept contains the number of dropped ones as "lost".
  // at: JSON text. fields: the other fields as JSON text, without the braces.
  void add(std::string_view at, std::string_view fields);
  // entry: an object with "at".
  void add(sail::Json entry);
  // While the disk fails, the end on the disk.
  JournalEnd end();
  // Why entries are not written, for people; empty: they are.
  std::string trouble();
  // Waits until the entries so far are written, or the disk has failed.
  void flush();

 private:
  void resume();
  void run();
  // Return false if the disk failed. Called only by the thread.
  bool write(std::string_view lines, uint64_t first);
  bool open_file(uint64_t first);
  void remove_old() const;
  // The other thread's.
  void run_compression();
  std::vector<JournalFile> files_to_compress() const;

  const Options options_;
  const sail::Log log_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable written_;
  std::string pending_;
  uint64_t first_pending_ = 1;
  uint64_t next_ = 1;
  std::string last_hash_;
  uint64_t lost_ = 0;
  uint64_t on_disk_ = 1;   // number behind the last written entry
  bool flushing_ = false;  // entries are written at once
  std::string trouble_;    // why the last write failed; empty: it did not
  bool ending_ = false;
  bool has_new_file_ = true;  // since the last look for files to compress
  // Used only by the thread:
  int file_ = -1;
  uint64_t size_ = 0;
  // Last, because they use the other members:
  std::thread thread_;
  std::thread compression_;
};

}  // namespace manager
