// All limits of the protocol. Sizes from peers are checked against them before memory is allocated.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sail {

// Control plane.
constexpr int kControlProtocol = 3;
constexpr uint16_t kDefaultControlPort = 7440;
constexpr uint16_t kDefaultFilmServerPort = 7450;
constexpr uint16_t kMulticastPort = 7454;
constexpr int kMaxHops = 255;                 // TTL or hop limit
constexpr size_t kMaxControlLine = 1 << 20;   // bytes of one JSON message
constexpr int kMaxJsonDepth = 16;             // nested objects and arrays
constexpr size_t kMaxControlQueue = 4 << 20;  // unsent bytes; beyond that the peer is disconnected
// Unsent bytes beyond which periodic messages for the peer are skipped.
constexpr size_t kMaxDroppableQueue = 256 << 10;
constexpr size_t kMaxUnsentOfAll = 64 << 20;       // unsent bytes of all peers of a server together
constexpr int kHelloTimeoutMs = 5000;              // then a peer without a hello is disconnected
constexpr size_t kMaxUnauthenticatedBytes = 4096;  // until its hello is accepted, hello included
constexpr size_t kMaxUnauthenticated = 256;        // peers without an accepted hello
constexpr int kCallTimeoutMs = 5000;
constexpr int kHeartbeatMs = 1000;         // ping interval
constexpr int kHeartbeatTimeoutMs = 5000;  // liveness timeout
constexpr size_t kMaxNameLength = 64;      // bytes of tile and receiver names
constexpr size_t kMaxTitleLength = 200;    // bytes of window titles
constexpr size_t kMaxKeySecret = 256;      // bytes of a key's secret
constexpr size_t kMaxKeyName = 64;
constexpr size_t kNonceDigits = 32;
constexpr size_t kProofDigits = 64;
constexpr size_t kMaxMethodLength = 64;
constexpr int kMaxPeers = 1024;              // UI clients of one manager, and as many applications
constexpr size_t kMaxContentMedia = 256;     // media of one window
constexpr size_t kMaxContentBytes = 16384;   // bytes of their names together
constexpr int kMaxPages = 1000000;           // pages of a document
constexpr int kMaxSubtitleTrack = 64;        // of a film and the files beside it
constexpr int kMinThumbnailSide = 64;        // pixels
constexpr int kMaxThumbnailSide = 640;       // pixels
constexpr int kMaxThumbnailsPerSecond = 10;  // thumbnails of one window
constexpr size_t kMaxThumbnailBytes = 96 << 10;  // bytes of one JPEG
// Speaker's notes of one document. With these limits, they fit into one message.
constexpr size_t kMaxNotedPages = 2000;
constexpr size_t kMaxPageNotes = 8192;        // bytes of the notes of one page
constexpr size_t kMaxNotesBytes = 384 << 10;  // bytes of all notes and titles

// Numbers of both planes.
constexpr uint64_t kMaxCounter = (uint64_t{1} << 53) - 1;  // frames and epochs: exact in any JSON
constexpr int64_t kMaxTimeNs = 4'000'000'000'000'000'000;  // sums and differences fit 64 bits

// The wall.
constexpr int kMaxTiles = 1024;
constexpr size_t kMaxRecorders = 8;   // at a time, in addition to the wall's receivers
constexpr int kMaxTileSide = 16384;   // pixels
constexpr int kMaxWallSide = 131072;  // pixels
constexpr int kMaxWindows = 4096;
constexpr int kMaxWindowSide = 65536;      // wall pixels
constexpr int kMaxWindowOffset = 1000000;  // |x|, |y| of a window

// Events that switch scenes.
constexpr size_t kMaxEventRules = 1000;
constexpr size_t kMaxEventRulesBytes = kMaxControlLine;
constexpr size_t kMaxEventConditions = 16;     // of one rule
constexpr size_t kMaxEventActions = 16;        // of one rule
constexpr size_t kMaxEventPayload = 64 << 10;  // bytes as JSON
constexpr size_t kMaxActiveEvents = 16;

