// View transforms of windows: the verb, undo, layouts and sessions, and input coordinates.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temp_folder.h"
#include "tests/unit/manager/peers/manager_test.h"

namespace manager {
namespace {

using sail::Json;
using testing::HasSubstr;

class ViewTransformTest : public PeopledManagerTest {
 protected:
  ViewTransformTest() {
    options.player_program = FAKE_PROGRAM;
    options.state_folder = folder.path();
  }
  Json look(Json params, uint32_t window = 1) {
    params["window"] = window;
    return console->expect("look", params);
  }
  std::string refused(Json params, uint32_t window = 1) {
    params["window"] = window;
    const auto answer = console->call("look", params);
    EXPECT_FALSE(answer) << params.dump();
    return answer ? "" : answer.error().message;
  }
  sail::Rect rect_of(uint32_t number) {
    return fs_manager->desk().windows().find(number)->wall_rect;
  }
  const sail::TempFolder folder;
};

TEST_F(ViewTransformTest, ATurnKeepsCentreAndArea) {
  open_stream(*app);
  console->expect("place", {{"windows", {{{"window", 1}, {"rect", {100, 50, 321, 180}}}}}});
  const Json turned = look({{"rotate", 90}});
  EXPECT_EQ(turned["look"], (Json{{"rotate", 90}}));
  EXPECT_EQ(turned["rect"], (Json{170, 0, 180, 321})) << "and stays on the wall";
  EXPECT_EQ(look({{"rotate", 270}})["rect"], turned["rect"]);
  const Json back = look({{"rotate", 0}});
  EXPECT_EQ(back["rect"], (Json{100, 50, 321, 180})) << "also of odd sides";
  EXPECT_FALSE(back.contains("look"));
  EXPECT_EQ(look({{"flip", true}})["rect"], back["rect"]);
  EXPECT_EQ(look({{"opacity", 0.25}})["look"], (Json{{"flip", true}, {"opacity", 0.25}}));
}

TEST_F(ViewTransformTest, AWindowOnTheWallStaysThereAndComesBackAsItWas) {
  open_stream(*app, sail::Rect{1920, 0, 1920, 1080});
  EXPECT_EQ(look({{"rotate", 90}})["rect"], (Json{2576, 0, 607, 1080})) << "it shrinks";
  EXPECT_EQ(look({{"rotate", 180}})["rect"], (Json{1920, 0, 1920, 1080}));
  look({{"rotate", 270}});
  console->expect("move", {{"window", 1}, {"x", 0}, {"y", 0}});
  EXPECT_EQ(look({{"rotate", 0}})["rect"], (Json{0, 0, 1920, 1080}));
}

TEST_F(ViewTransformTest, AWindowAcrossTheWallsEdgeKeepsItsCentre) {
  open_stream(*app, sail::Rect{0, -10, 320, 180});
  EXPECT_EQ(look({{"rotate", 90}})["rect"], (Json{70, -80, 180, 320}));
}

TEST_F(ViewTransformTest, APartKeepsArea) {
  open_stream(*app, sail::Rect{0, 0, 1920, 1080});
  EXPECT_EQ(look({{"crop", {480, 0, 960, 1080}}})["rect"], (Json{480, 0, 960, 1080}))
      << "as far as it fits";
  console->expect("undo");
  EXPECT_EQ(rect_of(1), (sail::Rect{0, 0, 1920, 1080}));
  EXPECT_EQ(look({{"crop", {10, 10, 960, 540}}})["rect"], (Json{0, 0, 1920, 1080}));
  // A distorted window stays distorted.
  console->expect("resize", {{"window", 1}, {"width", 400}, {"height", 400}});
  EXPECT_EQ(look({{"crop", {10, 10, 960, 540}}, {"rotate", 90}})["rect"], (Json{0, 0, 400, 400}));
  EXPECT_FALSE(look({{"whole", true}})["look"].contains("crop"));
  EXPECT_FALSE(look({{"crop", {0, 0, 1920, 1080}}})["look"].contains("crop"));
}

TEST_F(ViewTransformTest, VerbsThatKeepTheAspectKnowWhatIsShown) {
  open_stream(*app, sail::Rect{0, 0, 160, 90});
  look({{"rotate", 90}});
  EXPECT_EQ(console->expect("resize", {{"window", 1}, {"height", 1920}})["rect"][2], 1080);
  EXPECT_EQ(console->expect("fit", {{"window", 1}, {"tile", "l"}})["rect"],
            (Json{656, 0, 607, 1080}));
  EXPECT_EQ(console->expect("maximise", {{"window", 1}})["rect"], (Json{1616, 0, 607, 1080}));
  // A maximised window stays maximised; its restore place is turned too.
  EXPECT_EQ(look({{"rotate", 0}})["rect"], (Json{960, 0, 1920, 1080}));
  EXPECT_EQ(console->expect("maximise", {{"window", 1}, {"on", false}})["rect"],
            (Json{420, 236, 1080, 607}));
  look({{"rotate", 270}, {"flip", true}});
  EXPECT_EQ(console->expect("move", {{"window", 1}, {"x", 0}, {"y", 0}})["look"],
            (Json{{"rotate", 270}, {"flip", true}}))
      << "moving changes nothing else";
}

TEST_F(ViewTransformTest, StereoIsOneStep) {
  open_stream(*app, sail::Rect{0, 0, 1920, 1080});
  EXPECT_EQ(look({{"stereo", "anaglyph"}, {"halves", "top-bottom"}})["look"],
            (Json{{"stereo", "anaglyph"}, {"halves", "top-bottom"}}));
  EXPECT_EQ(rect_of(1), (sail::Rect{0, 0, 1920, 1080})) << "its halves are squeezed";
  EXPECT_EQ(console->expect("undo")["what"], "changed the stereo mode of 'film'");
  EXPECT_FALSE(console->expect("list")["windows"][0].contains("look"));
  EXPECT_EQ(console->expect("redo")["what"], "changed the stereo mode of 'film'");
  // A crop outside of one eye's half is dropped.
  look({{"stereo", "off"}});
  look({{"crop", {0, 600, 100, 100}}});
  EXPECT_EQ(look({{"stereo", "left"}})["look"],
            (Json{{"stereo", "left"}, {"halves", "top-bottom"}}));
}

TEST_F(ViewTransformTest, ADragIsOneStep) {
  open_stream(*app, sail::Rect{0, 0, 1920, 1080});
  for (const double opacity : {0.9, 0.8, 0.7}) look({{"opacity", opacity}, {"gesture", "fade"}});
  EXPECT_EQ(console->expect("undo")["what"], "changed the opacity of 'film'");
  EXPECT_FALSE(console->expect("list")["windows"][0].contains("look"));
}

TEST_F(ViewTransformTest, BadValuesAreRefusedInWords) {
  open_stream(*app, sail::Rect{0, 0, 1920, 1080});
  const sail::Rect before = rect_of(1);
  EXPECT_EQ(refused({{"rotate", 45}}), "look: 'rotate' must be 0, 90, 180 or 270");
  EXPECT_THAT(refused({{"rotate", 360}}), HasSubstr("between 0 and 270"));
  EXPECT_THAT(refused({{"opacity", 2}}), HasSubstr("between 0 and 1"));
  EXPECT_THAT(refused({{"opacity", -0.1}}), HasSubstr("'opacity'"));
  EXPECT_THAT(refused({{"flip", "yes"}}), HasSubstr("'flip'"));
  EXPECT_THAT(refused({{"stereo", "both"}}), HasSubstr(R"("left", "right" or "anaglyph")"));
  EXPECT_THAT(refused({{"halves", "diagonal"}}), HasSubstr(R"("side-by-side" or "top-bottom")"));
  EXPECT_EQ(refused({{"crop", {0, 0, 1921, 10}}}),
            "look: 'crop' must lie within the picture, 1920×1080 pixels");
  EXPECT_EQ(refused({{"crop", {960, 0, 1, 10}}, {"stereo", "left"}}),
            "look: 'crop' must lie within the picture of one eye, 960×1080 pixels");
  EXPECT_THAT(refused({{"crop", {-1, 0, 10, 10}}}), HasSubstr("within the picture"));
  EXPECT_THAT(refused({{"crop", {0, 0, 0, 10}}}), HasSubstr("width and height between 1"));
  EXPECT_THAT(refused({{"crop", {0, 0, 5, 5}}, {"whole", true}}), HasSubstr("cannot both"));
  EXPECT_THAT(refused(Json::object()), HasSubstr("must be given"));
  EXPECT_THAT(refused({{"rotate", 90}}, 7), HasSubstr("no window 7"));
  console->expect("lock", {{"window", 1}});
  EXPECT_THAT(refused({{"rotate", 90}}), HasSubstr("is locked"));
  EXPECT_EQ(rect_of(1), before);
  EXPECT_FALSE(console->expect("list")["windows"][0].contains("look"));
}

// The receivers and the application receive it with one epoch; fewer blocks are routed.
TEST_F(ViewTransformTest, IsOneLayoutForAll) {
  const uint32_t stream = open_stream(*app, sail::Rect{0, 0, 1920, 1080});
  left->next("scene");
  app->next("routes");
  ready(*app, stream, 1, fs_manager->desk().director().epoch());
  wait([&] { return fs_manager->desk().director().settled(); });
  left->messages.clear();
  app->messages.clear();
  look({{"crop", {0, 0, 256, 144}}, {"rotate", 180}});
  const Json change = left->next("scene_change");
  const Json reported{{"crop", {0, 0, 256, 144}}, {"rotate", 180}};
  EXPECT_EQ(change["windows"][0]["look"], reported);
  const Json routes = app->next("routes");
  EXPECT_EQ(routes["epoch"], change["epoch"]);
  EXPECT_EQ(routes["look"], reported);
  EXPECT_EQ(routes["routes"][0]["blocks"], (Json{{0, 0, 2, 3}}));
}

TEST_F(ViewTransformTest, WindowsBeneathATranslucentOneAreRouted) {
  open_stream(*app, sail::Rect{0, 0, 1920, 1080});
  const uint32_t above = open_stream(*app, sail::Rect{0, 0, 1920, 1080});
  const auto routed = [&](const Json& params) {
    const Director& director = fs_manager->desk().director();
    wait([&] {
      for (const uint32_t stream : {1U, 2U}) ready(*app, stream, 1, director.epoch());
      return director.settled();
    });
    app->messages.clear();
    look(params, above);
    Json routes = Json::object();
    while (routes.value("stream", 0) != 1) routes = app->next("routes");
    return routes["routes"].size();
  };
  EXPECT_EQ(routed({{"opacity", 0.5}}), 1U);
  EXPECT_EQ(routed({{"opacity", 1}}), 0U);
}

TEST_F(ViewTransformTest, InputComesBackToTheSource) {
  Json params = stream_params("film", sail::Rect{100, 0, 960, 540});
  params["takes_input"] = true;
  app->expect("open_stream", params);
  look({{"crop", {200, 100, 960, 540}}, {"rotate", 90}, {"flip", true}});
  const sail::Rect rect = rect_of(1);  // 540 × 960
  console->expect(
      "input",
      {{"window", 1}, {"type", "wheel"}, {"at", {rect.x + 40, rect.y + 30}}, {"wheel", {1, 2}}});
  const Json reported = app->next("input");
  // Mirrored: 40 from the right. Turned back: 30 from the left, and the right edge is the top.
  EXPECT_EQ(reported["at"], (Json{230.0, 140.0}));
  EXPECT_EQ(reported["wheel"], (Json{2.0, 1.0}));
}

TEST_F(ViewTransformTest, LayoutsAndSessionsHaveIt) {
  console->expect("play", {{"media", {"one"}}, {"place", {0, 0, 640, 360}}});
  const Json changed = look({{"rotate", 90}, {"opacity", 0.5}});
  console->expect("layout_save", {{"name", "turned"}});
  console->expect("session_save", {{"name", "turned"}});
  EXPECT_EQ(console->expect("session_get", {{"name", "turned"}})["windows"][0]["look"],
            changed["look"]);
  look({{"rotate", 0}, {"opacity", 1}});
  console->expect("layout_apply", {{"name", "turned"}});
  const Json applied = console->expect("list")["windows"][0];
  EXPECT_EQ(applied["look"], changed["look"]);
  EXPECT_EQ(applied["rect"], changed["rect"]);
  console->expect("close", {{"window", 1}});
  console->expect("session_restore", {{"name", "turned"}});
  const Json restored = console->expect("list")["windows"][0];
  EXPECT_EQ(restored["look"], changed["look"]);
  EXPECT_EQ(restored["rect"], changed["rect"]);
  end();
}

TEST_F(ViewTransformTest, AStreamThatTakesThePlaceOfAnotherIsShownAlike) {
  open_stream(*app, sail::Rect{0, 0, 960, 540});
  look({{"crop", {960, 0, 960, 1080}}, {"rotate", 90}});
  const sail::Rect before = rect_of(1);
  Json next = stream_params("next");
  next["replaces"] = 1;
  next["frame_size"] = {640, 360};
  app->expect("open_stream", next);
  const Window& window = *fs_manager->desk().windows().find(1);
  EXPECT_EQ(window.look, (sail::ViewTransform{.crop = {320, 0, 320, 360}, .rotate = 90}));
  EXPECT_EQ(window.wall_rect, before) << "the same shape is shown";
}

}  // namespace
}  // namespace manager
