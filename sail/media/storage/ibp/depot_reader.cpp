#include "sail/media/storage/ibp/depot_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

// A depot that failed is avoided for this long if there are other replicas.
constexpr int64_t kAvoidedNs = 10 * kSecondNs;
// A LOAD that delivers less counts as failed, so that a depot that sends single bytes cannot stall
// a read.
constexpr size_t kLeastBrought = 16 << 10;

}  // namespace

DepotReader::DepotReader(DiskLinks& disks, std::string name, Exnode exnode,
                         const DepotReading& reading)
    : disks_(disks),
      loop_(disks.thread().loop()),
      name_(std::move(name)),
      exnode_(std::move(exnode)),
      reading_(reading),
      loads_(loop_, reading.timeouts.silence_ms) {
  for (const ExnodeMapping& mapping : exnode_.mappings()) {
    const std::string depot = address_text(mapping.depot());
    depots_[depot].name = depot;
    mappings_.push_back({&depots_[depot], {}});
    if (mapping.part) disks_.link(mapping.part->disk).connect();
  }
}

void DepotReader::begin(ByteReads::Job job) {
  const auto request = requests_.emplace(requests_.end());
  request->self = request;
  request->job = std::move(job);
  const ByteReads::Job& wanted = request->job;
  for (size_t at = 0; at < wanted.bytes.size(); at += reading_.load_bytes, ++request->waiting) {
    const size_t count = std::min(reading_.load_bytes, wanted.bytes.size() - at);
    queued_.push_back({&*request, wanted.offset + at, wanted.bytes.subspan(at, count)});
  }
  hand_out();
}

void DepotReader::drop_unwanted() {
  std::erase_if(queued_, [this](const Piece& piece) {
    if (!piece.unwanted()) return false;
    end_piece_of(*piece.request);
    return true;
  });
  for (auto piece = under_way_.begin(); piece != under_way_.end();) {
    Piece& one = *piece++;
    if (one.unwanted()) end(one, {});
  }
  hand_out();
}

void DepotReader::hand_out() {
  while (under_way_.size() < reading_.loads && !queued_.empty()) {
    const auto next = queued_.begin();
    next->self = next;
    under_way_.splice(under_way_.end(), queued_, next);
    ask(*next);
  }
}

void DepotReader::ask(Piece& piece) {
  // Only the error at the lowest offset is reported, so pieces beyond it are not needed.
  if (piece.unwanted() || piece.offset > piece.request->failed_at) return end(piece, {});
  const uint64_t place = piece.place();
  const auto holding = exnode_.holding(place);
  if (holding.empty()) {
    return end(piece, fail(ErrorCode::kBadData,
                           fmt::format("{} is incomplete: no depot holds bytes {} to {}", name_,
                                       place, exnode_.hole_end(place))));
  }
  if (const auto mapping = choose(piece, holding)) return load(piece, *mapping);
  begin_round(piece, holding);
}

std::optional<size_t> DepotReader::choose(const Piece& piece,
                                          const std::vector<size_t>& holding) const {
  const int64_t now_ns = steady_now_ns();
  // For a disk server, count the requests of all films.
  const auto worse = [&](size_t mapping) {
    const Depot& depot = *mappings_[mapping].depot;
    const auto& part = exnode_.mappings()[mapping].part;
    const size_t under_way = part ? disks_.link(part->disk).under_way() : depot.under_way;
    return std::pair(depot.avoided_until_ns > now_ns, under_way);
  };
  std::optional<size_t> best;
  for (const size_t i : holding) {
    if (mappings_[i].gone || std::ranges::find(piece.tried, i) != piece.tried.end()) continue;
    if (!best || worse(i) < worse(*best)) best = i;
  }
  return best;
}

