// Body sizes not needed by users of data_messages.h. For data_encode.cpp, data_decode.cpp
// and data_header.cpp only.
#pragma once

#include "sail/core/wire/data/data_messages.h"

namespace sail::data_layout {

constexpr size_t kStreamOpenBody = 28;
constexpr size_t kStreamAcceptBody = 28;
constexpr size_t kFrameBeginBody = kFrameBeginBytes - kDataHeaderBytes;
constexpr size_t kFrameEndBody = kFrameEndBytes - kDataHeaderBytes;
constexpr size_t kFrameReportBody = kFrameReportBytes - kDataHeaderBytes;
constexpr size_t kFrameReadyBody = kFrameReadyBytes - kDataHeaderBytes;
constexpr size_t kFrameShowBody = kFrameShowBytes - kDataHeaderBytes;
constexpr size_t kSoundOpenBody = 8;
constexpr size_t kGroupOpenBody = 8;
constexpr size_t kGroupReadyBody = kGroupReadyBytes - kDataHeaderBytes;
constexpr size_t kGroupDecisionBody = kGroupDecisionBytes - kDataHeaderBytes;
constexpr size_t kMulticastJoinBody = 44;
constexpr size_t kMulticastStateFixedBytes = 12;
constexpr size_t kMemoryOfferBody = 8;
constexpr size_t kMemoryStateFixedBytes = 4;
constexpr size_t kCloseFixedBytes = 4;
constexpr size_t kSnapshotRequestBody = 16;
constexpr size_t kPictureBeginFixedBytes = 24;
constexpr size_t kWindowFrameBytes = 12;
constexpr size_t kBgraBytes = 4;

}  // namespace sail::data_layout
