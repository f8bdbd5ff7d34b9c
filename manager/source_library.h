// All that this wall can show, kept up to date: files of the media folders and of the uploads, test
// cards, saved URLs, saved commands; and what people change of it. Thread: the loop's; disks are
// read by another.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "manager/media_probe.h"
#include "manager/sources.h"
#include "manager/sources_scan.h"
#include "manager/upload_bin.h"
#include "manager/upload_rules.h"
#include "sail/base/log.h"
#include "sail/net/loop.h"

namespace manager {

class SourceLibrary {
 public:
  struct Options {
    std::vector<std::string> media;  // folders
    UploadOptions uploads;
    std::string state;  // folder that keeps the saved URLs; empty: they are not kept
    std::vector<Source> commands;
    std::string poster_program;  // vitrail-poster, which looks into files
  };
  SourceLibrary(sail::Loop& loop, Options options, const sail::Log& log);

  // Looks through the folders again when that was some seconds ago; `done` comes after that, or
  // when it fails; at once when it was just now.
  void refresh(std::function<void()> done);
  // Files that nobody has looked at yet are: `done` comes when all of them are known, or after a
  // while.
  void look_at(const std::vector<const Source*>& sources, std::function<void()> done);
  // How many of these files nobody has looked at yet.
  size_t not_looked_at(const std::vector<const Source*>& sources) const;
  MediaProbe& probe() { return probe_; }

  // Files, URLs, commands, test cards.
  std::vector<const Source*> all() const;
  // Null when there is none. Good until the next call of another function.
  const Source* find(const std::string& id) const;
  // Whether one of them, no command, is what a player would open by this name.
  bool has(const std::string& medium) const;

  // kInvalidParams, kLimit, kIo (it holds now, but not after a restart).
  sail::Result<Source> save_url(const std::string& url, const std::string& title);
  // All that are saved, as urls_from_json() reads them.
  sail::Json urls_json() const;
  // Called when other ones were saved.
  void watch_urls(std::function<void()> on_changed) { on_urls_ = std::move(on_changed); }
  // A file that was put into the folder of uploads; its id.
  std::string add_upload(const std::string& name, uint64_t bytes, const FileVersion& version);
  // Bytes of all files in the folder of uploads.
  uint64_t upload_bytes() const;
  const UploadOptions& uploads() const { return options_.uploads; }

  // For saved URLs and uploaded files, which go to the bin; `done` comes once, when the disk has
  // done it. kNotFound, kIo, kInvalidParams for what is neither.
  using Removed = std::function<void(const sail::Result<RemovedSource>&)>;
  void remove(const std::string& id, Removed done);
  // The source as it is then. kNotFound: it is no longer in the bin.
  using Restored = std::function<void(const sail::Result<Source>&)>;
  void restore(const RemovedSource& removed, Restored done);
  // Uploaded files that can be restored.
  void look_into_bin(std::function<void(const std::vector<BinnedUpload>&)> done);
  // A URL's title, a file's name: the source as it is then. kConflict: a file has that name.
  using Renamed = std::function<void(const sail::Result<Source>&)>;
  void rename(const std::string& id, const std::string& name, Renamed done);

 private:
  struct Look;
  // kInvalidParams, kNotFound: why nobody may change the source.
  sail::Result<void> may_change(const std::string& id) const;
  std::string upload_path(const std::string& id) const;
  void with_facts(Source& file) const;
  void put_upload(Source file);
  void in_background(std::function<void()> work, std::function<void()> done);
  void load_urls();
  sail::Result<void> keep_urls() const;
  void scan();
  void scanned(std::vector<Source> files);

  sail::Loop& loop_;
  const Options options_;
  sail::Log log_;
  std::vector<MediaFolder> folders_;
  std::vector<Source> files_;
  std::vector<Source> urls_;
  std::function<void()> on_urls_;
  std::vector<Source> tests_;
  bool outdated_ = true;
  int64_t scanned_ns_ = 0;
  std::shared_ptr<void> scanning_;
  std::vector<std::function<void()>> waiting_;  // for the scan
  MediaProbe probe_;
  std::set<std::shared_ptr<Look>> looks_;
  std::map<uint64_t, std::shared_ptr<void>> changes_;  // of files, under way
  uint64_t next_change_ = 1;
};

// Those of the list that are URLs. kBadData: it is no list, or too long.
sail::Result<std::vector<Source>> urls_from_json(const sail::Json& json);

}  // namespace manager
