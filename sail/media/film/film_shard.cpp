#include "sail/media/film/film_shard.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>
#include <utility>

#include "sail/media/cinema/package.h"
#include "sail/media/storage/reading/file.h"
#include "sail/media/vmov/vmov_reader.h"
#include "sail/media/vmov/vmov_writer.h"

namespace sail {
namespace {

std::optional<uint32_t> shard_number(std::string_view text) {
  uint32_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

using OrderedTimes = std::span<const PictureTime>;

// Not at the picture's time exactly: times are rounded, and pictures of missing files are computed
// from their numbers.
int64_t time_before(OrderedTimes pictures, size_t number) {
  const int64_t pts_ns = pictures[number].pts_ns;
  return pts_ns - (pts_ns - pictures[number - 1].pts_ns) / 4;
}

// The second key picture before this one. Some containers seek only roughly, and pictures just
// before a key picture may depend on those before it; after the first one, all are decoded exactly.
int64_t decoding_start(OrderedTimes pictures, size_t number) {
  int keys = 0;
  for (size_t n = number; n > 0; --n) {
    if (pictures[n - 1].key && ++keys == 2) return pictures[n - 1].pts_ns;
  }
  return 0;
}

struct ShardFile {
  std::string name;
  VmovHeader header;

  const VmovShard& shard() const { return *header.shard; }
};

Result<ShardFile> read_shard_file(const std::string& name) {
  const auto file = File::open_to_read(name);
  if (!file) return file.error();
  auto header = read_vmov_header(*file);
  if (!header) return std::move(header.error());
  if (!header->header.shard) {
    return fail(ErrorCode::kInvalidParams,
                fmt::format("{} is not a shard: --shard K/N writes one", name));
  }
  return ShardFile{name, std::move(header->header)};
}

bool belong_together(const ShardFile& one, const ShardFile& other) {
  VmovHeader header = other.header;
  header.shard->number = one.shard().number;
  return header == one.header;
}

// Sorted by number.
Result<void> check_whole(std::span<const ShardFile> files) {
  const uint32_t count = files.front().shard().count;
  std::vector<uint32_t> missing;
  uint32_t expected = 1;
  for (size_t i = 0; i < files.size(); ++i) {
    if (!belong_together(files.front(), files[i])) {
      return fail(ErrorCode::kInvalidParams,
                  fmt::format("{} and {} are not shards of the same film with the same options",
                              files.front().name, files[i].name));
    }
    const uint32_t number = files[i].shard().number;
    if (number < expected) {
      return fail(ErrorCode::kInvalidParams,
                  fmt::format("{} and {} are both shard {}/{}", files[i - 1].name, files[i].name,
                              number, count));
    }
    while (expected < number) missing.push_back(expected++);
    ++expected;
  }
  while (expected <= count) missing.push_back(expected++);
  if (missing.empty()) return {};
  return fail(ErrorCode::kInvalidParams,
              fmt::format("of {} shards, these are missing: {}", count, fmt::join(missing, ", ")));
}

Result<std::vector<ShardFile>> read_shard_files(const ShardJoin& join) {
  std::vector<ShardFile> files;
  for (const std::string& name : join.shards) {
    std::error_code ignored;
    if (std::filesystem::equivalent(name, join.output, ignored) ||
        std::filesystem::equivalent(name, vmov_part_name(join.output), ignored)) {
      return fail(ErrorCode::kInvalidParams,
                  fmt::format("{} is a shard: choose another name for the film", name));
    }
    auto file = read_shard_file(name);
    if (!file) return std::move(file.error());
    files.push_back(std::move(*file));
  }
  if (files.empty()) return fail(ErrorCode::kInvalidParams, "no shards are given");
  std::ranges::stable_sort(files, {}, [](const ShardFile& file) { return file.shard().number; });
  if (auto whole = check_whole(files); !whole) return std::move(whole.error());
  return files;
}

Result<void> append_shard(const ShardFile& file, const ShardJoin& join, VmovWriter& writer) {
  const auto reader = VmovReader::open(file.name);
  if (!reader) return reader.error();
  if (reader->complaint()) {
    return fail(ErrorCode::kBadData, *reader->complaint() + ": convert this shard again");
  }
  VmovFrame frame;
  for (size_t n = 0; n < reader->frame_count(); ++n) {
    if (join.interrupted && join.interrupted()) return fail(ErrorCode::kUnavailable, "stopped");
    auto done = reader->read(n, frame);
    if (done) {
      done = writer.append(frame.head.pts_ns, frame.head.duration_ns, frame.lengths, frame.bytes);
    }
    if (!done) return done;
    if (join.progress) join.progress(writer.frame_count(), file.shard().frames, writer.bytes());
  }
  return {};
}

}  // namespace

std::optional<ShardChoice> parse_shard(const std::string& text) {
  const size_t slash = text.find('/');
  if (slash == std::string::npos) return std::nullopt;
  const auto number = shard_number(std::string_view(text).substr(0, slash));
  const auto count = shard_number(std::string_view(text).substr(slash + 1));
  if (!number || !count || *count < 2 || *count > kMaxVmovShards) return std::nullopt;
  if (*number < 1 || *number > *count) return std::nullopt;
  return ShardChoice{*number, *count};
}

Result<ShardPlan> plan_shard(const ShardChoice& choice, OrderedTimes pictures,
                             const ClipRange& range) {
  const auto place = [&](auto found) { return static_cast<size_t>(found - pictures.begin()); };
  // The clip begins with the picture that is shown at its beginning.
  size_t first = 0;
  if (range.from_ns > 0) {
    first = place(std::ranges::upper_bound(pictures, range.from_ns, {}, &PictureTime::pts_ns));
    if (first > 0) --first;
  }
  size_t end = pictures.size();
  if (range.to_ns) {
    end = place(std::ranges::lower_bound(pictures, *range.to_ns, {}, &PictureTime::pts_ns));
  }
  const uint64_t frames = end > first ? end - first : 0;
  if (frames < choice.count) {
    return fail(ErrorCode::kInvalidParams,
                fmt::format("the part has too few pictures ({}) for {} shards: choose fewer",
                            frames, choice.count));
  }
  const auto begin_of = [&](uint32_t number) {
    return first + static_cast<size_t>(frames * (number - 1) / choice.count);
  };
  ShardPlan plan{.shard = {.number = choice.number, .count = choice.count, .frames = frames},
                 .clip = {}};
  if (choice.number > 1) {
    plan.clip.from_ns = time_before(pictures, begin_of(choice.number));
    plan.clip.start_ns = decoding_start(pictures, begin_of(choice.number));
  }
  if (choice.number < choice.count) {
    plan.clip.to_ns = time_before(pictures, begin_of(choice.number + 1));
  }
  return plan;
}

Result<ShardPlan> plan_shard(const ShardChoice& choice, const std::string& input,
                             const MediaOptions& options) {
  if (is_package(input)) {
    return fail(ErrorCode::kInvalidParams,
                input + " cannot be divided into shards: it is a package of digital cinema");
  }
  const auto pictures = picture_times(input, options);
  if (!pictures) return pictures.error();
  return plan_shard(choice, *pictures, options.range);
}

Result<JoinedFilm> join_shards(const ShardJoin& join) {
  const auto files = read_shard_files(join);
  if (!files) return files.error();
  JoinedFilm film{.header = files->front().header};
  film.header.shard.reset();
  auto writer = VmovWriter::begin(join.output, film.header, join.overwrite);
  if (!writer) return std::move(writer.error());
  if (auto restarted = writer->restart(); !restarted) return std::move(restarted.error());
  for (const ShardFile& file : *files) {
    if (auto done = append_shard(file, join, *writer); !done) return std::move(done.error());
  }
  if (auto done = writer->finish(); !done) return std::move(done.error());
  film.frames = writer->frame_count();
  film.bytes = writer->bytes();
  return film;
}

}  // namespace sail
