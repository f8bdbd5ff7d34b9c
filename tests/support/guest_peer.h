// What a page is to its guest: a WebSocket, and video and sound that libavcodec encodes. One
// thread, which waits.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sail/base/geometry.h"
#include "sail/wire/guest.h"

namespace test {

// Red, green and blue as 0xRRGGBB.
using VideoColours = std::function<uint32_t(int x, int y)>;

// A WebSocket client by hand.
class PageSocket {
 public:
  explicit PageSocket(uint16_t port, const std::string& origin = "http://127.0.0.1:7441");
  ~PageSocket();
  PageSocket(const PageSocket&) = delete;
  PageSocket& operator=(const PageSocket&) = delete;

  // The first line of the answer to the upgrade.
  const std::string& status() const { return status_; }
  // False: the connection has ended.
  bool send_text(const std::string& text) { return send(0x1, text); }
  bool send_binary(const std::string& bytes) { return send(0x2, bytes); }
  bool send_hello(const std::string& secret);
  bool send_raw(const std::string& bytes);
  // The next message; nothing: the connection has ended.
  std::optional<std::string> receive();
  void close();

 private:
  bool send(int kind, const std::string& payload);
  bool fill(size_t bytes);

  int descriptor_ = -1;
  std::string status_;
  std::string incoming_;
};

std::string video_text(const std::string& codec);
std::string chunk_message(bool key, const std::string& bytes);

std::string sound_message(int64_t timestamp_us, const std::string& bytes);

struct EncodedChunk {
  bool key = false;
  std::string bytes;
};

// One picture in, one chunk out.
class ChunkEncoder {
 public:
  ChunkEncoder(sail::VideoCodec codec, sail::Size size);
  ~ChunkEncoder();
  ChunkEncoder(const ChunkEncoder&) = delete;
  ChunkEncoder& operator=(const ChunkEncoder&) = delete;

  EncodedChunk encode(const VideoColours& colours, bool key = false);

 private:
  struct Impl;
  const std::unique_ptr<Impl> impl_;
};

// A tone on both channels, as packets of Opus, half as loud as can be.
class ToneEncoder {
 public:
  static constexpr int kPacketMs = 20;

  explicit ToneEncoder(int hz);
  ~ToneEncoder();
  ToneEncoder(const ToneEncoder&) = delete;
  ToneEncoder& operator=(const ToneEncoder&) = delete;

  std::string next();

 private:
  struct Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace test
