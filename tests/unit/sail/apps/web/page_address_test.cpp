#include "sail/apps/web/page_address.h"

#include <gtest/gtest.h>

namespace sail {
namespace {

std::string elsewhere(std::string_view text) {
  return page_address(text, PageReach::kElsewhere).value_or("");
}

TEST(PageAddress, IsTakenAsPeopleTypeIt) {
  EXPECT_EQ(elsewhere("vitrail.example"), "https://vitrail.example");
  EXPECT_EQ(elsewhere("  vitrail.example/a b "), "https://vitrail.example/a b");
  EXPECT_EQ(elsewhere("lab7:8080/x"), "https://lab7:8080/x") << "a port is no scheme";
  EXPECT_EQ(elsewhere("10.0.0.7:80"), "https://10.0.0.7:80");
  EXPECT_EQ(elsewhere("[fd00::7]:80"), "https://[fd00::7]:80");
  EXPECT_EQ(elsewhere("HTTP://vitrail.example"), "HTTP://vitrail.example");
  EXPECT_EQ(elsewhere("about:blank"), "about:blank");
}

TEST(PageAddress, OtherSchemesAreRefused) {
  for (const char* text : {"file:///etc/passwd", "FILE:/etc", "chrome://settings",
                           "javascript:alert(1)", "data:text/html,x", "view-source:http://a",
                           "about:version", "blob:x", "filesystem:http://a/b", "", " ", "a\nb"}) {
    EXPECT_EQ(elsewhere(text), "") << text;
  }
  EXPECT_EQ(page_address("file:///tmp/a.html", PageReach::kLocal).value_or(""),
            "file:///tmp/a.html");
  EXPECT_FALSE(page_address("chrome://settings", PageReach::kLocal));
  EXPECT_FALSE(page_address(std::string(1 << 20, 'a'), PageReach::kLocal));
}

TEST(PageAddress, HasAHost) {
  EXPECT_EQ(host_of_page("https://vitrail.example/a?b"), "vitrail.example");
  EXPECT_EQ(host_of_page("http://ann:secret@lab7:8080"), "lab7:8080");
  EXPECT_EQ(host_of_page("file:///tmp/a"), "");
  EXPECT_EQ(host_of_page("about:blank"), "");
}

}  // namespace
}  // namespace sail
