#include "sail/core/wire/data/data_messages.h"

namespace sail {

const char* data_type_name(DataType type) {
  switch (type) {
    case DataType::kStreamOpen:
      return "stream_open";
    case DataType::kStreamAccept:
      return "stream_accept";
    case DataType::kFrameBegin:
      return "frame_begin";
    case DataType::kBlockRun:
      return "block_run";
    case DataType::kFrameEnd:
      return "frame_end";
    case DataType::kFrameReport:
      return "frame_report";
    case DataType::kClose:
      return "close";
    case DataType::kSnapshotRequest:
      return "snapshot_request";
    case DataType::kPictureBegin:
      return "picture_begin";
    case DataType::kPictureRows:
      return "picture_rows";
    case DataType::kPictureEnd:
      return "picture_end";
    case DataType::kFrameReady:
      return "frame_ready";
    case DataType::kFrameShow:
      return "frame_show";
    case DataType::kSoundOpen:
      return "sound_open";
    case DataType::kSoundAccept:
      return "sound_accept";
    case DataType::kSound:
      return "sound";
    case DataType::kGroupOpen:
      return "group_open";
    case DataType::kGroupReady:
      return "group_ready";
    case DataType::kGroupDecision:
      return "group_verdict";
    case DataType::kMulticastJoin:
      return "multicast_join";
    case DataType::kMulticastState:
      return "multicast_state";
    case DataType::kMemoryOffer:
      return "memory_offer";
    case DataType::kMemoryState:
      return "memory_state";
    case DataType::kBlockPlaces:
      return "block_places";
  }
  return "unknown";
}

const char* close_reason_name(CloseReason reason) {
  switch (reason) {
    case CloseReason::kNormal:
      return "normal";
    case CloseReason::kBadMagic:
      return "bad_magic";
    case CloseReason::kBadVersion:
      return "bad_version";
    case CloseReason::kBadMessage:
      return "bad_message";
    case CloseReason::kUnknownStream:
      return "unknown_stream";
    case CloseReason::kUnsupported:
      return "unsupported";
    case CloseReason::kLimit:
      return "limit";
    case CloseReason::kTimeout:
      return "timeout";
    case CloseReason::kReplaced:
      return "replaced";
    case CloseReason::kShutdown:
      return "shutdown";
  }
  return "unknown";
}

}  // namespace sail
