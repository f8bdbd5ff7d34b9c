// Speaker's notes of presentations as PowerPoint and LibreOffice write them, and of hostile ones.
#include "sail/apps/poster/speaker_notes.h"

#include <gsf/gsf-outfile-zip.h>
#include <gsf/gsf-outfile.h>
#include <gsf/gsf-output-stdio.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "sail/apps/poster/office_container.h"
#include "sail/core/text/limits.h"
#include "tests/support/temp_folder.h"

namespace sail {
namespace {

using Parts = std::map<std::string, std::string>;  // content by the name of the file

const std::string kTypes = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/";

std::string relationship(const std::string& id, const std::string& type, const std::string& target,
                         const std::string& more = "") {
  return "<Relationship Id=\"" + id + "\" Type=\"" + kTypes + type + "\" Target=\"" + target +
         "\" " + more + "/>";
}

std::string relationships(const std::string& all) {
  return "<Relationships xmlns=\"r\">" + all + "</Relationships>";
}

// A shape with a placeholder; empty: without one.
std::string pptx_shape(const std::string& type, const std::string& text) {
  const std::string placeholder = type.empty() ? "" : "<p:ph type=\"" + type + "\"/>";
  return "<p:sp><p:nvSpPr><p:nvPr>" + placeholder + "</p:nvPr></p:nvSpPr><p:txBody>" + text +
         "</p:txBody></p:sp>";
}

std::string pptx_paragraph(const std::string& text) {
  return "<a:p><a:r><a:t>" + text + "</a:t></a:r></a:p>";
}

std::string pptx_slide(const std::string& shapes, const std::string& attributes = "") {
  return "<p:sld xmlns:p=\"p\" xmlns:a=\"a\" xmlns:mc=\"mc\" " + attributes +
         "><p:cSld><p:spTree>" + shapes + "</p:spTree></p:cSld></p:sld>";
}

// Slides with notes: their files are named in the opposite order, as after a move.
Parts pptx(const std::vector<std::pair<std::string, std::string>>& slides) {
  Parts parts;
  std::string ids;
  std::string related;
  for (size_t i = 0; i < slides.size(); ++i) {
    const std::string number = std::to_string(slides.size() - i);
    ids += "<p:sldId id=\"" + std::to_string(256 + i) + "\" r:id=\"rId" + number + "\"/>";
    related += relationship("rId" + number, "slide", "slides/slide" + number + ".xml");
    parts["ppt/slides/slide" + number + ".xml"] = slides[i].first;
    parts["ppt/slides/_rels/slide" + number + ".xml.rels"] = relationships(
        relationship("rId1", "notesSlide", "../notesSlides/notesSlide" + number + ".xml"));
    parts["ppt/notesSlides/notesSlide" + number + ".xml"] = slides[i].second;
  }
  parts["_rels/.rels"] = relationships(relationship("rId1", "officeDocument", "ppt/main.xml"));
  parts["ppt/_rels/main.xml.rels"] = relationships(related);
  parts["ppt/main.xml"] =
      "<p:presentation xmlns:p=\"p\" xmlns:r=\"r\" xmlns:p14=\"p14\"><p:sldIdLst>" + ids +
      "</p:sldIdLst><p:extLst><p:ext><p14:sectionLst><p14:section><p14:sldIdLst><p14:sldId "
      "id=\"999\"/></p14:sldIdLst></p14:section></p14:sectionLst></p:ext></p:extLst>"
      "</p:presentation>";
  return parts;
}

ReadPart reader_of(const Parts& parts) {
  return [&parts](const std::string& name) -> Result<std::string> {
    const auto found = parts.find(name);
    if (found != parts.end()) return found->second;
    return fail(ErrorCode::kNotFound, "has no file " + name);
  };
}

std::vector<PageNotes> pages_of(const Parts& parts) {
  const auto pages = pptx_notes(reader_of(parts));
  EXPECT_TRUE(pages) << pages.error().message;
  return pages ? *pages : std::vector<PageNotes>();
}

// kInternal: there was no error.
ErrorCode code_of(const Result<std::vector<PageNotes>>& pages) {
  return pages ? ErrorCode::kInternal : pages.error().code;
}

std::string odp(const std::string& slides) {
  return "<o:document-content xmlns:o=\"o\" xmlns:style=\"s\" xmlns:draw=\"d\" xmlns:text=\"t\" "
         "xmlns:presentation=\"p\"><o:automatic-styles><style:style style:name=\"hid\">"
         "<style:drawing-page-properties presentation:visibility=\"hidden\"/></style:style>"
         "</o:automatic-styles><o:body><o:presentation>" +
         slides + "</o:presentation></o:body></o:document-content>";
}

std::string odp_frame(const std::string& type, const std::string& text) {
  return "<draw:frame presentation:class=\"" + type + "\"><draw:text-box>" + text +
         "</draw:text-box></draw:frame>";
}

std::string odp_page(const std::string& title, const std::string& notes,
                     const std::string& style = "dp1") {
  return "<draw:page draw:style-name=\"" + style + "\">" + odp_frame("title", title) +
         "<presentation:notes>" + notes + "</presentation:notes></draw:page>";
}

TEST(SpeakerNotes, OfPowerPointAreThoseOfTheBodyInTheOrderOfTheSlides) {
  const std::string text =
      "<a:p><a:r><a:t>Hello </a:t></a:r><a:r><a:t>w</a:t></a:r><a:r><a:t>orld &amp; co.</a:t></a:r>"
      "<a:br/><a:r><a:t>again</a:t></a:r></a:p>" +
      pptx_paragraph("");
  const std::string others = pptx_shape("sldImg", "") +
                             pptx_shape("hdr", pptx_paragraph("header")) +
                             pptx_shape("sldNum", "<a:p><a:fld><a:t>7</a:t></a:fld></a:p>");
  const auto pages =
      pages_of(pptx({{pptx_slide(pptx_shape("ctrTitle", pptx_paragraph("A <![CDATA[<b>]]>") +
                                                            pptx_paragraph("title")) +
                                 pptx_shape("body", pptx_paragraph("text of the slide"))),
                      pptx_slide(others + pptx_shape("body", text + pptx_paragraph("last")))},
                     {pptx_slide(pptx_shape("title", pptx_paragraph("Hidden")), "show=\"0\""),
                      pptx_slide(pptx_shape("body", pptx_paragraph("hidden notes")))},
                     {pptx_slide(pptx_shape("", pptx_paragraph("no title"))),
                      pptx_slide(others + pptx_shape("", pptx_paragraph("a box")))}}));
  const std::vector<PageNotes> expected = {
      {.title = "A <b> title", .notes = "Hello world & co.\nagain\n\nlast"},
      {.title = "", .notes = "a box"}};
  EXPECT_EQ(pages, expected);
}

TEST(SpeakerNotes, WhatIsWrittenTwiceForOlderProgramsIsReadOnce) {
  const auto alternatives =
      "<mc:AlternateContent><mc:Choice>" + pptx_shape("body", pptx_paragraph("new")) +
      "</mc:Choice><mc:Fallback>" + pptx_shape("body", pptx_paragraph("old")) +
      "</mc:Fallback></mc:AlternateContent>";
  const auto pages = pages_of(pptx({{pptx_slide(""), pptx_slide(alternatives)}}));
  EXPECT_EQ(pages, (std::vector<PageNotes>{{.title = "", .notes = "new"}}));
}

TEST(SpeakerNotes, SlidesMayHaveNone) {
  Parts parts = pptx({{pptx_slide(pptx_shape("title", pptx_paragraph("One"))), pptx_slide("")}});
  parts["ppt/slides/_rels/slide1.xml.rels"] =
      relationships(relationship("rId1", "notesSlide", "http://a/b", "TargetMode=\"External\""));
  const std::vector<PageNotes> expected = {{.title = "One", .notes = ""}};
  EXPECT_EQ(pages_of(parts), expected);
  parts.erase("ppt/slides/_rels/slide1.xml.rels");
  EXPECT_EQ(pages_of(parts), expected);
}

TEST(SpeakerNotes, OfLibreOfficeHaveNoHiddenSlidesAndNoComments) {
  const std::string text =
      "<text:p>a<text:span>b <text:span>c</text:span></text:span><text:s text:c=\"2\"/>d"
      "<o:annotation><text:p>comment</text:p></o:annotation><text:line-break/>e</text:p>"
      "<text:list><text:list-item><text:p>f</text:p></text:list-item></text:list>";
  const auto pages = odp_notes(
      odp(odp_page("<text:p>One</text:p>", odp_frame("notes", text)) +
          odp_page("<text:p>Hidden</text:p>", odp_frame("notes", "<text:p>h</text:p>"), "hid") +
          odp_page("", odp_frame("header", "<text:p>header</text:p>") +
                           "<draw:frame><draw:text-box><text:p>a box</text:p></draw:text-box>"
                           "</draw:frame>")));
  ASSERT_TRUE(pages) << pages.error().message;
  const std::vector<PageNotes> expected = {{.title = "One", .notes = "ab c  d\ne\nf"},
                                           {.title = "", .notes = "a box"}};
  EXPECT_EQ(*pages, expected);
}

TEST(SpeakerNotes, ControlCharactersBecomeBlanks) {
  const auto pages = odp_notes(
      odp(odp_page("", odp_frame("notes", "<text:p>a&#x9b;b&#x7f;c\td &#xe9;</text:p>"))));
  ASSERT_TRUE(pages) << pages.error().message;
  EXPECT_EQ(pages->front().notes, "a b c d \u00e9");
}

TEST(SpeakerNotes, LongOnesAreCutBetweenCharacters) {
  std::string text = "x";
  for (size_t i = 0; i < kMaxPageNotes; ++i) text += "\u20ac";
  const auto pages = odp_notes(odp(
      odp_page("", odp_frame("notes", "<text:p>" + text + "<text:span>y</text:span></text:p>"))));
  ASSERT_TRUE(pages) << pages.error().message;
  EXPECT_TRUE(pages->front().cut);
  EXPECT_GT(pages->front().notes.size(), kMaxPageNotes - 3);
  EXPECT_LE(pages->front().notes.size(), kMaxPageNotes);
  EXPECT_TRUE(text.starts_with(pages->front().notes));
  EXPECT_EQ((pages->front().notes.size() - 1) % 3, 0U);
}

TEST(SpeakerNotes, CirclesAndMissingPartsEnd) {
  Parts parts = pptx({{pptx_slide(""), pptx_slide("")}});
  parts["ppt/slides/_rels/slide1.xml.rels"] =
      relationships(relationship("rId1", "notesSlide", "../../../../ppt/slides/slide1.xml"));
  EXPECT_EQ(pages_of(parts), std::vector<PageNotes>(1));
  parts["_rels/.rels"] = relationships(relationship("rId1", "officeDocument", "_rels/.rels"));
  EXPECT_EQ(pages_of(parts), std::vector<PageNotes>());
  parts = pptx({{pptx_slide(""), pptx_slide("")}});
  parts.erase("ppt/notesSlides/notesSlide1.xml");
  EXPECT_EQ(code_of(pptx_notes(reader_of(parts))), ErrorCode::kNotFound);
  parts["ppt/_rels/main.xml.rels"] = relationships("");
  EXPECT_EQ(code_of(pptx_notes(reader_of(parts))), ErrorCode::kBadData);
  EXPECT_EQ(code_of(pptx_notes(reader_of({}))), ErrorCode::kBadData);
}

TEST(SpeakerNotes, EntitiesAreRefused) {
  const std::string bomb =
      "<!DOCTYPE a [<!ENTITY a \"aaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]>";
  EXPECT_EQ(
      code_of(odp_notes(bomb + odp(odp_page("", odp_frame("notes", "<text:p>&b;</text:p>"))))),
      ErrorCode::kBadData);
  EXPECT_EQ(code_of(odp_notes("<a>")), ErrorCode::kBadData);
}

TEST(SpeakerNotes, TooManySlidesAreRefused) {
  std::string slides;
  for (size_t i = 0; i <= kMaxNotedPages; ++i) slides += odp_page("", "");
  EXPECT_EQ(code_of(odp_notes(odp(slides))), ErrorCode::kLimit);
  const std::vector<std::pair<std::string, std::string>> many(kMaxNotedPages + 1);
  EXPECT_EQ(code_of(pptx_notes(reader_of(pptx(many)))), ErrorCode::kLimit);
}

// Writes a ZIP file.
void write_zip(const std::string& path, const Parts& parts) {
  GsfOutput* file = gsf_output_stdio_new(path.c_str(), nullptr);
  GsfOutfile* zip = gsf_outfile_zip_new(file, nullptr);
  ASSERT_NE(zip, nullptr);
  for (const auto& [name, content] : parts) {
    GsfOutput* part = gsf_outfile_new_child(zip, name.c_str(), FALSE);
    gsf_output_write(part, content.size(), reinterpret_cast<const guint8*>(content.data()));
    gsf_output_close(part);
    g_object_unref(part);
  }
  gsf_output_close(GSF_OUTPUT(zip));
  g_object_unref(zip);
  g_object_unref(file);
}

class SpeakerNotesOfFileTest : public testing::Test {
 protected:
  std::string zip(const std::string& name, const Parts& parts) const {
    write_zip(folder_.file(name), parts);
    return folder_.file(name);
  }

