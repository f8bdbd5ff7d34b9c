#include "manager/source_library.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

#include "sail/base/clock.h"
#include "sail/base/private_file.h"
#include "sail/net/background.h"
#include "sail/wire/limits.h"

namespace manager {
namespace {

constexpr int64_t kFreshNs = 3'000'000'000;  // a scan counts as new
constexpr size_t kMostUrls = 1000;
constexpr size_t kLargestFile = 4 << 20;

}  // namespace

SourceLibrary::SourceLibrary(sail::Loop& loop, Options options, const sail::Log& log)
    : loop_(loop), options_(std::move(options)), log_(log), tests_(test_sources()) {
  int number = 1;
  for (const std::string& path : options_.media) {
    folders_.push_back({fmt::format("media{}", number++), path});
  }
  if (!options_.uploads.empty()) folders_.push_back({"uploads", options_.uploads});
  load_urls();
}

void SourceLibrary::refresh(std::function<void()> done) {
  // While a scan runs the list is the one before it: too old for who asks now.
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
  const auto found = std::make_shared<std::vector<Source>>();
  scanning_ = sail::in_background(
      loop_, [found, folders = folders_] { *found = scan_media(folders); },
      [this, found] { scanned(std::move(*found)); });
}

void SourceLibrary::scanned(std::vector<Source> files) {
  scanning_.reset();
  scanned_ns_ = sail::steady_now_ns();
  files_ = std::move(files);
  if (outdated_) {  // what came meanwhile may be missing
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

sail::Result<Source> SourceLibrary::save_url(const std::string& url, const std::string& title) {
  auto source = url_source(url, title);
  if (!source) return source;
  const auto same = std::find_if(urls_.begin(), urls_.end(),
                                 [&source](const Source& known) { return known.id == source->id; });
  if (same != urls_.end()) {
    *same = *source;
  } else if (urls_.size() < kMostUrls) {
    urls_.push_back(*source);
  } else {
    return sail::fail(sail::ErrorCode::kLimit,
                      fmt::format("{} URLs are saved, as many as may be: remove some", kMostUrls));
  }
  if (auto kept = keep_urls(); !kept) return tl::make_unexpected(kept.error());
  return source;
}

sail::Result<void> SourceLibrary::remove(const std::string& id) {
  const auto found = std::find_if(urls_.begin(), urls_.end(),
                                  [&id](const Source& source) { return source.id == id; });
  if (found == urls_.end()) {
    const bool other = find(id) != nullptr;
    return sail::fail(
        other ? sail::ErrorCode::kInvalidParams : sail::ErrorCode::kNotFound,
        other ? "only saved URLs can be removed" : fmt::format("there is no source '{}'", id));
  }
  urls_.erase(found);
  return keep_urls();
}

void SourceLibrary::load_urls() {
  if (options_.state.empty()) return;
  const std::string name = options_.state + "/urls.json";
  std::ifstream file(name, std::ios::binary);
  if (!file) return;
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto json = sail::parse_json(text, kLargestFile);
  const bool whole = json && json->is_array() && json->size() <= kMostUrls;
  if (!whole) log_.warning("{} is damaged: no saved URLs", name);
  if (!whole) return;
  for (const sail::Json& item : *json) {
    sail::JsonFields fields(item, name);
    const std::string url = fields.string("url", kLargestFile);
    const std::string title = fields.string("title", sail::kMaxTitleLength);
    auto source = url_source(url, title);
    if (!fields.finish_open() && source) urls_.push_back(std::move(*source));
  }
}

sail::Result<void> SourceLibrary::keep_urls() const {
  if (options_.state.empty()) return {};
  sail::Json json = sail::Json::array();
  for (const Source& source : urls_)
    json.push_back({{"url", source.media}, {"title", source.title}});
  return sail::make_private_folder(options_.state).and_then([&] {
    return sail::write_private_file(options_.state + "/urls.json", json.dump(1) + '\n');
  });
}

}  // namespace manager
