#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "sail/core/text/limits.h"
#include "sail/core/wall/launch.h"
#include "sail/core/wall/wall.h"
#include "tests/unit/sail/core/wall/random_wall.h"

namespace sail {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::StartsWith;

Wall parsed(const std::string& text) {
  const Result<Wall> wall = parse_wall(text);
  EXPECT_TRUE(wall.has_value()) << wall.error().message;
  return wall.value_or(Wall{});
}

std::string error_of(const std::string& text) {
  const Result<Wall> wall = parse_wall(text);
  EXPECT_FALSE(wall.has_value()) << text;
  return wall ? "" : wall.error().message;
}

std::string grid_text(const std::string& keys) {
  return R"({"grid":{)" + keys + "}}";
}
std::string tiles_text(const std::string& tiles) {
  return R"({"tiles":[)" + tiles + "]}";
}

TEST(WallFile, GridNamesTilesAndReceiversRowByRow) {
  const Wall wall =
      parsed(R"({"grid":{"columns":2,"rows":2,"resolution":[640,360],"mullion":[16,8]}})");
  EXPECT_EQ(wall.name, "wall");
  EXPECT_EQ(wall.size, (Size{1296, 728}));
  ASSERT_EQ(wall.tiles.size(), 4u);
  const struct {
    const char* name;
    const char* receiver;
    Rect wall_rect;
  } expected[] = {{"c1r1", "node1", {0, 0, 640, 360}},
                  {"c2r1", "node2", {656, 0, 640, 360}},
                  {"c1r2", "node3", {0, 368, 640, 360}},
                  {"c2r2", "node4", {656, 368, 640, 360}}};
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(wall.tiles[i].name, expected[i].name);
    EXPECT_EQ(wall.tiles[i].receiver, expected[i].receiver);
    EXPECT_EQ(wall.receivers[i].name, expected[i].receiver);
    EXPECT_EQ(wall.tiles[i].wall_rect, expected[i].wall_rect);
    EXPECT_EQ(wall.tiles[i].resolution, (Size{640, 360}));
    EXPECT_EQ(wall.tiles[i].rotation, 0);
    EXPECT_FALSE(wall.tiles[i].has_window_at);
  }
}

TEST(WallFile, TellsHowStreamsTravel) {
  const std::string grid = R"("grid":{"columns":1,"rows":1,"resolution":[640,360]})";
  const Wall silent = parsed("{" + grid + "}");
  EXPECT_EQ(silent.transport, Transport::kTcp);
  EXPECT_EQ(silent.mtu, 1500);
  const Wall reported = parsed("{" + grid + R"(,"transport":"udp","mtu":9000})");
  EXPECT_EQ(reported.transport, Transport::kUdp);
  EXPECT_EQ(reported.mtu, 9000);

  EXPECT_EQ(parsed("{" + grid + "}").lost, LostWindow::kClose);
  EXPECT_EQ(parsed("{" + grid + R"(,"lost":"last"})").lost, LostWindow::kLast);
  EXPECT_EQ(error_of("{" + grid + R"(,"lost":"keep"})"),
            R"(wall: 'lost' must be "close", "last" or "dark")");
  EXPECT_EQ(error_of("{" + grid + R"(,"transport":"quic"})"),
            R"(wall: 'transport' must be "tcp" or "udp")");
  EXPECT_EQ(error_of("{" + grid + R"(,"transport":17})"),
            R"(wall: 'transport' must be a string of at most 32 bytes)");
  EXPECT_EQ(error_of("{" + grid + R"(,"mtu":575})"),
            "wall: 'mtu' must be a whole number between 576 and 9216");
  EXPECT_THAT(error_of("{" + grid + R"(,"mtu":9217})"), HasSubstr("between 576 and 9216"));
}

TEST(WallFile, HasMulticastAddresses) {
  const std::string grid = R"("grid":{"columns":1,"rows":1,"resolution":[640,360]})";
  const auto with = [&](const std::string& value) {
    return "{" + grid + R"(,"multicast":)" + value + "}";
  };
  EXPECT_FALSE(parsed("{" + grid + "}").multicast);
  const auto range = [&](const char* text) {
    return parsed(with('"' + std::string(text) + '"')).multicast.value_or(MulticastRange{});
  };
  const MulticastRange ipv4 = range("239.1.2.0/24");
  EXPECT_EQ(ipv4, (MulticastRange{.first = *parse_ip("239.1.2.0"), .prefix = 24}));
  EXPECT_EQ(ipv4.count(), 256U);
  EXPECT_EQ(ip_text(ipv4.group(255)), "239.1.2.255");
  EXPECT_EQ(range("224.0.1.0/32").count(), 1U);
  EXPECT_EQ(ip_text(range("239.0.0.0/8").group((1 << 24) - 1)), "239.255.255.255");
  const MulticastRange ipv6 = range("ff18::4:0/112");
  EXPECT_EQ(ipv6.text(), "ff18::4:0/112");
  EXPECT_EQ(ipv6.count(), 65536U);
  EXPECT_EQ(ip_text(ipv6.group(0x102)), "ff18::4:102");
  EXPECT_EQ(ipv6.test_group(), parse_ip("ff18::4:ffff"));
  EXPECT_EQ(ipv4.test_group(), parse_ip("239.1.2.255"));
  EXPECT_FALSE(range("224.0.1.0/32").test_group());
  EXPECT_EQ(range("ff3e::/32").count(), uint64_t{1} << 32);
  EXPECT_EQ(range("ff12::1/128").count(), 1U);
  for (const char* wrong :
       {"239.1.2.0",  "239.1.2.1/24", "239.1.2.0/7", "239.1.2.0/33", "239.1.2.0/24 ",
        "239.1.2.0/", "224.0.0.0/24", "224.0.0.0/8", "240.0.0.0/8",  "10.1.2.0/24",
        "wall",       "ff18::/15",    "ff18::/129",  "ff18::1/112",  "ff18::8000:0/96",
        "ff08::/112", "ff11::/112",   "ff1f::/112",  "fd18::/112",   "::ffff:239.1.2.0/120"}) {
    EXPECT_THAT(error_of(with('"' + std::string(wrong) + '"')),
                HasSubstr("'multicast' must be a range of multicast addresses"))
        << wrong;
  }
  EXPECT_THAT(error_of(with("7")), HasSubstr("'multicast' must be a string"));
}

