// Rules about objects, and the file that keeps them.
#include "manager/rights/object_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "manager/rights/object_rights.h"
#include "manager/wall/partitions.h"
#include "sail/core/text/limits.h"
#include "tests/support/temp_folder.h"

namespace manager {
namespace {

using sail::ErrorCode;
using sail::Json;
using testing::HasSubstr;

const WallObject kLeft{ObjectKind::kPartition, {"left"}};
const Asker kAnn{.key = "user/ann"};
const Asker kBob{.key = "operator/bob"};
const Asker kAdmin{.key = "admin/1", .admin = true};

Json rule_about(const char* kind, const char* name, const char* who, const Json& may) {
  return {{kind, name}, {"who", {who}}, {"may", may}};
}

ObjectRules rules_of(const Json& list) {
  auto rules = ObjectRules::read(list);
  EXPECT_TRUE(rules) << rules.error().message;
  return rules ? *rules : ObjectRules();
}

TEST(ObjectRules, AnObjectWithoutARuleIsOpen) {
  const ObjectRules rules =
      rules_of(Json::array({rule_about("partition", "right", "user/ann", {"show"})}));
  EXPECT_TRUE(rules.check(kBob, Act::kArrange, kLeft));
  EXPECT_TRUE(rules.check(kBob, Act::kArrange, {ObjectKind::kScene, {"right"}}));
}

TEST(ObjectRules, AnObjectWithARuleIsForThoseWhomItNames) {
  const ObjectRules rules =
      rules_of(Json::array({rule_about("partition", "l*", "user/ann", {"show"}),
                            rule_about("partition", "left", "user/*", {"control"})}));
  EXPECT_TRUE(rules.check(kAnn, Act::kDisplay, kLeft));
  EXPECT_TRUE(rules.check(kAnn, Act::kControl, kLeft));
  EXPECT_FALSE(rules.check(kAnn, Act::kArrange, kLeft)) << "no rule permits it";
  EXPECT_TRUE(rules.check(kAdmin, Act::kArrange, kLeft));
  const auto refused = rules.check(kBob, Act::kControl, kLeft);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnauthorized);
  EXPECT_THAT(refused.error().message, HasSubstr("'control' for partition 'left': rules[0]"));
  EXPECT_THAT(refused.error().message, HasSubstr("'user/*' and admins"));
}

TEST(ObjectRules, AGroupIsNeverTakenForAKey) {
  const ObjectRules rules =
      rules_of(Json::array({rule_about("partition", "left", "group:/wall/op*", {"show"}),
                            rule_about("partition", "left", "*admins", {"arrange"}),
                            rule_about("partition", "left", "group:*", {"hear"})}));
  const auto may = [&rules](const Asker& asker, Act act) {
    return rules.check(asker, act, kLeft).has_value();
  };
  const Asker ann{.key = "user/ann", .groups = {"staff", "/wall/operators"}};
  EXPECT_TRUE(may(ann, Act::kDisplay));
  EXPECT_TRUE(may(ann, Act::kHear));
  EXPECT_FALSE(may(kAnn, Act::kDisplay));
  EXPECT_FALSE(may(kAnn, Act::kHear)) << "in no group";
  EXPECT_FALSE(may({.key = "group:/wall/operators"}, Act::kDisplay)) << "a key";
  EXPECT_FALSE(may({.key = "user/ann", .groups = {"admins", "x/admins"}}, Act::kArrange))
      << "a pattern of keys";
  EXPECT_TRUE(may({.key = "user/admins"}, Act::kArrange));
  const std::string longest(sail::kMaxTitleLength, 'g');
  rules_of(Json::array({rule_about("scene", "s", ("group:" + longest).c_str(), {"show"})}));
  for (const std::string& wrong : {std::string("group:"), "group:g" + longest, "g" + longest}) {
    EXPECT_FALSE(
        ObjectRules::read(Json::array({rule_about("scene", "s", wrong.c_str(), {"show"})})))
        << wrong;
  }
}

TEST(ObjectRules, EachNameOfAnObjectCounts) {
  const ObjectRules rules =
      rules_of(Json::array({rule_about("source", "cam[1]", "user/ann", {"show"}),
                            rule_about("source", "url/*", "user/ann", {"show"})}));
  EXPECT_FALSE(rules.check(kBob, Act::kDisplay, {ObjectKind::kSource, {"cam[1]"}}));
  EXPECT_FALSE(rules.check(kBob, Act::kDisplay, {ObjectKind::kSource, {"Door", "url/rtsp://a/b"}}));
  EXPECT_TRUE(rules.check(kBob, Act::kDisplay, {ObjectKind::kSource, {"cam1"}}))
      << "brackets stand for themselves";
}

TEST(ObjectRules, MistakesAreAllNamed) {
  const auto rules = ObjectRules::read(
      Json::array({Json{{"partition", "a"}, {"scene", "b"}, {"who", {"x"}}, {"may", {"show"}}},
                   Json{{"scene", ""}, {"who", {"x"}}, {"may", {"see"}}},
                   Json{{"scene", "s"}, {"who", "x"}, {"may", {"show"}}}}));
  ASSERT_FALSE(rules);
  EXPECT_EQ(rules.error().code, ErrorCode::kInvalidParams);
  for (const char* part : {"rules[0]", "rules[1]", "rules[2]", "'may'", "'who'"}) {
    EXPECT_THAT(rules.error().message, HasSubstr(part));
  }
  EXPECT_FALSE(ObjectRules::read(Json::object()));
}

class ObjectRightsFileTest : public testing::Test {
 protected:
  ObjectRights open() const { return ObjectRights(folder_.path()); }
  static ObjectLock lock_of(const Asker& owner) {
    return {.kind = ObjectKind::kPartition, .name = "left", .owner = owner.key, .who = "somebody"};
  }

