// Conversion of a film by several processes, also on several hosts: each writes a shard, and
// join_shards() makes the film of them that a single process would have written (VMOV.md,
// "Shards").
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/media/ffmpeg/media_source.h"
#include "sail/media/film/clip_source.h"
#include "sail/media/vmov/vmov_format.h"

namespace sail {

struct ShardChoice {
  uint32_t number = 1;  // from 1
  uint32_t count = 2;

  bool operator==(const ShardChoice&) const = default;
};
// "2/4". Empty: not a shard of 2 to kMaxVmovShards.
std::optional<ShardChoice> parse_shard(const std::string& text);

struct ShardPlan {
  VmovShard shard;  // without its recipe
  ClipShard clip;
};
// pictures: of the film, in order. kInvalidParams: the range has fewer pictures than shards. Pure.
Result<ShardPlan> plan_shard(const ShardChoice& choice, std::span<const PictureTime> pictures,
                             const ClipRange& range);
// Reads the times of the film's pictures. Refuses films that cannot be divided.
Result<ShardPlan> plan_shard(const ShardChoice& choice, const std::string& input,
                             const MediaOptions& options);

struct ShardJoin {
  std::string output;
  std::vector<std::string> shards;  // names of files, in any order
  bool overwrite = false;
  std::function<bool()> interrupted;
  std::function<void(uint64_t frames, uint64_t of_frames, uint64_t bytes)> progress;
};
struct JoinedFilm {
  VmovHeader header;
  uint64_t frames = 0;
  uint64_t bytes = 0;
};
// Before anything is written, a set is refused that is not whole, has a shard twice, or has shards
// of different films or options. A damaged shard ends the join.
Result<JoinedFilm> join_shards(const ShardJoin& join);

}  // namespace sail