// Overlay drawn by receivers above the windows.
constexpr size_t kMaxLabels = 4096;
constexpr size_t kMaxLabelLines = 8;
constexpr size_t kMaxLabelLine = 120;        // bytes
constexpr size_t kMaxOverlayPointers = 256;  // visible at a time
constexpr size_t kMaxStyledPointers = 16;    // spotlights and magnifiers
constexpr size_t kMaxPointerTrail = 8;       // points behind a laser's dot
constexpr int kMaxMagnification = 8;
constexpr size_t kMaxBlanks = 64;      // black areas, and windows with a text over them
constexpr size_t kMaxBlankText = 200;  // bytes
// Drawings of windows, and that of the wall. With these limits, they fit into one message.
constexpr size_t kMaxDrawings = 65;
constexpr size_t kMaxStrokes = 1000;       // of all drawings
constexpr size_t kMaxStrokePoints = 500;   // of one stroke
constexpr size_t kMaxDrawnPoints = 20000;  // of all strokes
constexpr size_t kMaxDrawingClip = 64;     // rectangles
constexpr int kMaxStrokeWidth = 2000;      // wall pixels

// Data plane.
constexpr uint8_t kDataProtocol = 7;
constexpr int kMaxFrameSide = 16384;  // pixels of a stream's frame
constexpr int kMinBlockSide = 16;     // pixels; block sides are multiples of 4
constexpr int kMaxBlockSide = kMaxFrameSide;
constexpr bool is_block_side(int side) {
  return side >= kMinBlockSide && side <= kMaxBlockSide && side % 4 == 0;
}
// Blocks with several resolutions (JPEG 2000) have sides that are multiples of this, so that their
// halved pictures meet without gaps, with or without chroma subsampling.
constexpr int kScalableBlockStep = 16;
constexpr int kMaxBlocksPerSide = kMaxFrameSide / kMinBlockSide;  // block columns or rows
constexpr size_t kMaxRouteRects = 16384;       // of one routing map; fits well into a control line
constexpr size_t kMaxCodecNames = 32;          // codecs offered for one stream
constexpr size_t kMaxCodecReason = 400;        // bytes
constexpr size_t kMaxPurpose = 512;            // bytes; see OpenStream::purpose
constexpr size_t kMaxCloseText = 512;          // bytes
constexpr size_t kMaxMessageBody = 128 << 20;  // bytes after the header of one data message
constexpr size_t kMaxHelloStreams = 256;       // streams that a reconnecting receiver lists
constexpr int kMaxFramesInFlight = 32;         // unreported frames of a stream
constexpr int kMaxDelayMs = 2000;              // from a frame's submission to its swap
constexpr int kDataOpenTimeoutMs = 5000;       // from connect to an accepted first message
constexpr int kMaxStreamsPerReceiver = 512;
constexpr int kMaxSoundsPerReceiver = 64;  // connections for the sound of a stream
constexpr int kMinSoundRate = 8000;        // Hz
constexpr int kMaxSoundRate = 192000;
constexpr int kMaxSoundChannels = 8;
constexpr int kMaxFadeMs = 10000;
constexpr int kMaxSceneFadeMs = 2000;             // from one layout to the next
constexpr size_t kMaxSoundBytes = 8192;           // samples of one message
constexpr int64_t kMaxSoundAheadNs = 2000000000;  // how far ahead of its playback sound is sent
// Connections to one receiver without an accepted first message.
constexpr size_t kMaxUnprovenConnections = 128;

// The swap barrier.
// Frames and layouts are scheduled ahead of now by the slowest receiver's recent painting time, up
// to kMaxLeadNs, plus kMessageLeadNs for sending the message.
constexpr int64_t kMaxLeadNs = 25'000'000;
constexpr int64_t kMessageLeadNs = 1'000'000;
constexpr int kBarrierTimeoutMs = 500;      // then receivers that are not ready are left out
constexpr int kTransactionTimeoutMs = 500;  // then the layout is shown with the frames that arrived
constexpr int kStallTimeoutMs = 500;        // then SAIL closes a stalled data connection
constexpr int kDecodeTimeoutMs = 60000;     // then a receiver ends the decoder of a carried frame
// Maximum time between a frame's submission by the application and its presentation time. Less than
// the timeout of a receiver that sends no reports.
constexpr int64_t kMaxPresentAheadNs = 500'000'000;
constexpr int64_t kSamePresentNs = 500'000;  // group times that differ by at most this are equal
constexpr size_t kMaxGroups = 256;
constexpr size_t kMaxGroupMembers = 256;
// Senders of one stream, and the time that the first sender waits for the others.
constexpr int kMaxRanks = 64;
// Frames of a group without presentation times are matched by number: number × kPartNameNs serves
// as presentation time.
constexpr int64_t kPartNameNs = 1'000'000;
constexpr int kJoinTimeoutMs = 10000;

}  // namespace sail