  const sail::TempFolder folder_;
};

TEST_F(ObjectRightsFileTest, RulesAndLocksAreKept) {
  {
    ObjectRights rights = open();
    EXPECT_TRUE(rights.none());
    ASSERT_TRUE(rights.set(Json::array({rule_about("scene", "s", "user/ann", {"show"})})));
    ASSERT_TRUE(rights.lock(lock_of(kAnn)));
  }
  const ObjectRights rights = open();
  EXPECT_FALSE(rights.check(kBob, Act::kDisplay, {ObjectKind::kScene, {"s"}}));
  EXPECT_FALSE(rights.check(kBob, Act::kArrange, kLeft));
  EXPECT_EQ(rights.json()["locks"][0]["partition"], "left");
}

TEST_F(ObjectRightsFileTest, ALockExcludesAllOthersUntilItsOwnerOrAnAdminEndsIt) {
  ObjectRights rights = open();
  ASSERT_TRUE(rights.lock(lock_of(kAnn)));
  EXPECT_TRUE(rights.check(kAnn, Act::kArrange, kLeft));
  EXPECT_TRUE(rights.check(kBob, Act::kControl, kLeft)) << "the pictures stay in use";
  for (const Asker& other : {kBob, kAdmin}) {
    const auto refused = rights.check(other, Act::kDisplay, kLeft);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kConflict);
    EXPECT_THAT(refused.error().message, HasSubstr("'user/ann'"));
  }
  EXPECT_EQ(rights.unlock(kLeft, kBob).error().code, ErrorCode::kUnauthorized);
  EXPECT_TRUE(rights.unlock(kLeft, kAdmin));
  EXPECT_TRUE(rights.check(kBob, Act::kArrange, kLeft));
  EXPECT_EQ(rights.unlock(kLeft, kAdmin).error().code, ErrorCode::kNotFound);
}

TEST_F(ObjectRightsFileTest, ADamagedFileClosesEverythingToAllButAdmins) {
  folder_.write("rights.json", "{");
  ObjectRights rights = open();
  EXPECT_THAT(rights.damage(), HasSubstr("vitrail rights set"));
  EXPECT_FALSE(rights.none());
  EXPECT_TRUE(rights.kept().is_null()) << "the standby keeps its own";
  EXPECT_FALSE(rights.check(kAnn, Act::kDisplay, kLeft));
  EXPECT_TRUE(rights.check(kAdmin, Act::kDisplay, kLeft));
  const Partitions none;
  EXPECT_FALSE(rights.check(kAnn, Act::kDisplay, none, {0, 0, 9, 9}));
  EXPECT_TRUE(rights.check(kAdmin, Act::kDisplay, none, {0, 0, 9, 9}));
  ASSERT_TRUE(rights.set(Json::array()));
  EXPECT_TRUE(rights.damage().empty());
  EXPECT_TRUE(rights.check(kAnn, Act::kDisplay, kLeft));
  EXPECT_TRUE(open().damage().empty());
}

TEST_F(ObjectRightsFileTest, AWindowIsInEachPartitionThatItTouches) {
  ObjectRights rights = open();
  ASSERT_TRUE(rights.set(Json::array({rule_about("partition", "left", "user/ann", {"show"})})));
  Partitions partitions;
  ASSERT_TRUE(partitions.set({"left", {0, 0, 100, 100}}, {200, 100}));
  ASSERT_TRUE(partitions.set({"right", {100, 0, 100, 100}}, {200, 100}));
  EXPECT_TRUE(rights.check(kBob, Act::kDisplay, partitions, {100, 0, 50, 50}));
  EXPECT_FALSE(rights.check(kBob, Act::kDisplay, partitions, {99, 0, 50, 50}));
  EXPECT_EQ(rights.closed_to(kBob, partitions), std::vector{(sail::Rect{0, 0, 100, 100})});
  EXPECT_TRUE(rights.closed_to(kAnn, partitions).empty());
}

}  // namespace
}  // namespace manager
