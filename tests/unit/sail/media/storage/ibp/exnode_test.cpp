#include "sail/media/storage/ibp/exnode.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "sail/core/auth/proof.h"
#include "tests/support/depot.h"

namespace sail {
namespace {

using test::ExnodeText;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

constexpr const char* kA = "ibp://a:6714/k/1/READ";
constexpr const char* kB = "ibp://b:6714/k/1/READ";

std::string refusal(const std::string& xml) {
  const auto exnode = Exnode::parse(xml);
  if (exnode) return "it was taken";
  EXPECT_TRUE(exnode.error().code == ErrorCode::kBadData ||
              exnode.error().code == ErrorCode::kLimit);
  return exnode.error().message;
}

std::string function(const std::string& name, const std::string& inside = "") {
  return "  <exnode:function name=\"" + name + "\">" + inside + "</exnode:function>\n";
}

std::string with_block(uint64_t bytes) {
  return fmt::format("<exnode:argument name=\"blocksize\" type=\"integer\">{}</exnode:argument>",
                     bytes);
}

TEST(Exnode, MappingsComeInAnyOrderOverlapAndLeaveHoles) {
  ExnodeText text;
  text.add(300, 100, kA, 7);
  text.add(0, 150, kA);
  text.add(100, 100, kB);
  text.add(500, 0, kB);
  const auto exnode = Exnode::parse(text.text());
  ASSERT_TRUE(exnode) << exnode.error().message;
  EXPECT_EQ(exnode->size(), 400U);
  EXPECT_EQ(exnode->mappings().size(), 3U);
  EXPECT_THAT(exnode->holding(0), UnorderedElementsAre(0));
  EXPECT_THAT(exnode->holding(120), UnorderedElementsAre(0, 1));
  EXPECT_THAT(exnode->holding(199), UnorderedElementsAre(1));
  EXPECT_THAT(exnode->holding(200), UnorderedElementsAre());
  EXPECT_EQ(exnode->hole_end(200), 300U);
  EXPECT_THAT(exnode->holding(399), UnorderedElementsAre(2));
  EXPECT_EQ(exnode->mappings()[2].stored(310, 320).offset, 17U);
  EXPECT_EQ(exnode->mappings()[2].read.depot.host, "a");
  const auto longer = Exnode::parse(text.text("450"));
  ASSERT_TRUE(longer);
  EXPECT_EQ(longer->size(), 450U);
  EXPECT_EQ(longer->hole_end(400), 450U);
}

// As the film server writes exNodes for films on disk servers.
TEST(Exnode, StripesHoldEveryNthUnit) {
  constexpr uint64_t kUnit = 1000;
  std::vector<ExnodeMapping> mappings;
  for (uint64_t i = 0; i < 3; ++i) {
    mappings.push_back({.begin = i * kUnit,
                        .bytes = 5 * kUnit - i * kUnit,
                        .at = 0,
                        .read = {},
                        .part = DiskPart{{"disk", 7452}, "film-" + std::to_string(i)},
                        .unit_bytes = kUnit,
                        .units = 3});
  }
  mappings.erase(mappings.begin() + 1);
  const auto exnode = Exnode::parse(Exnode(mappings, 5 * kUnit).text());
  ASSERT_TRUE(exnode) << exnode.error().message;
  EXPECT_EQ(exnode->size(), 5 * kUnit);
  EXPECT_THAT(exnode->holding(999), UnorderedElementsAre(0));
  EXPECT_THAT(exnode->holding(1000), UnorderedElementsAre()) << "it is missing";
  EXPECT_EQ(exnode->hole_end(1000), 2000U);
  EXPECT_THAT(exnode->holding(2999), UnorderedElementsAre(1));
  EXPECT_THAT(exnode->holding(3000), UnorderedElementsAre(0));
  EXPECT_THAT(exnode->holding(4000), UnorderedElementsAre());
  EXPECT_EQ(exnode->hole_end(4000), 5 * kUnit);
  const ExnodeMapping& first = exnode->mappings().front();
  EXPECT_EQ(first.part, mappings.front().part);
  EXPECT_EQ(first.end_from(3500), 4000U);
  EXPECT_EQ(first.stored(3500, 3600).offset, 1500U) << "its second unit";
  EXPECT_EQ(first.stored(3500, 3600).bytes, 100U);
}

TEST(Exnode, StripesThatMakeNoSenseAreRefused) {
  const auto reported = [](const std::string& read, const std::string& how) {
    const auto exnode = Exnode::parse(
        "<exnode><mapping><metadata name=\"exnode_offset\">0</metadata>"
        "<metadata name=\"logical_length\">5</metadata>" +
        how + "<read>" + read + "</read></mapping></exnode>");
    return exnode ? std::string("taken") : exnode.error().message;
  };
  const auto stripe = [](const char* unit, const char* count) {
    return std::string("<function name=\"stripe\"><argument name=\"unit\">") + unit +
           "</argument><argument name=\"count\">" + count + "</argument></function>";
  };
  const std::string part = "vitrail://disk/film-0";
  EXPECT_EQ(reported(part, ""), "taken");
  EXPECT_EQ(reported(part, stripe("1048576", "3")), "taken");
  EXPECT_THAT(reported(part, stripe("100", "3")), HasSubstr("stripes of 3 units of 100"));
  EXPECT_THAT(reported(part, stripe("1048576", "0")), HasSubstr("stripes of 0 units"));
  EXPECT_THAT(reported(part, stripe("1048576", "2000")), HasSubstr("stripes of 2000 units"));
  EXPECT_THAT(reported(part, stripe("512", "1") + stripe("512", "1")),
              HasSubstr("two stripe functions"));
  EXPECT_THAT(reported("ibp://a/k/1/READ", stripe("512", "1")), HasSubstr("only on disk servers"));
  for (const char* wrong : {"vitrail://", "vitrail://disk", "vitrail://disk/", "vitrail:///film",
                            "vitrail://disk/.film", "vitrail://disk/a/b"}) {
    EXPECT_THAT(reported(wrong, ""), HasSubstr("vitrail://HOST:PORT/NAME")) << wrong;
  }
}

TEST(Exnode, PrefixesMayBeOthersOrNone) {
  const auto exnode = Exnode::parse(
      "<x:exnode xmlns:x=\"somewhere\"><mapping>"
      "<metadata name=\"exnode_offset\"> 0 </metadata><metadata "
      "name=\"logical_length\">5</metadata>"
      "<x:read>\n ibp://a/k/1/READ\n</x:read></mapping>"
      "<metadata name=\"more\" type=\"meta\"><metadata name=\"size\">9</metadata></metadata>"
      "</x:exnode>");
  ASSERT_TRUE(exnode) << exnode.error().message;
  EXPECT_EQ(exnode->size(), 5U) << "the other size is something else's";
}

TEST(Exnode, FunctionsOtherThanTwoAreRefusedByName) {
  ExnodeText text;
  text.add(0, 10, kA, 0, function("identity"));
  text.add(10, 10, kA, 0, function("checksum", with_block(37)));
  const auto exnode = Exnode::parse(text.text());
  ASSERT_TRUE(exnode) << exnode.error().message;
  EXPECT_EQ(exnode->mappings()[1].checked_bytes, 4U);
  for (const char* name : {"des_encrypt", "aes_encrypt", "xor_encrypt", "zlib_compress", ""}) {
    ExnodeText other;
    other.add(0, 10, kA);
    other.add(10, 10, kA, 0, function(name));
    EXPECT_THAT(refusal(other.text()),
                HasSubstr(fmt::format("mapping 2: function '{}' is not supported", name)));
  }
  ExnodeText nested;
  nested.add(0, 10, kA, 0,
             function("checksum", with_block(37) + function("aes_encrypt", with_block(99))));
  EXPECT_THAT(refusal(nested.text()), HasSubstr("'aes_encrypt'"));
  ExnodeText twice;
  twice.add(0, 10, kA, 0, function("checksum", with_block(37) + function("checksum")));
  EXPECT_THAT(refusal(twice.text()), HasSubstr("two checksum functions"));
  for (const uint64_t bytes : {uint64_t{33}, uint64_t{1} << 40}) {
    ExnodeText strange;
    strange.add(0, 10, kA, 0, function("checksum", with_block(bytes)));
    EXPECT_THAT(refusal(strange.text()), HasSubstr("blocks of"));
  }
}

TEST(Exnode, BlocksWithChecksumsAreCheckedAndUnpacked) {
  // 10 bytes in blocks of 4: 4, 4 and 2.
  std::vector<uint8_t> data(10);
  std::iota(data.begin(), data.end(), uint8_t{'a'});
  std::string stored;
  for (size_t at = 0; at < data.size(); at += 4) {
    const auto block = std::span(data).subspan(at, std::min<size_t>(4, data.size() - at));
    stored += md5_text(block) + ":" + std::string(block.begin(), block.end());
  }
  const ExnodeMapping mapping{.begin = 100, .bytes = 10, .at = 5, .checked_bytes = 4, .read = {}};
  for (uint64_t from = 100; from < 110; ++from) {
    for (uint64_t to = from + 1; to <= 110; ++to) {
      const IbpPart part = mapping.stored(from, to);
      ASSERT_GE(part.offset, 5U);
      ASSERT_LE(part.offset - 5 + part.bytes, stored.size());
      const std::string came = stored.substr(part.offset - 5, part.bytes);
      const std::span bytes(reinterpret_cast<const uint8_t*>(came.data()), came.size());
      std::vector<uint8_t> got(to - from);
      ASSERT_TRUE(mapping.unpack(from, bytes, got)) << from << " " << to;
      EXPECT_TRUE(std::equal(got.begin(), got.end(), data.begin() + static_cast<long>(from) - 100));
    }
  }
  stored[40] ^= 1;
  const std::span all(reinterpret_cast<const uint8_t*>(stored.data()), stored.size());
  EXPECT_EQ(mapping.unpack(100, all, data).error().code, ErrorCode::kBadData);
}

TEST(Exnode, Md5IsAsItsAuthorDescribesIt) {  // RFC 1321, A.5
  EXPECT_EQ(md5_text("message digest"), "f96b697d7cb7938d525a2f31aaf161d0");
}

TEST(Exnode, WhatIsMissingOrWrongIsSaid) {
  ExnodeText text;
  text.add(0, 10, kA);
  const std::string good = text.text("10");
  ASSERT_TRUE(Exnode::parse(good));
  const auto with = [&good](const std::string& from, const std::string& to) {
    std::string changed = good;
    return changed.replace(changed.find(from), from.size(), to);
  };
  EXPECT_THAT(refusal(""), HasSubstr("line"));
  EXPECT_THAT(refusal(good.substr(0, good.size() - 5)), HasSubstr("line"));
  EXPECT_THAT(refusal("<html></html>"), HasSubstr("the root element is not 'exnode'"));
  EXPECT_THAT(refusal(with("exnode_offset", "x")),
              HasSubstr("mapping 1: 'exnode_offset' is missing"));
  EXPECT_THAT(refusal(with("logical_length", "x")), HasSubstr("'logical_length' is missing"));
  EXPECT_THAT(refusal(with(">10</exnode:metadata>\n  <exnode:metadata name=\"end",
                           ">-1</exnode:metadata>\n  <exnode:metadata name=\"end")),
              HasSubstr("'logical_length' is not a valid number"));
  EXPECT_THAT(refusal(with(">10</exnode:metadata>\n <exnode:mapping",
                           ">99999999999999999999</exnode:metadata>\n <exnode:mapping")),
              HasSubstr("'size' is not a valid number"));
  EXPECT_THAT(refusal(with("READ", "WRITE")), HasSubstr("mapping 1: a capability must be"));
  EXPECT_THAT(refusal(with("<exnode:read>", "<exnode:mapping/><exnode:read>")),
              HasSubstr("not a child of the root element"));
  std::string deep;
  for (int i = 0; i < 20; ++i) deep += "<metadata>";
  EXPECT_THAT(refusal("<exnode>" + deep), HasSubstr("too deep"));
  EXPECT_THAT(refusal("<exnode><mapping><read>" + std::string(5000, 'k')), HasSubstr("too long"));
}

// Growing or recursive entities, and references to local files.
TEST(Exnode, NoDocumentTypeIsTaken) {
  std::string bomb = "<!DOCTYPE exnode [<!ENTITY a0 \"boom\">";
  for (int i = 1; i < 20; ++i) {
    bomb += fmt::format("<!ENTITY a{0} \"&a{1};&a{1};&a{1};&a{1};\">", i, i - 1);
  }
  EXPECT_THAT(refusal("<?xml version=\"1.0\"?>" + bomb + "]><exnode>&a19;</exnode>"),
              HasSubstr("document type"));
  EXPECT_THAT(refusal("<!DOCTYPE exnode [<!ENTITY a \"&b;\"><!ENTITY b \"&a;\">]>"
                      "<exnode>&a;</exnode>"),
              HasSubstr("document type"));
  EXPECT_THAT(refusal("<!DOCTYPE exnode SYSTEM \"file:///etc/passwd\"><exnode/>"),
              HasSubstr("document type"));
  EXPECT_THAT(refusal("<exnode>&a;</exnode>"), HasSubstr("line"));
}

TEST(Exnode, AMillionMappingsAreTooMany) {
  const std::string one =
      "<mapping><metadata name='exnode_offset'>0</metadata><metadata name='logical_length'>1"
      "</metadata><read>ibp://a/k/1/READ</read></mapping>";
  std::string text = "<exnode>";
  for (size_t i = 0; i < Exnode::kMostMappings; ++i) text += one;
  ASSERT_TRUE(Exnode::parse(text + "</exnode>"));
  EXPECT_THAT(refusal(text + one), HasSubstr("more than 100000 mappings"));
  constexpr size_t kMillion = 1'000'000;
  for (size_t i = Exnode::kMostMappings; i < kMillion; ++i) text += one;
  EXPECT_THAT(refusal(text), HasSubstr("more than 67108864 bytes"));
}

TEST(Exnode, AsManyAsMayBeAreSearched) {
  std::vector<ExnodeMapping> mappings;
  for (uint64_t i = 0; i < Exnode::kMostMappings; ++i) {
    mappings.push_back({.begin = i * 10, .bytes = 10, .at = 0, .checked_bytes = 0, .read = {}});
  }
  const Exnode exnode(std::move(mappings), {});
  EXPECT_EQ(exnode.size(), Exnode::kMostMappings * 10);
  for (uint64_t place = 0; place < exnode.size(); place += 7) {
    ASSERT_THAT(exnode.holding(place), testing::ElementsAre(place / 10));
  }
}

}  // namespace
}  // namespace sail
