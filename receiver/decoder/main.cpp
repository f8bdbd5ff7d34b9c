// vitrail-decoder: decodes the access units of one carried stream for a receiver. Started by
// receiver/decode/decoder_process: the socket is standard input, the memory the descriptor after
// standard error.
#include <fmt/core.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <memory>
#include <string>

#include "receiver/decode/decoder_messages.h"
#include "receiver/decoder/carried_decoder.h"
#include "receiver/frame/picture_memory.h"
#include "sail/core/base/sanitized.h"
#include "sail/core/command_line/command_line.h"
#include "sail/core/process/sandbox.h"
#include "sail/core/text/limits.h"
#include "sail/core/wire/data/codec_name.h"

namespace receiver {
namespace {

constexpr const char* kAbout =
    "Decode the films of a Vitrail wall whose access units are sent undecoded (--codec carried).";

constexpr const char* kNotes =
    R"(vitrail-receiver and vitrail-recorder start one such process for each
stream, and start the process again if a film ends it. The process reads
requests from a socket on standard input and writes pictures to memory that it
shares with the receiver. It can open no file, socket or program, and its
memory is limited. It ends with the receiver. When they start, they ask for the
list of codecs (--list).)";

constexpr int kMemoryDescriptor = STDERR_FILENO + 1;
// Libraries, stacks of threads, and what a decoder needs in addition to pictures.
constexpr size_t kBaseBytes = size_t{512} << 20;
// Decoders of some codecs keep more pictures than carried_decoder_bytes() assumes.
constexpr size_t kPictureFactor = 2;

struct DecoderOptions {
  bool list = false;
  std::string codec;
  sail::Size size;
  PictureMemory::Shape shape;
};

void describe_decoder(const sail::Command& line, DecoderOptions& options) {
  line.notes(kNotes);
  const sail::Option codec = line.option("--codec", options.codec, "Codec of the access units")
                                 .form("NAME")
                                 .one_of({"h264", "h265", "av1", "vp9", "mjpeg"});
  codec.needs(line.option("--width", options.size.width, "Width of the pictures in pixels")
                  .form("N")
                  .between(1, sail::kMaxTileSide));
  codec.needs(line.option("--height", options.size.height, "Height of the pictures in pixels")
                  .form("N")
                  .between(1, sail::kMaxTileSide));
  codec.needs(line.option("--unit-bytes", options.shape.unit_bytes,
                          "Shared memory for the access units of a frame")
                  .form("BYTES"));
  codec.needs(
      line.option("--picture-bytes", options.shape.picture_bytes, "Shared memory for each picture")
          .form("BYTES"));
  codec.needs(
      line.option("--pictures", options.shape.pictures, "Number of pictures in the shared memory")
          .form("N"));
  line.flag("--list", options.list, "Print the codecs that FFmpeg decodes here, and exit")
      .excludes(codec);
  line.check([&options]() -> std::string {
    return options.list || !options.codec.empty() ? "" : "--codec or --list is missing";
  });
}

// The heap has the tighter limit, because the other one includes reserved addresses.
void limit_memory(const DecoderOptions& options) {
  const size_t heap = kBaseBytes + kPictureFactor * carried_decoder_bytes(options.size);
  const size_t shared =
      options.shape.unit_bytes + (options.shape.pictures + 1) * options.shape.picture_bytes;
  const rlimit most_heap{heap, heap};
  const rlimit most{2 * heap + kBaseBytes + shared, 2 * heap + kBaseBytes + shared};
  setrlimit(RLIMIT_DATA, &most_heap);
  setrlimit(RLIMIT_AS, &most);
}

sail::Result<void> enter_sandbox(const DecoderOptions& options) {
  if (sail::kSanitized) return {};
  // Without a core file, which could take seconds, the receiver learns of a crash at once.
  prctl(PR_SET_DUMPABLE, 0);
  limit_memory(options);
  return sail::give_up_rights(sail::FileRights::kNone);
}

void send_message(const DecoderMessage& message) {
  // Fails only if the receiver has ended; then there is nothing to read either.
  static_cast<void>(!write(STDIN_FILENO, message.data(), message.size()));
}

sail::Result<void> serve_receiver(const DecoderOptions& options, const PictureMemory& memory) {
  uint64_t number = 0;
  CarriedDecoder decoder(sail::parse_codec_name(options.codec)->id, options.size, [&number] {
    send_message(encode_reply({.number = number, .working = true}));
  });
  for (;;) {
    DecoderMessage message;
    const ssize_t bytes = read(STDIN_FILENO, message.data(), message.size());
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes <= 0) return {};  // the receiver has ended
    const auto request =
        decode_request(std::span(message).first(static_cast<size_t>(bytes)), memory.shape());
    if (!request) return sail::fail(sail::ErrorCode::kBadData, request.error().text);
    number = request->number;
    PlainBlock plain(memory, request->place);
    DecodeReply reply{.number = number};
    reply.outcome = decoder.decode(memory.units().first(request->unit_bytes), plain);
    if (reply.outcome == CarriedOutcome::kNew) reply.format = plain.format;
    reply.fault = decoder.fault();
    send_message(encode_reply(reply));
  }
}

sail::Result<void> run_decoder(const DecoderOptions& options) {
  if (options.list) {
    for (const std::string& name : decodable_codec_names()) fmt::print("{}\n", name);
    return {};
  }
  int kind = 0;
  socklen_t length = sizeof kind;
  if (getsockopt(STDIN_FILENO, SOL_SOCKET, SO_TYPE, &kind, &length) != 0 ||
      kind != SOCK_SEQPACKET) {
    return sail::fail(sail::ErrorCode::kInvalidParams,
                      "standard input is not a socket: vitrail-receiver starts this program");
  }
  const auto memory = PictureMemory::attach(kMemoryDescriptor, options.shape);
  if (!memory) return memory.error();
  const auto pixels =
      static_cast<size_t>(options.size.width) * static_cast<size_t>(options.size.height);
  // Enough for 4:2:2 with an odd width.
  if (options.shape.picture_bytes < 4 * pixels) {
    return sail::fail(sail::ErrorCode::kInvalidParams,
                      "--picture-bytes is less than four per pixel");
  }
  if (auto entered = enter_sandbox(options); !entered) return entered;
  // Afterwards, because a change of rights would reset it.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  return serve_receiver(options, **memory);
}

}  // namespace
}  // namespace receiver

int vitrail_decoder_main(int argc, char** argv) {
  sail::CommandLine line("vitrail-decoder", receiver::kAbout);
  receiver::DecoderOptions options;
  receiver::describe_decoder(line, options);
  return line.run(argc, argv, [&] { return receiver::run_decoder(options); });
}
