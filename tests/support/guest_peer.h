// The web page's side of a guest connection: a WebSocket, and video and sound encoded by
// libavcodec. Single-threaded and blocking.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/wire/guest.h"

namespace test {

// Red, green and blue as 0xRRGGBB.
using VideoColours = std::function<uint32_t(int x, int y)>;

// A minimal WebSocket client.
class PageSocket {
 public:
  explicit PageSocket(uint16_t port, const std::string& origin = "http://127.0.0.1:7441");
  ~PageSocket();
  PageSocket(const PageSocket&) = delete;
  PageSocket& operator=(const PageSocket&) = delete;

  // First line of the answer to the upgrade request.
  const std::string& status() const { return status_; }
  // Return false if the connection has ended.
  bool send_text(const std::string& text) { return send(0x1, text); }
  bool send_binary(const std::string& bytes) { return send(0x2, bytes); }
  bool send_hello(const std::string& secret);
  bool send_raw(const std::string& bytes);
  // Waits for the next message. Empty optional: the connection has ended.
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

// Encodes one picture to one chunk.
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

// Encodes a tone of half amplitude on both channels to Opus packets.
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
