#include "manager/media/source_library.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "manager/media/upload_file.h"
#include "sail/core/base/private_file.h"
#include "sail/core/loop/loop.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/time/clock.h"

namespace manager {
namespace {

constexpr int64_t kFreshNs = 3'000'000'000;  // A scan is recent for this long.
constexpr size_t kMostUrls = 1000;
constexpr size_t kLargestFile = 4 << 20;
constexpr int64_t kProbeWaitMs = 2000;  // How long an answer waits for probes.
constexpr std::string_view kUploadsId = "uploads";

std::string upload_id(const std::string& name) {
  return fmt::format("{}/{}", kUploadsId, name);
}

bool is_upload(const Source& source) {
  return source.kind == SourceKind::kFile && source.id.starts_with(upload_id(""));
}

}  // namespace

// A caller that waits for files to be probed.
struct SourceLibrary::Check {
  size_t left = 0;
  std::vector<std::shared_ptr<void>> files;
  std::unique_ptr<sail::Timer> timeout;
  std::function<void()> done;
};

SourceLibrary::SourceLibrary(sail::Loop& loop, Options options, const sail::Log& log)
    : loop_(loop),
      options_(std::move(options)),
      log_(log),
      tests_(test_sources()),
      probe_(loop, options_.poster_program, log) {
  int number = 1;
  for (const std::string& path : options_.media) {
    folders_.push_back({fmt::format("media{}", number++), path});
  }
  if (!options_.uploads.folder.empty()) {
    folders_.push_back({std::string(kUploadsId), options_.uploads.folder});
  }
  load_urls();
}

void SourceLibrary::refresh(std::function<void()> done) {
  // A scan in progress may have missed a new file: the caller waits for the next list.
  const bool fresh = !scanning_ && !outdated_ && sail::steady_now_ns() - scanned_ns_ < kFreshNs;
  if (fresh || folders_.empty()) {
    done();
    return;
  }
  waiting_.push_back(std::move(done));
  if (!scanning_) scan();
}

void SourceLibrary::scan() {
  outdated_ = false;
  const auto found = std::make_shared<FoundMedia>();
  scanning_ = sail::in_background(
      loop_, [found, folders = folders_] { *found = scan_media(folders); },
      [this, found] { scanned(std::move(*found)); });
}

void SourceLibrary::scanned(FoundMedia found) {
  scanning_.reset();
  scanned_ns_ = sail::steady_now_ns();
  files_ = std::move(found.sources);
  if (std::exchange(unlisted_, found.unlisted) != found.unlisted && found.unlisted > 0) {
    log_.warning(
        "{} media files are not listed, because their names are not UTF-8 or have control "
        "characters, such as '{}': rename them",
        found.unlisted, found.example);
  }
  std::vector<FileVersion> versions;
  for (Source& file : files_) {
    versions.push_back(version_of(file));
    with_facts(file);
  }
  probe_.keep_only(versions);
  if (outdated_) {  // Files that came during the scan may be missing.
    scan();
    return;
  }
  for (const auto& done : std::exchange(waiting_, {})) done();
}

std::vector<const Source*> SourceLibrary::all() const {
  std::vector<const Source*> all;
  for (const auto* list : {&files_, &urls_, &options_.commands, &tests_}) {
    for (const Source& source : *list) all.push_back(&source);
  }
  return all;
}

const Source* SourceLibrary::find(const std::string& id) const {
  for (const auto* list : {&files_, &urls_, &options_.commands, &tests_}) {
    const auto found = std::find_if(list->begin(), list->end(),
                                    [&id](const Source& source) { return source.id == id; });
    if (found != list->end()) return &*found;
  }
  return nullptr;
}

bool SourceLibrary::has(const std::string& medium) const {
  return std::ranges::any_of(all(), [&medium](const Source* source) {
    return !source->media.empty() && source->media == medium;
  });
}

sail::Result<Source> SourceLibrary::save_url(const std::string& url, const std::string& title,
                                             const std::optional<SavedCamera>& camera) {
  auto source = url_source(url, title);
  if (!source) return source;
  source->camera = camera;
  const auto same = std::find_if(urls_.begin(), urls_.end(),
                                 [&source](const Source& known) { return known.id == source->id; });
  if (same != urls_.end()) {
    if (title.empty()) source->title = same->title;
    if (!camera) source->camera = same->camera;
    *same = *source;
  } else if (urls_.size() < kMostUrls) {
    urls_.push_back(*source);
  } else {
    return sail::fail(sail::ErrorCode::kLimit,
                      fmt::format("{} URLs are saved, the maximum: remove some", kMostUrls));
  }
  if (auto kept = keep_urls(); !kept) return kept.error();
  return source;
}

void SourceLibrary::with_facts(Source& file) const {
  if (const MediaFacts* known = probe_.known(version_of(file))) file.facts = *known;
}

void SourceLibrary::inspect(const std::vector<const Source*>& sources, std::function<void()> done) {
  if (count_unprobed(sources) == 0) {
    done();
    return;
  }
  const auto check = std::make_shared<Check>();
  checks_.insert(check);
  check->done = std::move(done);
  const auto over = [this, waiting = std::weak_ptr(check)] {
    const auto ended = waiting.lock();
    if (!ended || checks_.erase(ended) == 0) return;
    for (Source& file : files_) {
      if (!file.facts) with_facts(file);
    }
    ended->done();
  };
  const auto one_less = [waiting = std::weak_ptr(check), over] {
    const auto under_way = waiting.lock();
    if (under_way && --under_way->left == 0) over();
  };
  check->timeout = std::make_unique<sail::Timer>(loop_);
  check->timeout->start(kProbeWaitMs, 0, over);
  std::vector<FileVersion> files;
  for (const Source* source : sources) {
    if (source->kind == SourceKind::kFile && !source->facts) files.push_back(version_of(*source));
  }
  check->left = files.size() + 1;
  for (const FileVersion& file : files) {
    check->files.push_back(probe_.inspect(file, MediaProbe::Turn::kLast, one_less));
  }
  one_less();
}

size_t SourceLibrary::count_unprobed(const std::vector<const Source*>& sources) const {
  if (probe_.is_unable()) return 0;
  return static_cast<size_t>(std::ranges::count_if(sources, [](const Source* source) {
    return source->kind == SourceKind::kFile && !source->facts;
  }));
}

uint64_t SourceLibrary::upload_bytes() const {
  uint64_t bytes = 0;
  for (const Source& file : files_) bytes += is_upload(file) ? file.bytes : 0;
  return bytes;
}

std::string SourceLibrary::add_upload(const std::string& name, uint64_t bytes,
                                      const FileVersion& version) {
  Source file;
  file.id = upload_id(name);
  file.title = name;
  file.detail = file.id;
  file.media = version.path;
  file.stamp = version.stamp;
  file.bytes = bytes;
  put_upload(std::move(file));
  return upload_id(name);
}

// The list has the file at once. A scan in progress may have missed it.
void SourceLibrary::put_upload(Source file) {
  outdated_ = true;
  with_facts(file);
  std::erase_if(files_, [&file](const Source& other) { return other.id == file.id; });
  const auto place = std::ranges::upper_bound(files_, file.id, {}, &Source::id);
  files_.insert(place, std::move(file));
}

sail::Result<void> SourceLibrary::may_change(const std::string& id) const {
  const Source* source = find(id);
  if (source == nullptr) {
    return sail::fail(sail::ErrorCode::kNotFound, fmt::format("there is no source '{}'", id));
  }
  if (source->kind == SourceKind::kUrl || is_upload(*source)) return {};
  return sail::fail(sail::ErrorCode::kInvalidParams,
                    "only saved URLs and uploaded files can be changed: the other sources come "
                    "from the manager's options");
}

// Returns the file itself; links are not resolved.
std::string SourceLibrary::upload_path(const std::string& id) const {
  return options_.uploads.folder + id.substr(kUploadsId.size());
}

void SourceLibrary::in_background(std::function<void()> work, std::function<void()> done) {
  const uint64_t number = next_change_++;
  changes_[number] =
      sail::in_background(loop_, std::move(work), [this, number, done = std::move(done)] {
        const auto over = changes_.extract(number);
        outdated_ = true;
        done();
      });
}

void SourceLibrary::remove(const std::string& id, Removed done) {
  if (const auto may = may_change(id); !may) return done(may.error());
  const auto is_it = [id](const Source& source) { return source.id == id; };
  const Source& source = *find(id);
  RemovedSource removed{.title = source.title};
  if (source.kind == SourceKind::kUrl) {
    removed.url = source.media;
    removed.camera = source.camera;
    std::erase_if(urls_, is_it);
    done(keep_urls().map([&] { return removed; }));
    return;
  }
  const auto binned = std::make_shared<sail::Result<std::string>>();
  in_background([binned, folder = options_.uploads.folder,
                 path = upload_path(id)] { *binned = bin_upload(folder, path); },
                [this, binned, is_it, removed, done = std::move(done)]() mutable {
                  if (*binned) std::erase_if(files_, is_it);
                  done(binned->map([&](const std::string& in_bin) {
                    removed.bin = in_bin;
                    return removed;
                  }));
                });
}

void SourceLibrary::restore(const RemovedSource& removed, Restored done) {
  if (!removed.url.empty()) {
    return done(save_url(removed.url, removed.title, removed.camera));
  }
  const auto name = std::make_shared<sail::Result<std::string>>();
  in_background(
      [name, folder = options_.uploads.folder, id = removed.bin] {
        *name = restore_upload(folder, id);
      },
      [this, name, done = std::move(done)] {
        if (!*name) return done(name->error());
        refresh([this, id = upload_id(**name), done] {
          const Source* source = find(id);
          if (source != nullptr) return done(*source);
          done(sail::fail(sail::ErrorCode::kNotFound, fmt::format("there is no source '{}'", id)));
        });
      });
}

void SourceLibrary::list_bin(std::function<void(const std::vector<BinnedUpload>&)> done) {
  const auto files = std::make_shared<std::vector<BinnedUpload>>();
  in_background([files, folder = options_.uploads.folder] { *files = binned_uploads(folder); },
                [files, done = std::move(done)] { done(*files); });
}

void SourceLibrary::rename(const std::string& id, const std::string& name, Renamed done) {
  if (const auto may = may_change(id); !may) {
    done(may.error());
    return;
  }
  Source source = *find(id);
  if (source.kind == SourceKind::kUrl) {
    done(save_url(source.media, name));
    return;
  }
  const std::filesystem::path path = upload_path(id);
  const std::string wanted = renamed(path.filename().string(), name);
  const auto result = std::make_shared<sail::Result<void>>();
  in_background(
      [result, path, wanted] { *result = rename_upload(path, path.parent_path() / wanted); },
      [this, result, source, wanted, done = std::move(done)]() mutable {
        if (!*result) {
          done(result->error());
          return;
        }
        const FileVersion before = version_of(source);
        std::erase_if(files_, [&source](const Source& other) { return other.id == source.id; });
        source.id = source.id.substr(0, source.id.rfind('/') + 1) + wanted;
        source.title = wanted;
        source.detail = source.id;
        source.media = (std::filesystem::path(source.media).parent_path() / wanted).string();
        probe_.moved(before, version_of(source));
        put_upload(source);
        done(source);
      });
}

void SourceLibrary::load_urls() {
  if (options_.state.empty()) return;
  const std::string name = options_.state + "/urls.json";
  const auto text = sail::read_file(name, kLargestFile);
  if (!text && text.error().code == sail::ErrorCode::kNotFound) return;
  auto urls =
      text.and_then([](const std::string& all) { return sail::parse_json(all, kLargestFile); })
          .and_then(urls_from_json);
  if (!urls) {
    const auto aside = sail::set_aside(name);
    damage_ = fmt::format(
        "{}: the saved URLs are missing; {}. To get them back, stop the manager, repair the file, "
        "rename it back and start the manager again",
        text ? name + " is damaged" : text.error().message,
        aside ? "the file is kept as " + aside->string() : aside.error().message);
    log_.warning("{}", damage_);
    return;
  }
  urls_ = std::move(*urls);
}

sail::Json SourceLibrary::urls_json() const {
  sail::Json json = sail::Json::array();
  for (const Source& source : urls_) {
    json.push_back({{"url", source.media}, {"title", source.title}});
    if (source.camera) json.back()["camera"] = camera_json(*source.camera);
  }
  return json;
}

sail::Result<void> SourceLibrary::keep_urls() const {
  if (options_.state.empty()) return {};
  auto kept = sail::make_private_folder(options_.state).and_then([&] {
    return sail::write_private_file(options_.state + "/urls.json", urls_json().dump(1) + '\n');
  });
  if (on_urls_) on_urls_();
  return kept;
}

sail::Result<std::vector<Source>> urls_from_json(const sail::Json& json) {
  if (!json.is_array() || json.size() > kMostUrls) {
    return sail::fail(sail::ErrorCode::kBadData, "not a list of URLs");
  }
  std::vector<Source> urls;
  for (const sail::Json& item : json) {
    sail::JsonFields fields(item, "urls");
    const std::string url = fields.string("url", kLargestFile);
    const std::string title = sail::make_plain_text(
        fields.raw_string("title", sail::kMaxTitleLength), sail::kMaxTitleLength);
    auto source = url_source(url, title);
    if (source && fields.has("camera")) {
      // A damaged camera cannot be moved, but be shown.
      if (const auto camera = camera_from_json(fields.value("camera"))) source->camera = *camera;
    }
    if (!fields.finish_open() && source) urls.push_back(std::move(*source));
  }
  return urls;
}

}  // namespace manager