  const TempFolder folder_;
};

TEST_F(SpeakerNotesOfFileTest, AreReadFromTheContainer) {
  const std::string text = "<text:p>" + std::string(kMaxPageNotes, 'x') + "</text:p>";
  std::string slides;
  const size_t enough = kMaxNotesBytes / kMaxPageNotes;
  for (size_t i = 0; i <= enough; ++i) slides += odp_page("", odp_frame("notes", text));
  const auto pages = speaker_notes(zip("talk.ODP", {{"content.xml", odp(slides)}}));
  ASSERT_TRUE(pages) << pages.error().message;
  ASSERT_EQ(pages->size(), enough + 1);
  EXPECT_FALSE(pages->at(enough - 1).cut);
  EXPECT_EQ(pages->back(), (PageNotes{.title = "", .notes = "", .cut = true}))
      << "all together are too long";
}

TEST_F(SpeakerNotesOfFileTest, OtherFilesHaveNone) {
  const auto expect_none = [](const std::string& path) {
    const auto pages = speaker_notes(path);
    ASSERT_TRUE(pages) << pages.error().message;
    EXPECT_TRUE(pages->empty()) << path;
  };
  expect_none(folder_.write("slides.pdf", "%PDF-1.4"));
  expect_none(folder_.write("named.pptx", "%PDF-1.4"));
  expect_none(zip("text.odt", {{"content.xml", odp(odp_page("", ""))}}));
}

TEST_F(SpeakerNotesOfFileTest, TheContainerItselfIsNoSlide) {
  Parts parts = pptx({{"", ""}});
  parts["ppt/_rels/main.xml.rels"] = relationships(relationship("rId1", "slide", "/"));
  EXPECT_EQ(code_of(speaker_notes(zip("a.pptx", parts))), ErrorCode::kNotFound);
}

TEST_F(SpeakerNotesOfFileTest, DamagedOnesAreRefused) {
  EXPECT_EQ(code_of(speaker_notes(folder_.write("a.odp", "PK\x03\x04 and nothing"))),
            ErrorCode::kBadData);
  EXPECT_EQ(code_of(speaker_notes(folder_.write("a.ppt", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"))),
            ErrorCode::kBadData);
  EXPECT_EQ(code_of(speaker_notes(zip("b.odp", {{"other.xml", "<a/>"}}))), ErrorCode::kNotFound);
  const std::string bomb(size_t{65} << 20, ' ');
  EXPECT_EQ(code_of(speaker_notes(zip("c.odp", {{"content.xml", bomb}}))), ErrorCode::kLimit);
}

}  // namespace
}  // namespace sail