void DepotReader::load(Piece& piece, size_t mapping) {
  piece.mapping = mapping;
  ++mappings_[mapping].depot->under_way;
  const ExnodeMapping& holder = exnode_.mappings()[mapping];
  const uint64_t from = piece.place();
  const auto rest = piece.bytes.subspan(piece.got);
  const auto to = rest.first(std::min<uint64_t>(rest.size(), holder.end_from(from) - from));
  const IbpPart part = holder.stored(from, from + to.size());
  if (holder.checked_bytes > 0) piece.stored.resize(part.bytes);
  const std::span<uint8_t> room = holder.checked_bytes > 0 ? std::span(piece.stored) : to;
  const auto done = [this, &piece, to](const LoadOutcome& outcome) {
    answered(piece, to, outcome);
    hand_out();
  };
  if (holder.part) {
    piece.load = disks_.read(*holder.part, part.offset, room, done);
  } else {
    piece.load = loads_.begin(holder.read, part.offset, room, done);
  }
}

void DepotReader::answered(Piece& piece, std::span<uint8_t> to, LoadOutcome outcome) {
  const ExnodeMapping& holder = exnode_.mappings()[piece.mapping];
  --mappings_[piece.mapping].depot->under_way;
  piece.load.reset();
  if (holder.checked_bytes > 0) {
    outcome.received = outcome.error ? 0 : to.size();
    const auto unpacked =
        outcome.error ? Result<void>() : holder.unpack(piece.place(), piece.stored, to);
    if (!unpacked) outcome = {.received = 0, .error = unpacked.error(), .fault = IbpFault::kEnds};
  }
  const size_t mapping = piece.mapping;
  piece.got += outcome.received;
  if (piece.got == piece.bytes.size()) return end(piece, {});
  if (outcome.received >= kLeastBrought || !outcome.error) {
    piece.rounds = 0;
    piece.tried.clear();
  }
  if (outcome.error) note(piece, mapping, outcome);
  ask(piece);
}

void DepotReader::note(Piece& piece, size_t mapping, const LoadOutcome& outcome) {
  ++retries_;
  piece.error = failed(piece, mapping, *outcome.error);
  piece.tried.push_back(mapping);
  if (outcome.fault == IbpFault::kGone) mappings_[mapping].gone = outcome.error;
  if (outcome.fault == IbpFault::kGone || outcome.fault == IbpFault::kEnds) return;
  piece.may_pass = true;
  mappings_[mapping].depot->avoided_until_ns = steady_now_ns() + kAvoidedNs;
}

void DepotReader::begin_round(Piece& piece, const std::vector<size_t>& holding) {
  const bool may_pass = std::exchange(piece.may_pass, false);
  if (!may_pass || ++piece.rounds >= reading_.timeouts.rounds) {
    const size_t first = holding.front();  // a piece without an error: its capability is gone
    if (!piece.error) piece.error = failed(piece, first, *mappings_[first].gone);
    return end(piece, piece.error);
  }
  piece.tried.clear();
  if (!piece.pause) piece.pause.emplace(loop_);
  piece.pause->start(reading_.timeouts.pause_ms << (piece.rounds - 1), 0, [this, &piece] {
    ask(piece);
    hand_out();
  });
}

Error DepotReader::failed(const Piece& piece, size_t mapping, const Error& error) const {
  return fail(error.code, fmt::format("cannot read {} at byte {}: {}: {}", name_, piece.place(),
                                      mappings_[mapping].depot->name, error.message));
}

void DepotReader::end(Piece& piece, std::optional<Error> error) {
  if (piece.load) --mappings_[piece.mapping].depot->under_way;
  Request& request = *piece.request;
  if (error && piece.place() < request.failed_at) {
    request.failed_at = piece.place();
    request.error = std::move(error);
  }
  under_way_.erase(piece.self);
  end_piece_of(request);
}

void DepotReader::end_piece_of(Request& request) {
  if (--request.waiting > 0) return;
  const auto done = std::move(request.job.done);
  Result<void> read;
  if (request.error) read = std::move(*request.error);
  requests_.erase(request.self);
  done(std::move(read));
}

}  // namespace sail
