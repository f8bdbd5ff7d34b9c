// SAIL's side of a data connection to a receiver, from bytes to pixels. The first byte of the input
// chooses the codec. Frames must stay complete and consistent.
#include <algorithm>
#include <cstring>
#include <span>

#include "codecs/color/convert.h"
#include "codecs/dxt/dxt.h"
#include "receiver/decode/block_decoder.h"
#include "receiver/frame/canvas.h"
#include "receiver/intake/frame_assembler.h"
#include "receiver/intake/message_reader.h"
#include "tests/fuzz/fuzz.h"

namespace {

using namespace receiver;

// 3 × 2 blocks; the last ones are smaller and not multiples of texel blocks.
const sail::BlockGrid kGrid({75, 50}, {32, 32});

// DXT and raw pixels, each without and with both second stages, then JPEG 2000.
sail::StreamCodec codec_of(uint8_t choice) {
  using codecs::CodecId;
  constexpr uint8_t kRaw = 9, kJ2k = 12, kAll = 14;
  choice %= kAll;
  if (choice >= kJ2k) return {.id = choice == kJ2k ? CodecId::kJ2k : CodecId::kHtj2k};
  const auto compression = static_cast<codecs::Compression>(choice / 3 % 3);
  if (choice < kRaw) return {static_cast<CodecId>(1 + choice % 3), compression};
  return {CodecId::kRaw, static_cast<codecs::Compression>(choice - kRaw)};
}

// Takes messages as a data session does, and paints every complete frame.
class Session final : public MessageSink {
 public:
  explicit Session(const sail::StreamCodec& codec)
      : assembler_({.stream = 1, .session = 1, .codec = codec, .grid = kGrid}) {}

  std::optional<sail::DataError> on_message(const sail::DataHeader& header,
                                            std::span<const uint8_t> body) override {
    if (header.type == sail::DataType::kFrameBegin) {
      const auto message = sail::decode_frame_begin(body);
      if (!message) return message.error();
      auto before = assembler_.begin(*message);
      if (!before) return before.error();
      if (*before) done(*std::move(before));
      return std::nullopt;
    }
    const auto message = sail::decode_frame_end(body);
    if (!message) return message.error();
    auto ended = assembler_.end(*message);
    if (!ended) return ended.error();
    if (ended->whole) show(*ended->frame);
    done(std::move(ended->frame));
    return std::nullopt;
  }
  sail::DataResult<std::span<uint8_t>> on_run(const sail::DataHeader&, const sail::BlockRun& run,
                                              std::span<const uint32_t> lengths) override {
    return assembler_.place(run, lengths);
  }
  std::optional<sail::DataError> on_run_filled() override {
    assembler_.placed();
    return std::nullopt;
  }

 private:
  void show(Frame& frame) {
    if (needs_decoding(frame.codec())) decoder_.decode(frame);
    for (int row = 0; row < frame.grid().rows(); ++row) {
      for (int column = 0; column < frame.grid().columns(); ++column) {
        if (frame.has(column, row)) paint(frame, column, row);
      }
    }
  }
  void paint(const Frame& frame, int column, int row) {
    fuzz::require(frame.version(column, row) <= frame.key().number,
                  "no block is newer than its frame");
    uint8_t pixels[32 * 32 * 4];
    const sail::Rect rect = frame.grid().block_rect(column, row);
    const ptrdiff_t stride = rect.width * kBytesPerPixel;
    const uint8_t* plain = frame.plain(column, row);
    if (plain == nullptr) return;
    if (codecs::is_dxt(frame.codec().id)) {
      codecs::dxt_decode(frame.codec().id, plain, rect.width, rect.height, 0, 0, rect.width,
                         rect.height, {pixels, stride}, codecs::CpuLevel::kReference);
    } else {
      codecs::convert_to_bgra(frame.picture(column, row), 0, 0, rect.width, rect.height,
                              {pixels, stride}, codecs::CpuLevel::kReference);
    }
  }
  void done(std::unique_ptr<Frame> frame) {
    assembler_.count_reported();
    assembler_.recycle(std::move(frame));
  }

  FrameAssembler assembler_;
  sail::WorkerPool pool_{0};
  BlockDecoder decoder_{pool_};
};

}  // namespace

FUZZ_TARGET(stream_bytes) {
  if (size == 0) return 0;
  Session session(codec_of(data[0]));
  MessageReader reader(session);
  std::span<const uint8_t> bytes(data + 1, size - 1);
  while (!bytes.empty()) {
    const std::span<uint8_t> buffer = reader.read_buffer();
    fuzz::require(!buffer.empty(), "there is always room for the next byte");
    const size_t count = std::min(buffer.size(), bytes.size());
    std::memcpy(buffer.data(), bytes.data(), count);
    bytes = bytes.subspan(count);
    if (reader.on_read(count)) return 0;
  }
  return 0;
}
