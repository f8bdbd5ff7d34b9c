#include "sail/media/storage/ibp/depot_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "sail/media/storage/ibp/depot_reader.h"
#include "sail/media/storage/ibp/disk_links.h"
#include "sail/media/storage/reading/file.h"
#include "sail/media/storage/reading/loop_thread.h"

namespace sail {
namespace {

constexpr size_t kLeastLoad = 4096;
constexpr size_t kMostLoad = size_t{64} << 20;
constexpr uint64_t kLongestAllocation = Exnode::kLongestFile / 2;

struct Parameters {
  DepotReading reading;
  std::optional<size_t> loads;  // as given in the URL
  std::optional<uint64_t> size;
};

// Parses "512", "512k", "1m", "4g".
std::optional<uint64_t> parse_count(std::string_view text) {
  uint64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const std::string_view unit = text.substr(static_cast<size_t>(end - text.data()));
  constexpr std::string_view kUnits = "kmg";
  constexpr size_t kBitsOfEach = 10;
  const size_t power = unit.empty() ? 0 : kUnits.find(unit.front()) + 1;
  const bool known = unit.empty() || (unit.size() == 1 && power > 0);
  if (error != std::errc() || !known) return {};
  const size_t bits = kBitsOfEach * power;
  if (count > Exnode::kLongestFile >> bits) return {};
  return count << bits;
}

// Parses "threads=4&bs=512k&timeout=5&size=1000".
Result<Parameters> parse_parameters(std::string_view text, const DepotTimeouts& timeouts) {
  Parameters parameters;
  parameters.reading.timeouts = timeouts;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
    const size_t equals = std::min(one.find('='), one.size());
    const std::string_view name = one.substr(0, equals);
    const auto value = parse_count(one.substr(std::min(equals + 1, one.size())));
    const auto between = [&value](uint64_t least, uint64_t most) {
      return value && *value >= least && *value <= most;
    };
    constexpr uint64_t kMostSeconds = 3600;
    constexpr int64_t kMsPerSecond = 1000;
    if (name == "threads" && between(1, parameters.reading.loads)) {
      parameters.loads = *value;
    } else if (name == "bs" && between(kLeastLoad, kMostLoad)) {
      parameters.reading.load_bytes = *value;
    } else if (name == "timeout" && between(1, kMostSeconds)) {
      parameters.reading.timeouts.silence_ms = static_cast<int64_t>(*value) * kMsPerSecond;
    } else if (name == "size" && between(0, Exnode::kLongestFile)) {
      parameters.size = *value;
    } else {
      return fail(ErrorCode::kInvalidParams,
                  fmt::format("invalid parameter '{}': use threads=1…64, bs=4k…64m, timeout=1…3600 "
                              "(seconds) or size=BYTES",
                              one));
    }
  }
  parameters.reading.loads = parameters.loads.value_or(parameters.reading.loads);
  return parameters;
}

// Finds the end of an allocation of unknown size: doubles the offset until a read fails, then
// bisects. Depots have no other common way to report the size to a client that may only read.
Result<uint64_t> find_end(const ByteSource& source, const GiveUp& give_up) {
  const auto is_there = [&](uint64_t place) -> Result<bool> {
    uint8_t byte = 0;
    const auto read = read_and_wait(*source.reads(), place, {&byte, 1}, give_up);
    if (read) return true;
    // A failure at offset 0 is an error, not the end.
    if (read.error().code == ErrorCode::kBadData && place > 0) return false;
    return read.error();
  };
  uint64_t there = 0;
  uint64_t beyond = uint64_t{1} << 20;
  const auto first = is_there(0);
  if (!first) return first.error();
  for (;; beyond *= 2) {
    const auto more = is_there(beyond - 1);
    if (!more) return more.error();
    if (!*more) break;
    there = beyond - 1;
    if (beyond > kLongestAllocation) {
      return fail(ErrorCode::kBadData, source.name() + ": no end of the allocation found");
    }
  }
  --beyond;
  while (beyond - there > 1) {
    const uint64_t middle = there + (beyond - there) / 2;
    const auto more = is_there(middle);
    if (!more) return more.error();
    (*more ? there : beyond) = middle;
  }
  return beyond;
}

}  // namespace

