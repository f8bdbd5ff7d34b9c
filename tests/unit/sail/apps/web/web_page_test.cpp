#include "sail/apps/web/web_page.h"

#include <gtest/gtest.h>

#include <vector>

namespace sail {
namespace {

using Use = PageKeys::Use;

Use with(const std::vector<const char*>& held, const char* key) {
  PageKeys keys;
  for (const char* one : held) keys.take(one, true);
  return keys.take(key, true);
}

TEST(PageKeys, WhatIsTypedIsOfThePage) {
  for (const char* key : {"a", "Q", "ж", "Enter", "Tab", "ArrowDown", "Escape", "F5", "/"}) {
    EXPECT_EQ(with({}, key), Use::kOfPage) << key;
  }
  EXPECT_EQ(with({"Shift"}, "A"), Use::kOfPage);
  EXPECT_EQ(with({"Control", "AltGraph"}, "@"), Use::kOfPage) << "AltGr of Windows";
  EXPECT_EQ(with({"Control"}, "c"), Use::kOfPage);
  EXPECT_EQ(with({"Control"}, "ArrowLeft"), Use::kOfPage);
  EXPECT_EQ(with({"Control", "Shift"}, "+"), Use::kOfPage);
  EXPECT_EQ(with({"Alt"}, "ArrowLeft"), Use::kOfPage) << "back";
}

TEST(PageKeys, WhatIsOfTheBrowserReachesNobody) {
  for (const char* key : {"o", "s", "p", "n", "t", "w", "u", "j", "h", "d", "O", "Tab", "F4"}) {
    EXPECT_EQ(with({"Control"}, key), Use::kOfNobody) << key;
  }
  for (const char* key : {"I", "J", "C", "N", "A", "O", "Delete", "Escape"}) {
    EXPECT_EQ(with({"Control", "Shift"}, key), Use::kOfNobody) << key;
  }
  for (const char* key : {"f", "d", "F4", "Home", " "}) {
    EXPECT_EQ(with({"Alt"}, key), Use::kOfNobody) << key;
  }
  for (const char* key :
       {"F1", "F6", "F11", "F12", "ContextMenu", "Meta", "Help", "Find", "Bogus"}) {
    EXPECT_EQ(with({}, key), Use::kOfNobody) << key;
  }
  EXPECT_EQ(with({"Shift"}, "F10"), Use::kOfNobody);
  EXPECT_EQ(with({"Shift"}, "Escape"), Use::kOfNobody);
  EXPECT_EQ(with({"Control", "Alt"}, "c"), Use::kOfNobody);
}

TEST(PageKeys, AsksForAnAddress) {
  EXPECT_EQ(with({"Control"}, "l"), Use::kAddress);
  EXPECT_EQ(with({"Control"}, "L"), Use::kAddress) << "with capitals locked";
  EXPECT_EQ(with({}, "l"), Use::kOfPage);
}

TEST(PageKeys, WhatIsLetGoIsHeldNoMore) {
  PageKeys keys;
  keys.take("Control", true);
  EXPECT_EQ(keys.take("Control", false), Use::kOfPage);
  EXPECT_EQ(keys.take("s", true), Use::kOfPage);
  keys.take("Control", true);
  EXPECT_EQ(keys.take("s", false), Use::kOfPage) << "whatever was pressed before";
  keys.forget();
  EXPECT_EQ(keys.take("s", true), Use::kOfPage);
}

}  // namespace
}  // namespace sail
