// All that this wall can show, kept up to date: files of the media folders and of the uploads, test
// cards, saved URLs, saved commands. Thread: the loop's; disks are read by another.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "manager/sources.h"
#include "manager/sources_scan.h"
#include "sail/base/log.h"
#include "sail/net/loop.h"

namespace manager {

class SourceLibrary {
 public:
  struct Options {
    std::vector<std::string> media;  // folders
    std::string uploads;             // folder; empty: none
    std::string state;               // folder that keeps the saved URLs; empty: they are not kept
    std::vector<Source> commands;
  };
  SourceLibrary(sail::Loop& loop, Options options, const sail::Log& log);

  static std::string upload_id(const std::string& name) { return "uploads/" + name; }

  // Looks through the folders again when that was some seconds ago; `done` comes after that, or
  // when it fails; at once when it was just now.
  void refresh(std::function<void()> done);
  // A file is new: the next refresh() sees it.
  void changed_on_disk() { outdated_ = true; }

  // Files, URLs, commands, test cards.
  std::vector<const Source*> all() const;
  // Null when there is none. Good until the next call of another function.
  const Source* find(const std::string& id) const;

  // kInvalidParams, kLimit, kIo (it holds now, but not after a restart).
  sail::Result<Source> save_url(const std::string& url, const std::string& title);
  // kNotFound; kInvalidParams for what is no URL.
  sail::Result<void> remove(const std::string& id);

 private:
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
  std::vector<Source> tests_;
  bool outdated_ = true;
  int64_t scanned_ns_ = 0;
  std::shared_ptr<void> scanning_;
  std::vector<std::function<void()>> waiting_;  // for the scan
};

}  // namespace manager
