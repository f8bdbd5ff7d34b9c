// The dumps of sail/PROTOCOL.md ("Disk servers") have the documented values, encode to the same
// bytes, and are refused after changes.
#include "sail/core/wire/data/disk_messages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "tests/unit/sail/core/wire/protocol_text.h"

namespace sail {
namespace {

using Bytes = std::vector<uint8_t>;

Result<DiskMessage> decode(const Bytes& message) {
  if (message.size() < kDiskHeaderBytes) return fail(ErrorCode::kBadData, "no header");
  const auto header = decode_disk_header(std::span(message).first<kDiskHeaderBytes>());
  if (!header) return header.error();
  if (message.size() != kDiskHeaderBytes + header->body_bytes) {
    return fail(ErrorCode::kBadData, "another length");
  }
  return decode_disk(header->type, std::span(message).subspan(kDiskHeaderBytes));
}

template <typename Message>
Message example(const Bytes& bytes) {
  const auto message = decode(bytes);
  if (message && std::holds_alternative<Message>(*message)) return std::get<Message>(*message);
  ADD_FAILURE() << (message ? "another message" : message.error().message);
  return {};
}

TEST(DiskMessages, DumpsEncodeToTheSameBytes) {
  size_t dumps = 0;
  for (const auto& row : protocol_table("kind")) {
    const Bytes bytes = disk_example(row.at(1));
    const auto message = decode(bytes);
    ASSERT_TRUE(message) << row.at(1) << ": " << message.error().message;
    EXPECT_EQ(message->index(), dumps) << row.at(1);
    EXPECT_EQ(std::stoul(row.at(0)), ++dumps);
    const uint32_t number = bytes[8];
    EXPECT_EQ(encode_disk(number, *message), bytes) << row.at(1);
  }
  EXPECT_EQ(dumps, std::variant_size_v<DiskMessage>);
}

TEST(DiskMessages, DumpsHaveTheValuesTold) {
  const std::string part = "8f2c41d05ab37e96-0of2-1";
  EXPECT_EQ(example<DiskAsk>(disk_example("ask")),
            (DiskAsk{"000102030405060708090a0b0c0d0e0f", ""}));
  EXPECT_EQ(example<DiskWelcome>(disk_example("welcome")),
            (DiskWelcome{500'000'000, 1'000'000'000'000}));
  EXPECT_EQ(example<DiskRead>(disk_example("read")), (DiskRead{1 << 20, 8, part}));
  EXPECT_EQ(example<DiskFailed>(disk_example("failed")),
            (DiskFailed{DiskFault::kGone, "there is no such part"}));
  EXPECT_EQ(example<DiskStore>(disk_example("store")), DiskStore{part});
  EXPECT_EQ(example<DiskStored>(disk_example("stored")), (DiskStored{1 << 20, false}));
  EXPECT_EQ(example<DiskKeep>(disk_example("keep")), DiskKeep{(1 << 20) + 8});
  const Bytes bytes = disk_example("write");
  const auto write = example<DiskWrite>(bytes);
  EXPECT_EQ(write.offset, 1U << 20);
  EXPECT_EQ(write.bytes.size(), 8U);
}

TEST(DiskMessages, TheHeadBeforeBytesIsThatOfTheWhole) {
  const Bytes bytes = disk_example("bytes");
  const auto head = disk_bytes_head(7, 8);
  EXPECT_TRUE(std::equal(head.begin(), head.end(), bytes.begin()));
}

TEST(DiskMessages, WhatIsWrongIsRefused) {
  const auto with = [](const char* name, size_t at, uint8_t value) {
    Bytes bytes = disk_example(name);
    bytes.at(at) = value;
    return decode(bytes).has_value();
  };
  EXPECT_TRUE(with("read", 0, 'V'));
  EXPECT_FALSE(with("read", 0, 'W')) << "magic";
  EXPECT_FALSE(with("read", 4, 2)) << "version";
  EXPECT_FALSE(with("read", 5, 0)) << "no such kind";
  EXPECT_FALSE(with("read", 5, 12)) << "no such kind";
  EXPECT_FALSE(with("read", 6, 1)) << "reserved";
  EXPECT_FALSE(with("read", 16 + 7, 1)) << "so far no part goes";
  EXPECT_FALSE(with("read", 16 + 8, 0)) << "no bytes";
  EXPECT_FALSE(with("read", 16 + 11, 1)) << "too many bytes";
  EXPECT_FALSE(with("read", 16 + 12, '.')) << "a hidden file";
  EXPECT_FALSE(with("store", 16 + 3, '/')) << "a path";
  EXPECT_FALSE(with("ask", 16, 'G')) << "no digit";
  EXPECT_FALSE(with("prove", 20, ' ')) << "no digit";
  EXPECT_FALSE(with("failed", 16, 9)) << "no such fault";
  EXPECT_FALSE(with("stored", 16 + 8, 2)) << "neither whole nor not";
  for (const auto& row : protocol_table("kind")) {
    Bytes longer = disk_example(row.at(1));
    longer.resize(kDiskHeaderBytes + kMaxDiskBytes + kDiskWriteFixedBytes + 1);
    for (size_t i = 0; i < 4; ++i) {
      longer[12 + i] = static_cast<uint8_t>((longer.size() - kDiskHeaderBytes) >> (8 * i));
    }
    EXPECT_FALSE(decode(longer)) << row.at(1);
  }
}

TEST(DiskMessages, NamesOfPartsAreNoPaths) {
  EXPECT_TRUE(is_disk_part("8f2c-0of2-1"));
  EXPECT_TRUE(is_disk_part(std::string(kMaxDiskPartName, 'a')));
  for (const char* name : {"", ".", "..", ".new", "a/b", "a b", "ä", "a\n"}) {
    EXPECT_FALSE(is_disk_part(name)) << name;
  }
  EXPECT_FALSE(is_disk_part(std::string(kMaxDiskPartName + 1, 'a')));
}

}  // namespace
}  // namespace sail
