// Every bound of the protocol in one place. Sizes from outside are checked against these before
// memory is taken for them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sail {

// Control plane.
constexpr int kControlProtocol = 2;
constexpr uint16_t kDefaultControlPort = 7440;
constexpr uint16_t kDefaultFilmServerPort = 7450;
constexpr size_t kMaxControlLine = 1 << 20;   // bytes of one JSON message
constexpr int kMaxJsonDepth = 16;             // nested objects and arrays
constexpr size_t kMaxControlQueue = 4 << 20;  // unsent bytes; past that the peer is disconnected
// Past that, what will be told again soon is left out for the peer.
constexpr size_t kMaxDroppableQueue = 256 << 10;
constexpr size_t kMaxUnsentOfAll = 64 << 20;  // of all peers of a server together
constexpr int kHelloTimeoutMs = 5000;         // a peer that says nothing is disconnected
constexpr size_t kMaxStrangerBytes = 4096;    // from a peer before its hello was taken, with it
constexpr size_t kMaxStrangers = 256;         // peers whose hello has not been taken
constexpr int kCallTimeoutMs = 5000;
constexpr int kHeartbeatMs = 1000;         // how often a peer is asked for a sign of life
constexpr int kHeartbeatTimeoutMs = 5000;  // and when it is given up
constexpr size_t kMaxNameLength = 64;      // of tiles and receivers
constexpr size_t kMaxTitleLength = 200;    // of windows, bytes
constexpr size_t kMaxKeySecret = 256;      // of its secret
constexpr size_t kMaxKeyName = 64;
constexpr size_t kNonceDigits = 32;
constexpr size_t kProofDigits = 64;
constexpr size_t kMaxMethodLength = 64;
constexpr int kMaxPeers = 1024;  // UI clients of one manager; as many applications beside them
constexpr size_t kMaxContentMedia = 256;         // of one window
constexpr size_t kMaxContentBytes = 16384;       // of their names together
constexpr int kMaxPages = 1000000;               // of a document
constexpr int kMinThumbnailSide = 64;            // pixels
constexpr int kMaxThumbnailSide = 640;           // pixels
constexpr int kMaxThumbnailsPerSecond = 10;      // of one window
constexpr size_t kMaxThumbnailBytes = 96 << 10;  // of one JPEG

// Numbers of both planes.
constexpr uint64_t kMaxCounter = (uint64_t{1} << 53) - 1;  // frames, epochs: exact in any JSON
constexpr int64_t kMaxTimeNs = 4'000'000'000'000'000'000;  // differences and sums fit 64 bits

// The wall.
constexpr int kMaxTiles = 1024;
constexpr size_t kMaxRecorders = 8;   // at a time, besides the wall's receivers
constexpr int kMaxTileSide = 16384;   // pixels
constexpr int kMaxWallSide = 131072;  // pixels
constexpr int kMaxWindows = 4096;
constexpr int kMaxWindowSide = 65536;      // wall pixels
constexpr int kMaxWindowOffset = 1000000;  // |x|, |y| of a window

// What receivers draw over the windows.
constexpr size_t kMaxLabels = 4096;
constexpr size_t kMaxLabelLines = 8;
constexpr size_t kMaxLabelLine = 120;        // bytes
constexpr size_t kMaxOverlayPointers = 256;  // shown at once

// Data plane.
constexpr uint8_t kDataProtocol = 6;
constexpr int kMaxFrameSide = 16384;  // pixels of a stream's frame
constexpr int kMinBlockSide = 16;     // pixels; block sides are multiples of 4
constexpr int kMaxBlockSide = kMaxFrameSide;
constexpr bool is_block_side(int side) {
  return side >= kMinBlockSide && side <= kMaxBlockSide && side % 4 == 0;
}
// Sides of blocks that hold all resolutions, chroma subsampled or not, are multiples of this, so
// that their reduced pictures meet without gaps.
constexpr int kScalableBlockStep = 16;
constexpr int kMaxBlocksPerSide = kMaxFrameSide / kMinBlockSide;  // columns, rows of blocks
constexpr size_t kMaxRouteRects = 16384;       // of one routing map: fit well into a control line
constexpr size_t kMaxCodecNames = 32;          // offered for one stream
constexpr size_t kMaxCloseText = 512;          // bytes
constexpr size_t kMaxMessageBody = 128 << 20;  // bytes after the header of one data message
constexpr size_t kMaxHelloStreams = 256;       // that a receiver names which joins again
constexpr int kMaxFramesInFlight = 32;         // frames of a stream not yet reported
constexpr int kMaxDelayMs = 2000;              // of a frame, from submission to the swap
constexpr int kDataOpenTimeoutMs = 5000;       // from connect to an accepted first message
constexpr int kMaxStreamsPerReceiver = 512;
constexpr int kMaxSoundsPerReceiver = 64;  // connections with a stream's sound
constexpr int kMinSoundRate = 8000;        // samples a second
constexpr int kMaxSoundRate = 192000;
constexpr int kMaxSoundChannels = 8;
constexpr size_t kMaxSoundBytes = 8192;           // samples of one message
constexpr int64_t kMaxSoundAheadNs = 2000000000;  // that sound comes before it is heard
constexpr size_t kMaxUnprovenConnections = 128;  // of a receiver, without an accepted first message

// The swap barrier.
// How far ahead of now frames and layouts are shown: what the slowest receiver lately needed to
// paint, within this bound, and the way of the message.
constexpr int64_t kMaxLeadNs = 25'000'000;
constexpr int64_t kMessageLeadNs = 1'000'000;
constexpr int kBarrierTimeoutMs = 500;      // then a receiver that is not ready is left behind
constexpr int kTransactionTimeoutMs = 500;  // then a layout is shown with what has arrived
constexpr int kStallTimeoutMs = 500;        // then SAIL gives up a data connection that is stuck
// How long before it is to be seen an application may hand over a frame; less than what a receiver
// that reports nothing is given.
constexpr int64_t kMaxPresentAheadNs = 500'000'000;
constexpr int64_t kSamePresentNs = 500'000;  // times of a group that are no farther apart are one
constexpr size_t kMaxGroups = 256;
constexpr size_t kMaxGroupMembers = 256;
// Senders of one stream, and how long the first of them waits for the others.
constexpr int kMaxRanks = 64;
// In a group frames without a time are known by their numbers, as if each came that much later.
constexpr int64_t kPartNameNs = 1'000'000;
constexpr int kJoinTimeoutMs = 10000;

}  // namespace sail
