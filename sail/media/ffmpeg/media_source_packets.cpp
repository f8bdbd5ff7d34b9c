#include "sail/media/ffmpeg/media_source_packets.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "sail/media/ffmpeg/media_source_display.h"
#include "sail/media/ffmpeg/media_source_file.h"
#include "sail/media/ffmpeg/media_source_formats.h"

namespace sail {
namespace {

struct PacketPicture : StoredPicture {
  AvPtr<AVPacket> packet{av_packet_alloc()};
};

class PacketInput : public CodestreamInput {
 public:
  PacketInput(const std::string& name, MediaOptions options)
      : file_(name, alone(std::move(options))) {}

  Result<void> open();

  std::unique_ptr<StoredPicture> make_picture() const override {
    return std::make_unique<PacketPicture>();
  }
  bool read(StoredPicture& picture) override;
  void refuse(const StoredPicture& picture, const std::string& fault) override;
  Result<void> seek(int64_t position_ns) override;
  SourceInfo info() const override { return file_.info(); }
  double pixel_aspect() const override;
  std::optional<codecs::ColorMatrix> matrix() const override;
  std::optional<codecs::ColorRange> range() const override;
  std::optional<std::string> take_complaint() override { return file_.take_complaint(); }
  uint64_t take_left_out() override { return file_.take_left_out(); }

 private:
  static MediaOptions alone(MediaOptions options) {
    options.alone = true;
    return options;
  }

  MediaFile file_;
};

Result<void> PacketInput::open() {
  auto opened = file_.open(MediaConnection::Probe::kHeader);
  if (!opened) return opened;
  if (file_.stream().codecpar->codec_id != AV_CODEC_ID_JPEG2000) {
    return fail(ErrorCode::kBadData, fmt::format("{} is not stored as JPEG 2000", file_.url()));
  }
  // Receivers do not convert such colours.
  if (has_wide_color(*file_.stream().codecpar)) {
    return fail(ErrorCode::kBadData,
                fmt::format("{} has HDR or wide colours, which must be decoded", file_.url()));
  }
  return {};
}

bool PacketInput::read(StoredPicture& picture) {
  auto& stored = static_cast<PacketPicture&>(picture);
  if (!stored.packet) return false;
  av_packet_unref(stored.packet.get());
  if (!file_.read(*stored.packet)) {
    file_.note_early_end();
    return false;
  }
  const AVPacket& packet = *stored.packet;
  stored.bytes = {packet.data, static_cast<size_t>(std::max(packet.size, 0))};
  // All pictures are independent, so they are shown in stored order.
  stored.pts_ns = file_.film_time_ns(packet.pts != AV_NOPTS_VALUE ? packet.pts : packet.dts);
  stored.duration_ns = file_.duration_ns(packet.duration, nullptr);
  file_.expect(stored.pts_ns + stored.duration_ns);
  return true;
}

void PacketInput::refuse(const StoredPicture& picture, const std::string& fault) {
  const AVPacket& packet = *static_cast<const PacketPicture&>(picture).packet;
  file_.note_fault(packet.pts, "the picture " + fault);
}

Result<void> PacketInput::seek(int64_t position_ns) {
  if (file_.jump_before(position_ns)) return {};
  if (file_.repeatable()) return open();
  return fail(ErrorCode::kUnavailable, fmt::format("cannot seek in {}", file_.url()));
}

double PacketInput::pixel_aspect() const {
  const AVRational container = file_.stream().sample_aspect_ratio;
  return MediaFile::usual_aspect(container.num > 0 ? container
                                                   : file_.stream().codecpar->sample_aspect_ratio);
}

std::optional<codecs::ColorMatrix> PacketInput::matrix() const {
  return container_matrix(*file_.stream().codecpar);
}

std::optional<codecs::ColorRange> PacketInput::range() const {
  return container_range(*file_.stream().codecpar);
}

}  // namespace

bool is_codestream_container(const std::string& name) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(name, ignored) && PacketInput(name, {}).open();
}

Result<std::unique_ptr<CodestreamInput>> open_codestream_container(
    const std::string& name, std::function<bool()> interrupted, const Log* log) {
  MediaOptions options;
  options.interrupted = std::move(interrupted);
  options.log = log;
  auto input = std::make_unique<PacketInput>(name, std::move(options));
  auto opened = input->open();
  if (!opened) return std::move(opened.error());
  return std::unique_ptr<CodestreamInput>(std::move(input));
}

}  // namespace sail