TEST(WallFile, HasAWitness) {
  const std::string grid = R"("grid":{"columns":1,"rows":1,"resolution":[640,360]})";
  const auto with = [&](const std::string& value) {
    return "{" + grid + R"(,"witness":)" + value + "}";
  };
  EXPECT_FALSE(parsed("{" + grid + "}").witness);
  EXPECT_EQ(witness_text(parsed("{" + grid + "}")), "");
  const Witness one{.servers = {"head3:2379"}};
  EXPECT_EQ(parsed(with(R"("etcd://head3:2379")")).witness, one);
  EXPECT_EQ(parsed(with(R"("etcd://head3:2379/")")).witness, one);
  const Witness two{.servers = {"10.0.0.3:2379", "[fd00::4]:1"}, .prefix = "/hall/a_b-c.d"};
  EXPECT_EQ(parsed(with(R"("etcd://10.0.0.3:2379,[fd00::4]:1/hall/a_b-c.d")")).witness, two);
  EXPECT_EQ(two.text(), "etcd://10.0.0.3:2379,[fd00::4]:1/hall/a_b-c.d");
  const Witness secured{.servers = {"head3:2379"}, .prefix = "/hall", .tls = true};
  EXPECT_EQ(parsed(with(R"("etcds://head3:2379/hall")")).witness, secured);
  EXPECT_EQ(secured.text(), "etcds://head3:2379/hall");
  const std::string text = wall_json(parsed(with(R"("etcd://head3:2379/hall")"))).dump();
  EXPECT_EQ(witness_text(parsed(text)), "etcd://head3:2379/hall");
  for (const char* wrong :
       {"", "etcd://", "etcd:///hall", "etcd://head3", "etcd://head3:", "etcd://head3:0",
        "etcd://head3:65536", "etcd://:2379", "etcd://head3:2379,", "etcd://a:1,,b:1",
        "http://head3:2379", "etcds://head3", "etcd://user@head3:2379", "etcd://head3:2379/a b",
        "etcd://head3:2379/hall/", "etcd://head3:2379?x", "etcd://[::1:2379",
        "etcd://a:1,a:1,a:1,a:1,a:1,a:1,a:1,a:1"}) {
    EXPECT_THAT(error_of(with('"' + std::string(wrong) + '"')),
                HasSubstr("'witness' must name the servers of one etcd cluster"))
        << wrong;
  }
}

TEST(WallFile, LimitsTheRoutersThatMulticastPasses) {
  const std::string grid = R"("grid":{"columns":1,"rows":1,"resolution":[640,360]})";
  EXPECT_EQ(parsed("{" + grid + "}").power_idle_min, 0);
  EXPECT_EQ(parsed("{" + grid + R"(,"power_idle_min":30})").power_idle_min, 30);
  EXPECT_THAT(error_of("{" + grid + R"(,"power_idle_min":0})"), HasSubstr("between 0.01 and 1440"));
  EXPECT_EQ(parsed("{" + grid + "}").multicast_hops, 1);
  EXPECT_EQ(parsed("{" + grid + R"(,"multicast_hops":255})").multicast_hops, 255);
  EXPECT_THAT(error_of("{" + grid + R"(,"multicast_hops":256})"), HasSubstr("between 1 and 255"));
}

TEST(WallFile, NamesReceiversThatPlaySound) {
  const std::string grid = R"("grid":{"columns":2,"rows":1,"resolution":[640,360]})";
  EXPECT_TRUE(parsed("{" + grid + "}").audio.empty());
  const std::vector<WallAudio> usual = {{.receiver = "node2", .device = ""}};
  EXPECT_EQ(parsed("{" + grid + R"(,"audio":{"receiver":"node2"}})").audio, usual);
  const Wall two = parsed("{" + grid + R"(,"audio":[{"receiver":"node1","device":"HDMI",
                          "channels":6,"latency_ms":80,"pan":true},{"receiver":"node2"}]})");
  ASSERT_EQ(two.audio.size(), 2u);
  const WallAudio hdmi{
      .receiver = "node1", .device = "HDMI", .channels = 6, .latency_ms = 80, .pan = true};
  EXPECT_EQ(two.audio[0], hdmi);
  EXPECT_EQ(parsed(wall_json(two).dump()), two);

  const auto error = [&](const std::string& audio) {
    return error_of("{" + grid + ",\"audio\":" + audio + "}");
  };
  EXPECT_EQ(error(R"({"receiver":"node3"})"), "audio: \"node3\" is not a receiver of this wall");
  EXPECT_EQ(error(R"([{"receiver":"node1"},{"receiver":"node1"}])"),
            "audio[1]: \"node1\" is listed twice");
  EXPECT_THAT(error(R"({})"), HasSubstr("'receiver'"));
  EXPECT_THAT(error(R"({"receiver":"node1","channels":9})"), HasSubstr("between 1 and 8"));
  EXPECT_THAT(error(R"({"receiver":"node1","volume":1})"), HasSubstr("volume"));
  EXPECT_THAT(error("1"), HasSubstr("audio"));
}

TEST(WallFile, GridTakesMullionsInMillimetres) {
  const Wall wall = parsed(grid_text(
      R"("columns":2,"rows":2,"resolution":[100,100],"mullion_mm":[5.3,11],"pixel_pitch_mm":0.53)"));
  EXPECT_EQ(wall.size, (Size{210, 221}));  // 10 and 20.75… pixels
  EXPECT_EQ(wall.pixel_pitch_mm, 0.53);
}

TEST(WallFile, TellsHowLargeItsPixelsAre) {
  const std::string grid = R"("grid":{"columns":1,"rows":1,"resolution":[640,360]})";
  EXPECT_EQ(parsed("{" + grid + "}").pixel_pitch_mm, 0);
  EXPECT_FALSE(wall_json(parsed("{" + grid + "}")).contains("pixel_pitch_mm"));
  const Wall reported = parsed("{" + grid + R"(,"pixel_pitch_mm":0.7})");
  EXPECT_EQ(reported.pixel_pitch_mm, 0.7);
  EXPECT_EQ(parsed(wall_json(reported).dump()), reported);
  EXPECT_THAT(error_of("{" + grid + R"(,"pixel_pitch_mm":0})"), HasSubstr("pixel_pitch_mm"));
}

TEST(WallFile, GridGroupsNeighbouringTilesOnOneReceiver) {
  const Wall wall = parsed(grid_text(
      R"("columns":4,"rows":2,"resolution":[100,50],"mullion":[10,10],"tiles_per_receiver":[2,2])"));
  ASSERT_EQ(wall.receivers.size(), 2u);
  const char* receivers[] = {"node1", "node1", "node2", "node2",
                             "node1", "node1", "node2", "node2"};
  const int window_x[] = {0, 100, 0, 100, 0, 100, 0, 100};
  for (size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(wall.tiles[i].receiver, receivers[i]);
    EXPECT_TRUE(wall.tiles[i].has_window_at);
    EXPECT_EQ(wall.tiles[i].window_x, window_x[i]);
    EXPECT_EQ(wall.tiles[i].window_y, i < 4 ? 0 : 50);
  }
}

TEST(WallFile, GridTakesItsReceiversFromTheList) {
  const std::string grid = R"("grid":{"columns":2,"rows":1,"resolution":[8,8]})";
  const Wall wall = parsed(
      R"({"name":"lab","receivers":[{"name":"a","host":"10.0.0.7"},{"name":"b"}],)" + grid + "}");
  EXPECT_EQ(wall.name, "lab");
  EXPECT_EQ(wall.tiles[1].receiver, "b");
  EXPECT_EQ(wall.receivers, (std::vector<ReceiverPlace>{{"a", "10.0.0.7"}, {"b", ""}}));
  EXPECT_THAT(error_of(R"({"receivers":[{"name":"a"}],)" + grid + "}"),
              HasSubstr("1 are listed, but the grid needs 2"));
}

TEST(WallFile, TilesNameTheirOutputs) {
  const std::string both = R"({"receiver":"n","at":[0,0],"resolution":[8,8],"output":"HDMI-A-1"},)"
                           R"({"receiver":"n","at":[8,0],"resolution":[8,8],"output":"DP-1"},)"
                           R"({"receiver":"m","at":[16,0],"resolution":[8,8],"output":"DP-1"})";
  const Wall wall = parsed(tiles_text(both));
  EXPECT_EQ(wall.tiles[0].output, "HDMI-A-1");
  EXPECT_EQ(wall.tiles[1].output, "DP-1");
  EXPECT_EQ(parsed(wall_json(wall).dump()), wall);
}

TEST(WallFile, TilesStandWhereTheySay) {
  const Wall wall = parsed(tiles_text(
      R"({"receiver":"n","at":[0,0],"resolution":[30,20],"rotation":90},)"
      R"({"name":"b","receiver":"n","at":[20,5],"resolution":[30,20],"rotation":180,"window_at":[-5,7]},)"
      R"({"receiver":"m","at":[50,0],"resolution":[30,20],"rotation":270,"size":[40,60]})"));
  ASSERT_EQ(wall.tiles.size(), 3u);
  EXPECT_EQ(wall.tiles[0].name, "tile1");
  EXPECT_EQ(wall.tiles[0].wall_rect, (Rect{0, 0, 20, 30}));
  EXPECT_EQ(wall.tiles[0].upright(), (Size{20, 30}));
  EXPECT_EQ(wall.tiles[1].wall_rect, (Rect{20, 5, 30, 20}));
  EXPECT_TRUE(wall.tiles[1].has_window_at);
  EXPECT_EQ(wall.tiles[1].window_x, -5);
  EXPECT_EQ(wall.tiles[1].window_y, 7);
  EXPECT_EQ(wall.tiles[2].name, "tile3");
  EXPECT_EQ(wall.tiles[2].wall_rect, (Rect{50, 0, 40, 60}));
  EXPECT_EQ(wall.size, (Size{90, 60}));
  EXPECT_EQ(wall.receivers, (std::vector<ReceiverPlace>{{"n", ""}, {"m", ""}}));
  EXPECT_EQ(wall.find_tile("b"), &wall.tiles[1]);
  EXPECT_EQ(wall.find_tile("c"), nullptr);
}

TEST(WallFile, TilesHaveCorrections) {
  const Wall wall = parsed(tiles_text(
      R"({"receiver":"n","at":[0,0],"resolution":[8,8],"correction":{"gain":[1,0.98,0.95],"lut":"left.cube"}},)"
      R"({"receiver":"n","at":[8,0],"resolution":[8,8],"correction":{"gamma":1.02}},)"
      R"({"receiver":"n","at":[16,0],"resolution":[8,8]})"));
  EXPECT_EQ(wall.tiles[0].correction, (Correction{.gain = {1, 0.98, 0.95}, .lut = "left.cube"}));
  EXPECT_EQ(wall.tiles[1].correction, Correction{.gamma = 1.02});
  EXPECT_FALSE(wall.tiles[2].correction);
}

std::string with_display(const std::string& display) {
  return R"({"grid":{"columns":1,"rows":1,"resolution":[8,8]},"display":)" + display + "}";
}

TEST(WallFile, SaysWhatItsDisplaysShow) {
  using codecs::Primaries;
  EXPECT_EQ(parsed(grid_text(R"("columns":1,"rows":1,"resolution":[8,8])")).display,
            codecs::DisplayColor());
  EXPECT_EQ(parsed(with_display("{}")).display, codecs::DisplayColor());
  EXPECT_EQ(parsed(with_display(R"({"primaries":"p3","peak_nits":300,"gamma":2.4})")).display,
            (codecs::DisplayColor{Primaries::kP3, 300, 2.4}));
  const Wall wall = parsed(with_display(R"({"primaries":"bt2020","gamma":"srgb"})"));
  EXPECT_EQ(wall.display, (codecs::DisplayColor{Primaries::kBt2020, 203, codecs::kSrgbCurve}));
  EXPECT_EQ(parsed(wall_json(wall).dump()), wall);
}

TEST(WallFile, RefusesWhatIsNoDisplay) {
  const struct {
    const char* display;
    const char* says;
  } cases[] = {
      {R"([1])", "'display' must be an object"},
      {R"({"primaries":"adobe"})", "display: 'primaries' must be \"bt709\", \"p3\" or \"bt2020\""},
      {R"({"primarys":"p3"})", "display: 'primarys' is not a known field"},
      {R"({"peak_nits":49})", "display: 'peak_nits' must be a number between 50 and 10000"},
      {R"({"peak_nits":"300"})", "peak_nits"},
      {R"({"gamma":0})", "display: 'gamma' must be a number from 1 to 4, or \"srgb\""},
      {R"({"gamma":4.5})", "gamma"},
      {R"({"gamma":"2.2"})", "gamma"},
      {R"({"gamma":null})", "gamma"},
  };
  for (const auto& one : cases) {
    EXPECT_THAT(error_of(with_display(one.display)), HasSubstr(one.says)) << one.display;
  }
}

TEST(WallFile, TilesAreMovedToTheOrigin) {
  const Wall wall = parsed(tiles_text(R"({"receiver":"n","at":[-100,30],"resolution":[10,10]},)"
                                      R"({"receiver":"n","at":[-50,20],"resolution":[10,10]})"));
  EXPECT_EQ(wall.tiles[0].wall_rect, (Rect{0, 10, 10, 10}));
  EXPECT_EQ(wall.tiles[1].wall_rect, (Rect{50, 0, 10, 10}));
  EXPECT_EQ(wall.size, (Size{60, 20}));
}

TEST(WallFile, RefusesWhatIsNoWall) {
  EXPECT_THAT(error_of("{"), HasSubstr("JSON"));
  EXPECT_THAT(error_of("[]"), HasSubstr("object"));
  EXPECT_THAT(error_of("{}"), HasSubstr("'grid' is missing, and so is 'tiles'"));
  EXPECT_THAT(error_of(R"({"grid":{"columns":1,"rows":1,"resolution":[8,8]},"tiles":[]})"),
              HasSubstr("'tiles' cannot be combined with 'grid'"));
  EXPECT_THAT(error_of(R"({"grid":7})"), HasSubstr("grid"));
  EXPECT_THAT(error_of(R"({"tiles":{}})"), HasSubstr("tiles"));
  EXPECT_THAT(error_of(tiles_text("")), HasSubstr("at least one tile"));
  EXPECT_THAT(error_of(tiles_text("7")), HasSubstr("tiles[0]"));
  EXPECT_THAT(error_of(std::string(kMaxWallFileBytes, ' ') + "{}"), HasSubstr("bytes"));
}

TEST(WallFile, RefusesUnknownKeys) {
  const std::string grid = R"("columns":1,"rows":1,"resolution":[8,8])";
  EXPECT_THAT(error_of(R"({"grid":{)" + grid + R"(},"titles":[]})"), HasSubstr("titles"));
  EXPECT_THAT(error_of(grid_text(grid + R"(,"bezel":[1,1])")), HasSubstr("bezel"));
  EXPECT_THAT(error_of(tiles_text(R"({"receiver":"n","at":[0,0],"resolution":[8,8],"rotate":90})")),
              HasSubstr("rotate"));
  EXPECT_THAT(error_of(R"({"receivers":[{"name":"a","prot":1}],"grid":{)" + grid + "}}"),
              HasSubstr("prot"));
}

TEST(WallFile, RefusesAbsurdGrids) {
  const struct {
    const char* keys;
    const char* says;
  } cases[] = {
      {R"("rows":1,"resolution":[8,8])", "'columns' is missing"},
      {R"("columns":0,"rows":1,"resolution":[8,8])", "columns"},
      {R"("columns":1,"rows":-2,"resolution":[8,8])", "rows"},
      {R"("columns":1,"rows":1.5,"resolution":[8,8])", "rows"},
      {R"("columns":1,"rows":1,"resolution":[0,8])", "resolution"},
      {R"("columns":1,"rows":1,"resolution":[8,16385])", "resolution"},
      {R"("columns":1,"rows":1,"resolution":[8])", "resolution"},
      {R"("columns":1,"rows":1,"resolution":[8,8],"mullion":[-1,0])", "mullion"},
      {R"("columns":1,"rows":1,"resolution":[8,8],"mullion":[0,1e9])", "mullion"},
      {R"("columns":33,"rows":32,"resolution":[8,8])", "more than 1024 tiles"},
      {R"("columns":9,"rows":1,"resolution":[16384,8])", "at most 131072"},
      {R"("columns":4,"rows":1,"resolution":[8,8],"tiles_per_receiver":[3,1])", "must divide"},
      {R"("columns":4,"rows":1,"resolution":[8,8],"tiles_per_receiver":[0,1])",
       "tiles_per_receiver"},
      {R"("columns":1,"rows":1,"resolution":[8,8],"mullion_mm":[1,1])", "pixel_pitch_mm"},
      {R"("columns":1,"rows":1,"resolution":[8,8],"pixel_pitch_mm":1)", "mullion_mm"},
      {R"("columns":1,"rows":1,"resolution":[8,8],"mullion_mm":[1,1],"pixel_pitch_mm":0)",
       "pixel_pitch_mm"},
      {R"("columns":1,"rows":1,"resolution":[8,8],"mullion_mm":[1,-1],"pixel_pitch_mm":1)",
       "mullion_mm"},
      {R"("columns":1,"rows":1,"resolution":[8,8],"mullion_mm":[1],"pixel_pitch_mm":1)",
       "mullion_mm"},
      {R"("columns":1,"rows":1,"resolution":[8,8],"mullion_mm":["1",1],"pixel_pitch_mm":1)",
       "mullion_mm"},
      {R"("columns":1,"rows":1,"resolution":[8,8],"mullion_mm":[9999,1],"pixel_pitch_mm":0.01)",
       "pixels"},
      {R"("columns":1,"rows":1,"resolution":[8,8],"mullion":[1,1],"mullion_mm":[1,1],"pixel_pitch_mm":1)",
       "cannot be combined"},
  };
  for (const auto& one : cases) {
    EXPECT_THAT(error_of(grid_text(one.keys)), HasSubstr(one.says)) << one.keys;
  }
}

TEST(WallFile, RefusesAbsurdTiles) {
  const struct {
    const char* tiles;
    const char* says;
  } cases[] = {
      {R"({"at":[0,0],"resolution":[8,8]})", "'receiver' is missing"},
      {R"({"receiver":"","at":[0,0],"resolution":[8,8]})", "'receiver' must not be empty"},
      {R"({"receiver":"n","name":"","at":[0,0],"resolution":[8,8]})", "'name' must not be empty"},
      {R"({"receiver":"n","name":"a\nb","at":[0,0],"resolution":[8,8]})", "name"},
      {R"({"receiver":"n","resolution":[8,8]})", "'at' is missing"},
      {R"({"receiver":"n","at":[0,0]})", "'resolution' is missing"},
      {R"({"receiver":"n","at":[0,0],"resolution":[-8,8]})", "resolution"},
      {R"({"receiver":"n","at":[0,0],"resolution":[8,8],"size":[8,0]})", "size"},
      {R"({"receiver":"n","at":[0,0],"resolution":[8,8],"size":[8,131073]})", "size"},
      {R"({"receiver":"n","at":[0,0],"resolution":[8,8],"rotation":45})",
       "'rotation' must be 0, 90, 180 or 270"},
      {R"({"receiver":"n","at":[0,0],"resolution":[8,8],"rotation":-90})", "rotation"},
      {R"({"receiver":"n","at":[0,1e12],"resolution":[8,8]})", "at"},
      {R"({"receiver":"n","at":[0,0],"resolution":[8,8],"window_at":[0]})", "window_at"},
      {R"({"receiver":"n","at":[0,0],"resolution":[8,8],"output":""})",
       "'output' must not be empty"},
      {R"({"receiver":"n","at":[0,0],"resolution":[8,8],"output":"a","window_at":[0,0]})",
       "'output' cannot be combined with 'window_at'"},
      {R"({"receiver":"n","at":[0,0],"resolution":[8,8],"output":"a"},{"receiver":"n","at":[8,0],"resolution":[8,8],"output":"a"})",
       R"("tile1" and "tile2" use the same output of the receiver "n")"},
      {R"({"receiver":"n","at":[0,0],"resolution":[8,8],"correction":[1,1,1]})", "correction"},
      {R"({"receiver":"n","at":[0,0],"resolution":[8,8],"correction":{"gain":[1,1,2.5]}})",
       "tiles[0]: correction: 'gain' must be [red, green, blue], 0.1 to 2 each"},
      {R"({"receiver":"n","at":[0,0],"resolution":[8,8],"correction":{"gama":1}})",
       "correction: 'gama' is not a known field"},
      {R"({"receiver":"n","at":[-131072,0],"resolution":[8,8]},{"receiver":"n","at":[0,0],"resolution":[8,8]})",
       "at most 131072"},
      {R"({"receiver":"n","at":[0,0],"resolution":[8,8]},{"receiver":"n","at":[7,7],"resolution":[8,8]})",
       R"("tile1" and "tile2" overlap)"},
      {R"({"name":"a","receiver":"n","at":[0,0],"resolution":[8,8]},{"name":"a","receiver":"n","at":[8,8],"resolution":[8,8]})",
       R"(the name "a" is used twice)"},
      {R"({"name":"tile2","receiver":"n","at":[0,0],"resolution":[8,8]},{"receiver":"n","at":[8,8],"resolution":[8,8]})",
       R"(the name "tile2" is used twice)"},
  };
  for (const auto& one : cases) {
    EXPECT_THAT(error_of(tiles_text(one.tiles)), HasSubstr(one.says)) << one.tiles;
  }
  std::string many;
  for (int i = 0; i <= kMaxTiles; ++i) {
    many += std::string(i > 0 ? "," : "") + R"({"receiver":"n","at":[)" + std::to_string(i) +
            R"(,0],"resolution":[1,1]})";
  }
  EXPECT_THAT(error_of(tiles_text(many)), HasSubstr("at most 1024"));
}

TEST(WallFile, RefusesReceiversThatDoNotMatchTheTiles) {
  const std::string tiles =
      R"("tiles":[{"name":"t","receiver":"n","at":[0,0],"resolution":[8,8]}]})";
  EXPECT_THAT(error_of(R"({"receivers":[{"name":"m"}],)" + tiles),
              HasSubstr(R"("t" uses the receiver "n")"));
  EXPECT_THAT(error_of(R"({"receivers":[],)" + tiles), HasSubstr("does not list"));
  EXPECT_THAT(error_of(R"({"receivers":[{"name":"n"},{"name":"m"}],)" + tiles),
              HasSubstr(R"("m" has no tile)"));
  EXPECT_THAT(error_of(R"({"receivers":[{"name":"n"},{"name":"n"}],)" + tiles),
              HasSubstr(R"(the name "n" is used twice)"));
  EXPECT_THAT(error_of(R"({"receivers":[{"host":"h"}],)" + tiles),
              HasSubstr("receivers[0]: 'name' is missing"));
  EXPECT_THAT(error_of(R"({"receivers":[{"name":"n","host":"a b"}],)" + tiles), HasSubstr("host"));
}

TEST(WallFile, AllMistakesOfOneObjectAreTold) {
  EXPECT_EQ(
      error_of(grid_text(R"("colums":2,"rows":0,"resolution":[8],"bezel":[1,1])")),
      "grid: 'rows' must be a whole number between 1 and 1024\n"
      "grid: 'resolution' must be two whole numbers between 1 and 16384, such as [1920, 1080]\n"
      "grid: 'bezel' is not a known field\n"
      "grid: 'colums' is not a known field: did you mean 'columns'?");
  EXPECT_EQ(error_of(tiles_text(R"({"at":[0],"rotation":45,"resolution":[8,8]})")),
            "tiles[0]: 'receiver' is missing\n"
            "tiles[0]: 'at' must be two whole numbers between -131072 and 131072\n"
            "tiles[0]: 'rotation' must be 0, 90, 180 or 270");
}

TEST(WallFile, AllMistakesOfAllPartsAreTold) {
  const std::string reported = error_of(R"({"mtu":1,"transport":"usb",
      "receivers":[{"name":"a","port":0},{"host":"b"}],
      "tiles":[{"receiver":"a","at":[0,0],"resolution":[8,8]},
               {"receiver":"a","at":[7,0],"resolution":[8,8]},
               {"name":"tile1","receiver":"b","at":[20,0],"resolution":[8,8]}],
      "apps":[{"name":"x","comand":["y"]}], "manager":{"arguments":7},
      "standby":{"listen":"-x"}, "proxy":{"from":["here"],"role":"king"},
      "audio":{"receiver":"nobody","channels":0}})");
  for (const char* part :
       {"'mtu'", "'transport'", "receivers[0]: 'port'", "receivers[1]: 'name' is missing",
        "\"tile1\" and \"tile2\" overlap", "the name \"tile1\" is used twice", "apps[0]: 'comand'",
        "manager: 'arguments'", "standby: 'listen'", "proxy: 'from'", "proxy: 'header' is missing",
        "proxy: 'role'", "audio: 'channels'"}) {
    EXPECT_THAT(reported, HasSubstr(part)) << reported;
  }
  EXPECT_EQ(
      error_of(R"({"grid":7,"mtu":1,"audio":{"receiver":"nobody"}})"),
      "wall: 'mtu' must be a whole number between 576 and 9216\nwall: 'grid' must be an object")
      << "nothing that only follows";
  EXPECT_EQ(error_of("[]"), "wall: must be an object");
}

TEST(WallFile, NoMistakeIsToldThatOnlyFollowsFromAnother) {
  EXPECT_EQ(error_of(grid_text(R"("columns":1,"rows":1,"resolution":[8,8],
                                  "mullion":[1,1],"mullion_mm":[1,1],"pixel_pitch_mm":1)")),
            "grid: 'mullion_mm' cannot be combined with 'mullion'");
  EXPECT_EQ(error_of(grid_text(
                R"("columns":"4","rows":2,"resolution":[8,8],"tiles_per_receiver":[2,1])")),
            "grid: 'columns' must be a whole number between 1 and 1024");
  const std::string grid = R"("grid":{"columns":2,"rows":1,"resolution":[8,8]})";
  EXPECT_EQ(error_of("{" + grid + R"(,"audio":"left"})"), "wall: 'audio' must be an object");
  EXPECT_EQ(error_of("{" + grid + R"(,"receivers":[{"name":"left","port":0},{"name":"right"}],
                     "apps":[{"name":"node1"}],"audio":{"receiver":"left","channels":9}})"),
            "receivers[0]: 'port' must be a whole number between 1 and 65535\n"
            "audio: 'channels' must be a whole number between 1 and 8");
}

TEST(WallFile, NoMoreMistakesAreToldThanAnybodyReads) {
  std::string tiles = "7";
  for (int i = 1; i < 1000; ++i) tiles += ",7";
  const std::string reported = error_of(tiles_text(tiles));
  EXPECT_EQ(std::ranges::count(reported, '\n'), 100);
  EXPECT_TRUE(reported.ends_with("\nand more"));
}

TEST(WallFile, WrittenOutAndReadAgainIsTheSameWall) {
  for (uint32_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    RandomWall random(seed);
    const Wall wall = random.wall(500);
    const Result<Wall> again = parse_wall(wall_json(wall).dump());
    ASSERT_TRUE(again.has_value()) << again.error().message;
    ASSERT_EQ(*again, wall);
  }
}

TEST(WallFile, ReadyFilesAreGood) {
  const struct {
    const char* file;
    Size size;
    size_t tiles;
    size_t receivers;
  } expected[] = {{"1x1", {1920, 1080}, 1, 1}, {"2x2", {3860, 2180}, 4, 4},
                  {"4x1", {7710, 1080}, 4, 2}, {"5x2", {6400, 2048}, 10, 10},
                  {"demo", {1296, 736}, 4, 4}, {"irregular", {4276, 1920}, 4, 3}};
  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(WALLS_FOLDER)) {
    files += entry.path().extension() == ".json" ? 1 : 0;
  }
  EXPECT_EQ(files, std::size(expected));
  for (const auto& one : expected) {
    const Result<Wall> wall = load_wall(std::string(WALLS_FOLDER "/") + one.file + ".json");
    ASSERT_TRUE(wall.has_value()) << wall.error().message;
    EXPECT_EQ(wall->name, one.file);
    EXPECT_EQ(wall->size, one.size) << one.file;
    EXPECT_EQ(wall->tiles.size(), one.tiles) << one.file;
    EXPECT_EQ(wall->receivers.size(), one.receivers) << one.file;
    EXPECT_EQ(parsed(wall_json(*wall).dump()), *wall);
  }
}

TEST(WallFile, SaysHowReceiversAreStarted) {
  const auto text = [](const std::string& keys) {
    return R"({"receivers":[{"name":"n",)" + keys +
           R"(}],"grid":{"columns":1,"rows":1,"resolution":[8,8]}})";
  };
  const Wall wall = parsed(text(
      R"("host":"far","user":"wall","port":2222,"program":"/opt/r","display":"gl",)"
      R"("environment":{"DISPLAY":":0"},"arguments":["--memory","9"],"announce":"10.0.0.11")"));
  const ReceiverPlace& place = wall.receivers[0];
  EXPECT_EQ(place.user, "wall");
  EXPECT_EQ(place.port, 2222);
  EXPECT_EQ(place.program, "/opt/r");
  EXPECT_EQ(place.display, "gl");
  EXPECT_THAT(place.environment, ElementsAre(Pair("DISPLAY", ":0")));
  EXPECT_THAT(place.arguments, ElementsAre("--memory", "9"));
  EXPECT_EQ(place.announce, "10.0.0.11");
  EXPECT_EQ(parsed(wall_json(wall).dump()), wall);

  for (const char* wrong :
       {R"("host":"-oProxyCommand=reboot")", R"("user":"-l")", R"("user":"a b")", R"("port":0)",
        R"("port":65536)", R"("environment":["A=b"])", R"("environment":{"A B":"c"})",
        R"("environment":{"1A":"c"})", R"("environment":{"A":1})", R"("environment":{"A":"\n"})",
        R"("arguments":"--memory 9")", R"("arguments":[9])", R"("arguments":["a\u0000b"])",
        R"("announce":"node1")", R"("announce":"fe80::1%eth0")"}) {
    const std::string key = std::string(wrong).substr(1, std::string(wrong).find('"', 1) - 1);
    EXPECT_THAT(error_of(text(wrong)), HasSubstr(key)) << wrong;
  }
}

TEST(WallFile, SaysWhereApplicationsRun) {
  const std::string grid =
      R"({"grid": {"columns": 1, "rows": 1, "resolution": [64, 64]}, "apps": [)";
  const auto wall = sail::parse_wall(
      grid + R"({"name": "render", "host": "r1", "second_host": "r2", "user": "wall", "port": 2222,
                 "environment": {"A": "b"}, "command": ["viewer", "--full"]},
                {"name": "here"}]})");
  ASSERT_TRUE(wall) << wall.error().message;
  ASSERT_EQ(wall->apps.size(), 2U);
  const sail::AppPlace& render = wall->apps[0];
  EXPECT_EQ(render.host, "r1");
  EXPECT_EQ(render.second_host, "r2");
  EXPECT_EQ(render.user, "wall");
  EXPECT_EQ(render.port, 2222);
  EXPECT_EQ(render.environment.at("A"), "b");
  EXPECT_EQ(render.command, (std::vector<std::string>{"viewer", "--full"}));
  EXPECT_EQ(wall->apps[1], sail::AppPlace{.name = "here"});
  EXPECT_EQ(sail::parse_wall(sail::wall_json(*wall).dump()), wall);

  for (const char* bad :
       {R"({"host": "r1"}]})", R"({"name": "node1"}]})", R"({"name": "a"}, {"name": "a"}]})",
        R"({"name": "a", "second_host": "-oProxyCommand=x"}]})",
        R"({"name": "a", "command": "viewer"}]})", R"({"name": "a", "command": ["a\u0000b"]}]})"}) {
    EXPECT_FALSE(sail::parse_wall(grid + bad)) << bad;
  }
}

std::string with_launch(const std::string& wall, const std::string& receiver) {
  return R"({"grid":{"columns":2,"rows":1,"resolution":[8,8]})" + wall +
         R"(,"receivers":[{"name":"left")" + receiver +
         R"(},{"name":"right"}],"apps":[{"name":"model","host":"r1","user":"me"}]})";
}

TEST(WallFile, SaysHowProgramsAreLaunched) {
  const Wall none = parsed(with_launch("", R"(,"host":"n1")"));
  EXPECT_EQ(none.receivers[0].launch, "");
  EXPECT_EQ(none.apps[0].launch, "");

  const std::string own = "srun -w {host} -J {node} {command}";
  const Wall wall = parsed(with_launch(R"(,"launch":"run {user}@{host} {command}")",
                                       R"(,"host":"n1","launch":")" + own + "\""));
  EXPECT_EQ(wall.receivers[0].launch, own);
  EXPECT_EQ(wall.receivers[1].launch, "") << "it runs on the manager's host";
  EXPECT_EQ(wall.apps[0].launch, "run {user}@{host} {command}");
  EXPECT_EQ(parsed(wall_json(wall).dump()), wall);

  const Wall by_ssh = parsed(with_launch(R"(,"launch":"run {user}@{host} {command}")",
                                         R"(,"host":"n1","port":22,"launch":"ssh")"));
  EXPECT_EQ(by_ssh.receivers[0].launch, "");
  EXPECT_EQ(parsed(wall_json(by_ssh).dump()), by_ssh);
}

TEST(WallFile, SaysWhatIsWrongWithALauncher) {
  const struct {
    const char* keys;
    const char* error;
  } cases[] = {
      {R"("launch":"")", "'launch' must not be empty"},
      {R"("launch":"  # {command}")", "'launch' must not be empty"},
      {R"("launch":7)", "'launch' must be a string"},
      {R"("launch":"srun -n1")", "'launch' has no {command}"},
      {R"("launch":"srun {command} {command}")", "'launch' has {command} more than once"},
      {R"("launch":"srun '{command} &'")", "'launch' has {command} within the word"},
      {R"("launch":"srun -w {hots} {command}")", "unknown placeholder {hots}"},
      {R"("launch":"srun {command} {")", "unknown placeholder {:"},
      {R"("launch":"/usr/bin/ssh -T {command}")", "cannot be a command line of ssh"},
      {R"("launch":"srun -w {host} {command}")", "contains {host}, but this entry has no 'host'"},
      {R"("launch":"run -u {user} {command}")", "contains {user}, but this entry has no 'user'"},
      {R"("launch":"srun {command}","user":"me")", "'user' is not used"},
      {R"("launch":"srun {command}","port":22)", "'port' is for ssh"}};
  for (const auto& one : cases) {
    EXPECT_THAT(error_of(with_launch("", std::string(",") + one.keys)),
                AllOf(StartsWith("receivers[0]: "), HasSubstr(one.error)))
        << one.keys;
  }
  const std::string wrong = error_of(with_launch(R"(,"launch":"srun")", R"(,"host":"n1")"));
  EXPECT_EQ(wrong, "wall: 'launch' has no {command}, which the program's command replaces")
      << "it is reported once";
  EXPECT_THAT(error_of(with_launch(R"(,"launch":")" + std::string(1025, 'x') + "\"", "")),
              HasSubstr("1024 bytes"));
  EXPECT_THAT(error_of(R"({"grid":{"columns":1,"rows":1,"resolution":[8,8]},)"
                       R"("standby":{"host":"h","launch":"srun {command}"}})"),
              HasSubstr("standby: 'launch' is not a known field"));
}

TEST(Launch, ValuesAreNeitherSplitNorReadAgain) {
  const LaunchValues values{.node = "it's {host}; $(reboot)",
                            .host = "n1",
                            .user = "me",
                            .command = {"sh", "-c", "exit 3"}};
  EXPECT_THAT(
      launch_words(R"(run '-J a b' -N{node} {user}@{host}:{host} "" {command} {user})", values),
      ElementsAre("run", "-J a b", "-Nit's {host}; $(reboot)", "me@n1:n1", "", "sh", "-c", "exit 3",
                  "me"));
}

TEST(WallFile, SaysWhereTheStandbyRuns) {
  const auto text = [](const std::string& standby, const std::string& more = "") {
    return R"({"grid":{"columns":1,"rows":1,"resolution":[64,64]},"standby":)" + standby + more +
           "}";
  };
  const Wall wall = parsed(
      text(R"({"host":"second","user":"wall","port":2222,"program":"/opt/m","listen":"[::]:7000",)"
           R"("environment":{"A":"b"},"arguments":["--media","/films"]})"));
  ASSERT_TRUE(wall.standby);
  EXPECT_EQ(wall.standby->host, "second");
  EXPECT_EQ(wall.standby->user, "wall");
  EXPECT_EQ(wall.standby->port, 2222);
  EXPECT_EQ(wall.standby->program, "/opt/m");
  EXPECT_EQ(wall.standby->listen, "[::]:7000");
  EXPECT_THAT(wall.standby->environment, ElementsAre(Pair("A", "b")));
  EXPECT_THAT(wall.standby->arguments, ElementsAre("--media", "/films"));
  EXPECT_EQ(parsed(wall_json(wall).dump()), wall);
  EXPECT_EQ(parsed(text("{}")).standby, StandbyPlace());

  for (const char* wrong :
       {R"({"name":"a"})", R"({"host":"-oProxyCommand=reboot"})", R"({"listen":"-x"})",
        R"({"arguments":"--media"})", R"([{"host":"second"}])", R"("second")"}) {
    EXPECT_THAT(error_of(text(wrong)), HasSubstr("standby")) << wrong;
  }
  EXPECT_THAT(error_of(text("{}", R"(,"apps":[{"name":"standby"}])")),
              HasSubstr("rename the receiver or app"));
  EXPECT_THAT(error_of(text("{}", R"(,"receivers":[{"name":"standby"}])")),
              HasSubstr("rename the receiver or app"));
}

TEST(WallFile, AProxyIsTrustedByAddressAndHeader) {
  const auto text = [](const std::string& proxy) {
    return R"({"grid":{"columns":1,"rows":1,"resolution":[64,64]},"proxy":)" + proxy + "}";
  };
  const Wall wall = parsed(
      text(R"({"from":["10.0.0.5","2001:DB8:0:0::1"],"header":"X-User","role":"presenter"})"));
  ASSERT_TRUE(wall.proxy);
  EXPECT_THAT(wall.proxy->from, ElementsAre("10.0.0.5", "2001:db8::1"));
  EXPECT_EQ(wall.proxy->header, "x-user");
  EXPECT_EQ(wall.proxy->role, "presenter");
  EXPECT_EQ(parsed(wall_json(wall).dump()), wall);
  EXPECT_EQ(parsed(text(R"({"from":["::1"],"header":"a"})")).proxy->role, "");
  const Wall grouped = parsed(text(
      R"({"from":["::1"],"header":"a","groups_header":"X-Groups","groups":{"a b":"operator"}})"));
  EXPECT_EQ(grouped.proxy->groups_header, "x-groups");
  EXPECT_EQ(grouped.proxy->groups.at("a b"), "operator");
  EXPECT_EQ(parsed(wall_json(grouped).dump()), grouped);

  for (const char* wrong :
       {"{}", R"({"from":["::1"]})", R"({"header":"a"})", R"({"from":[],"header":"a"})",
        R"({"from":["proxy.example"],"header":"a"})", R"({"from":"::1","header":"a"})",
        R"({"from":["::1"],"header":"a b"})", R"({"from":["::1"],"header":"a:"})",
        R"({"from":["::1"],"header":""})", R"({"from":["::1"],"header":"a","role":"king"})",
        R"({"from":["::1"],"header":"a","groups_header":"b"})",
        R"({"from":["::1"],"header":"a","groups":{"b":"viewer"}})",
        R"({"from":["::1"],"header":"a","groups_header":"b","groups":{}})",
        R"({"from":["::1"],"header":"a","groups_header":"b","groups":{"c":"king"}})",
        R"({"from":["::1"],"header":"a","groups_header":"b","groups":{"c,d":"viewer"}})",
        R"({"from":["::1"],"header":"a","groups_header":"b","groups":{"c":1}})",
        R"({"from":["::1"],"header":"a","more":1})", R"(["::1"])"}) {
    EXPECT_THAT(error_of(text(wrong)), HasSubstr("proxy")) << wrong;
  }
}

// For any bytes: an error with a message, or a valid wall.
TEST(WallFile, SurvivesDamagedText) {
  const std::string good =
      wall_json(
          parsed(grid_text(R"("columns":2,"rows":2,"resolution":[640,360],"mullion":[16,8])")))
          .dump();
  for (size_t length = 0; length < good.size(); ++length) {
    EXPECT_FALSE(error_of(good.substr(0, length)).empty());
  }
  RandomWall random(1);
  for (int i = 0; i < 5000; ++i) {
    std::string text = good;
    for (int changes = random.between(1, 3); changes > 0; --changes) {
      const auto at = static_cast<size_t>(random.between(0, static_cast<int>(text.size()) - 1));
      text[at] = random.one_in(2) ? static_cast<char>(random.between(0, 255))
                                  : good[static_cast<size_t>(random.between(0, 99))];
    }
    const Result<Wall> wall = parse_wall(text);
    if (!wall) {
      ASSERT_FALSE(wall.error().message.empty());
    } else {
      ASSERT_EQ(parsed(wall_json(*wall).dump()), *wall) << text;
    }
  }
}

TEST(WallFile, ErrorsOfAFileNameIt) {
  const Result<Wall> missing = load_wall("/nonexistent/wall.json");
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(missing.error().message, HasSubstr("/nonexistent/wall.json"));
  const Result<Wall> folder = load_wall(WALLS_FOLDER);
  ASSERT_FALSE(folder.has_value());
  EXPECT_EQ(folder.error().code, ErrorCode::kIo);
  EXPECT_THAT(folder.error().message, HasSubstr(WALLS_FOLDER));
}

}  // namespace
}  // namespace sail