// The reader, which lives on the event loop.
class DepotBytes::Host {
 public:
  Host(const std::string& name, Exnode exnode, const DepotReading& reading,
       std::shared_ptr<DiskLinks> disks)
      : disks_(std::move(disks)) {
    if (!disks_) {
      disks_ =
          std::make_shared<DiskLinks>(DiskLink::Options{.silence_ms = reading.timeouts.silence_ms});
    }
    thread().run([&] { reader_.emplace(*disks_, name, std::move(exnode), reading); });
  }
  ~Host() {
    thread().run([this] { reader_.reset(); });
  }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  void begin(ByteReads::Job job) {
    thread().post([this, job = std::move(job)]() mutable { reader_->begin(std::move(job)); });
  }
  void drop_unwanted() {
    thread().post([this] { reader_->drop_unwanted(); });
  }
  void finish() {
    thread().run([] {});
  }
  uint64_t retries() const { return reader_->retries(); }

 private:
  LoopThread& thread() { return disks_->thread(); }

  std::shared_ptr<DiskLinks> disks_;
  std::optional<DepotReader> reader_;
};

DepotBytes::DepotBytes(std::string name, Exnode exnode, const DepotReading& reading,
                       std::shared_ptr<DiskLinks> disks)
    : name_(std::move(name)),
      size_(exnode.size()),
      loads_(reading.loads),
      host_(std::make_unique<Host>(name_, std::move(exnode), reading, std::move(disks))) {}

DepotBytes::~DepotBytes() = default;

Result<Exnode> DepotBytes::read_exnode(const std::string& path) {
  const auto file = File::open_to_read(path);
  if (!file) return file.error();
  const auto size = file->size();
  if (!size) return size.error();
  if (*size > Exnode::kMostBytes) {
    return fail(ErrorCode::kLimit, fmt::format("{} is too large for an exNode: at most {} bytes",
                                               path, Exnode::kMostBytes));
  }
  std::string xml(*size, '\0');
  auto read = file->read(0, {reinterpret_cast<uint8_t*>(xml.data()), xml.size()});
  if (!read) return std::move(read.error());
  auto exnode = Exnode::parse(xml);
  if (!exnode) {
    return fail(exnode.error().code,
                fmt::format("{} cannot be read as an exNode: {}", path, exnode.error().message));
  }
  return exnode;
}

Result<std::unique_ptr<const ByteSource>> DepotBytes::open(const std::string& uri,
                                                           const GiveUp& give_up,
                                                           const DepotTimeouts& timeouts) {
  constexpr std::string_view kLocal = "lors://";
  const size_t end = std::min(uri.find('?'), uri.size());
  const std::string place = uri.substr(0, end);
  const auto parameters =
      parse_parameters(std::string_view(uri).substr(std::min(end + 1, uri.size())), timeouts);
  if (!parameters) return parameters.error();
  if (place.starts_with(kLocal)) {
    const std::string path = place.substr(kLocal.size());
    if (!path.starts_with('/')) {
      return fail(ErrorCode::kInvalidParams,
                  fmt::format("{} is not lors:///path/of/file.xnd", place));
    }
    auto exnode = read_exnode(path);
    if (!exnode) return std::move(exnode.error());
    return std::make_unique<const DepotBytes>(place, std::move(*exnode), parameters->reading);
  }
  auto capability = parse_read_capability(place);
  if (!capability) return std::move(capability.error());
  // The rest of the capability is secret.
  const std::string name = fmt::format("ibp://{}/…", address_text(capability->depot));
  const auto all = [&](uint64_t size) {
    return Exnode({{.bytes = size, .read = *capability}}, size);
  };
  uint64_t size = parameters->size.value_or(0);
  if (!parameters->size) {
    const DepotBytes endless(name, all(Exnode::kLongestFile), parameters->reading);
    const auto found = find_end(endless, give_up);
    if (!found) return found.error();
    size = *found;
  }
  return std::make_unique<const DepotBytes>(name, all(size), parameters->reading);
}

Result<void> DepotBytes::read(uint64_t offset, std::span<uint8_t> bytes) const {
  if (bytes.empty()) return {};
  if (offset > size_ || bytes.size() > size_ - offset) {
    return fail(ErrorCode::kBadData, fmt::format("{} ends at byte {}", name_, size_));
  }
  return read_and_wait(*host_, offset, bytes);
}

std::unique_ptr<ByteReads> DepotBytes::reads() const {
  return std::make_unique<HostReads<Host>>(*host_);
}

// A reader ahead needs only a few blocks, even with many LOADs per block.
ByteSource::Depth DepotBytes::depth() const {
  constexpr size_t kLeast = 4;
  constexpr size_t kBegin = 16;
  constexpr size_t kMost = 32;
  return {.begin = std::clamp(loads_, kLeast, kBegin), .most = std::clamp(loads_, kLeast, kMost)};
}

}  // namespace sail
