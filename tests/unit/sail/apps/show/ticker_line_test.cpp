#include "sail/apps/show/ticker_line.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sail {
namespace {

// The parts of a line as the ticker joins them.
std::string joined(const std::vector<std::string>& parts) {
  std::string line;
  for (const std::string& part : parts) {
    line += (line.empty() ? "" : "   \u2022   ") + ("\u2068" + part + "\u2069");
  }
  return line;
}

std::string rss(const std::string& items) {
  return "<?xml version=\"1.0\"?>\n<rss version=\"2.0\" "
         "xmlns:media=\"http://search.yahoo.com/mrss/\"><channel><title>News</title>" +
         items + "</channel></rss>";
}

std::string item(const std::string& title) {
  return "<item><title>" + title + "</title><description>no</description></item>";
}

std::string line_of(const std::string& file) {
  const auto line = line_of_file(file);
  EXPECT_TRUE(line) << line.error().message;
  return line ? line->text : "";
}

ErrorCode refusal_of(const std::string& file) {
  const auto line = line_of_file(file);
  EXPECT_FALSE(line) << line->text;
  return line ? ErrorCode::kInternal : line.error().code;
}

TEST(TickerLine, LinesOfATextFollowOneAnother) {
  EXPECT_EQ(line_of("\xef\xbb\xbf"
                    "Doors  open\tat 18:00\r\n\n  \nMind the step\n"),
            joined({"Doors open at 18:00", "Mind the step"}));
  EXPECT_EQ(line_of("a < b"), joined({"a < b"}));
}

TEST(TickerLine, TitlesOfAFeedFollowOneAnother) {
  EXPECT_EQ(line_of(rss(item("One") + item("<![CDATA[Two]]>") + item(" "))),
            joined({"One", "Two"}));
  EXPECT_EQ(line_of(R"(<feed xmlns="http://www.w3.org/2005/Atom"><title>Blog</title>
      <entry><title>a &lt;b&gt; c</title></entry>
      <entry><title type="html">a &lt;b&gt;c&lt;/b&gt;</title></entry></feed>)"),
            joined({"a <b> c", "a c"}));
  EXPECT_EQ(line_of(R"(<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
      xmlns="http://purl.org/rss/1.0/"><channel><title>No</title></channel>
      <item><title>Old</title></item></rdf:RDF>)"),
            joined({"Old"}));
}

TEST(TickerLine, TitlesOfPicturesInAnEntryAreLeftOut) {
  EXPECT_EQ(line_of(rss("<item><title>One</title><media:title>a picture</media:title></item>")),
            joined({"One"}));
}

TEST(TickerLine, HtmlInTitlesBecomesText) {
  EXPECT_EQ(text_of_html("<b>bold</b> &amp; <a href=\"x\">link</a>"), "bold & link");
  EXPECT_EQ(text_of_html("1 < 2 &lt; 3"), "1 < 2 < 3");
  EXPECT_EQ(text_of_html("caf&#233; &#x2019; &rsquo; &#128512;"),
            "caf\u00e9 \u2019 \u2019 \U0001F600");
  EXPECT_EQ(text_of_html("R&D; &unknown; &#0; &#xd800; &#1114112; &"),
            "R&D; &unknown; &#0; &#xd800; &#1114112; &");
  EXPECT_EQ(text_of_html("cut <img src="), "cut ");
}

TEST(TickerLine, DirectionMarksInTitlesCannotTurnTheLine) {
  EXPECT_EQ(line_of(rss(item("a\u202eb\u2069c"))), joined({"abc"}));
}

TEST(TickerLine, BadFeedsAreRefused) {
  for (const std::string& file :
       {std::string("<rss><channel>"), std::string("<html><body/></html>"), rss(""),
        std::string("<!DOCTYPE rss [<!ENTITY a \"aaaa\">]>") + rss(item("&a;")),
        rss(item("&nbsp;")), rss(std::string("<item>\0</item>", 14))}) {
    EXPECT_EQ(refusal_of(file), ErrorCode::kBadData) << file;
  }
  EXPECT_EQ(refusal_of(""), ErrorCode::kBadData);
  EXPECT_EQ(refusal_of("\n \n"), ErrorCode::kBadData);
  EXPECT_EQ(refusal_of("latin \xe9"), ErrorCode::kBadData);
}

TEST(TickerLine, LongTextsAreCut) {
  const auto title = line_of_file(rss(item(std::string(5000, 'x'))));
  ASSERT_TRUE(title);
  EXPECT_EQ(title->text, joined({std::string(kMostTickerTitle, 'x') + "\u2026"}));

  std::string items;
  for (size_t i = 0; i < kMostTickerTitles + 10; ++i) items += item(fmt::format("t{}", i));
  const auto many = line_of_file(rss(items));
  ASSERT_TRUE(many);
  EXPECT_EQ(many->text.find(fmt::format("t{}\u2069", kMostTickerTitles)), std::string::npos);
  EXPECT_NE(many->text.find(fmt::format("t{}\u2069", kMostTickerTitles - 1)), std::string::npos);

  std::string lines;
  for (int i = 0; i < 200; ++i) lines += std::string(300, 'y') + "\n";
  const auto text = line_of_file(lines);
  ASSERT_TRUE(text);
  EXPECT_TRUE(text->shortened);
  EXPECT_LE(text->text.size(), kMostTickerLine);
  EXPECT_GT(text->text.size(), kMostTickerLine - 400);
  const auto one = line_of_file(std::string(100'000, 'z'));
  ASSERT_TRUE(one);
  EXPECT_LE(one->text.size(), kMostTickerLine);
}

}  // namespace
}  // namespace sail
