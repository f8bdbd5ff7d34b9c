// All sources that this wall can show, and people's changes to them: files of media folders and
// uploads, test cards, saved URLs, saved commands. Runs on the loop thread; background threads read
// the disk.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "manager/media/media_probe.h"
#include "manager/media/sources.h"
#include "manager/media/upload_file.h"
#include "manager/media/upload_rules.h"
#include "sail/core/base/log.h"
#include "sail/core/loop/loop.h"

namespace manager {

class SourceLibrary {
 public:
  struct Options {
    std::vector<std::string> media;  // Folders of media files.
    UploadOptions uploads;
    std::string state;  // Folder for saved URLs; empty: URLs are not kept.
    std::vector<Source> commands;
    std::string poster_program;  // Path of vitrail-poster, which probes files.
  };
  SourceLibrary(sail::Loop& loop, Options options, const sail::Log& log);

  // Rescans the folders, unless they were scanned a moment ago. Calls `done` after the scan, also a
  // failed one; at once if no scan is needed.
  void refresh(std::function<void()> done);
  // Probes files that are not known yet. Calls `done` when all are known, or after a timeout.
  void inspect(const std::vector<const Source*>& sources, std::function<void()> done);
  // Returns how many of these files are not known yet.
  size_t count_unprobed(const std::vector<const Source*>& sources) const;
  MediaProbe& probe() { return probe_; }

  // Returns files, URLs, commands and test cards.
  std::vector<const Source*> all() const;
  // Null: none. Valid until the next call of another function.
  const Source* find(const std::string& id) const;
  // Whether a source other than a command has this medium.
  bool has(const std::string& medium) const;

  // kInvalidParams. kLimit. kIo: the URL is saved until a restart only. Without `camera`, a URL
  // that was saved before keeps its camera.
  sail::Result<Source> save_url(const std::string& url, const std::string& title,
                                const std::optional<SavedCamera>& camera = std::nullopt);
  // Returns all saved URLs, in the format of urls_from_json().
  sail::Json urls_json() const;
  // Says what happened to saved URLs that could not be read, and what to do; empty: all could be
  // read.
  const std::string& damage() const { return damage_; }
  // Called when the saved URLs have changed.
  void watch_urls(std::function<void()> on_changed) { on_urls_ = std::move(on_changed); }
  // Adds a file that is already in the upload folder. Returns its source id.
  std::string add_upload(const std::string& name, uint64_t bytes, const FileVersion& version);
  // Bytes of all files in the upload folder.
  uint64_t upload_bytes() const;
  const UploadOptions& uploads() const { return options_.uploads; }

  // Removes a saved URL, or moves an uploaded file to the bin. Calls `done` once, after the disk
  // operation. kNotFound. kIo. kInvalidParams: another kind of source.
  using Removed = std::function<void(const sail::Result<RemovedSource>&)>;
  void remove(const std::string& id, Removed done);
  // Restores a removed source and returns it. kNotFound: it is no longer in the bin.
  using Restored = std::function<void(const sail::Result<Source>&)>;
  void restore(const RemovedSource& removed, Restored done);
  // Lists the uploaded files that can be restored.
  void list_bin(std::function<void(const std::vector<BinnedUpload>&)> done);
  // Changes a URL's title or a file's name; returns the new source. kConflict: the name is taken.
  using Renamed = std::function<void(const sail::Result<Source>&)>;
  void rename(const std::string& id, const std::string& name, Renamed done);

 private:
  struct Check;
  // kNotFound; kInvalidParams: this kind of source cannot be changed.
  sail::Result<void> may_change(const std::string& id) const;
  std::string upload_path(const std::string& id) const;
  void with_facts(Source& file) const;
  void put_upload(Source file);
  void in_background(std::function<void()> work, std::function<void()> done);
  void load_urls();
  sail::Result<void> keep_urls() const;
  void scan();
  void scanned(FoundMedia found);

  sail::Loop& loop_;
  const Options options_;
  sail::Log log_;
  std::vector<MediaFolder> folders_;
  std::vector<Source> files_;
  size_t unlisted_ = 0;  // Number in the last log message.
  std::vector<Source> urls_;
  std::string damage_;
  std::function<void()> on_urls_;
  std::vector<Source> tests_;
  bool outdated_ = true;
  int64_t scanned_ns_ = 0;
  std::shared_ptr<void> scanning_;
  std::vector<std::function<void()>> waiting_;  // Callbacks waiting for the scan.
  MediaProbe probe_;
  std::set<std::shared_ptr<Check>> checks_;
  std::map<uint64_t, std::shared_ptr<void>> changes_;  // File operations in progress.
  uint64_t next_change_ = 1;
};

// Reads saved URLs and skips invalid ones. kBadData: not a list, or too long.
sail::Result<std::vector<Source>> urls_from_json(const sail::Json& json);

}  // namespace manager
