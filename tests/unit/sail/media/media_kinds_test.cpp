// A table of kinds of files. Each one is made by FFmpeg from the same four pictures, and must have
// the right size, number of pictures, times and colours, by each way on which files reach the wall.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "sail/apps/play/film_opening.h"
#include "sail/apps/show/still_file.h"
#include "sail/media/ffmpeg/sound/media_source_sound.h"
#include "sail/media/film/film_converter.h"
#include "sail/media/still/vips_library.h"
#include "tests/unit/sail/apps/play/clips.h"

namespace sail {
namespace {

constexpr Size kSize = {96, 64};
constexpr int kPictures = 4;
constexpr int kWhitePicture = 2;  // its middle is white, that of others black

// Red, green, blue and bright quarters.
const std::vector<std::pair<PixelColour, Rect>> kQuarters = {{{200, 40, 40}, {0, 0, 32, 16}},
                                                             {{40, 200, 40}, {64, 0, 32, 16}},
                                                             {{40, 40, 200}, {0, 48, 32, 16}},
                                                             {{200, 200, 200}, {64, 48, 32, 16}}};

struct Kind {
  std::string ending;  // of the file's name
  std::string encoder;
  std::vector<std::string> formats;
  int tolerance = 3;  // of colours in the middle of each quarter
};

// Films. The tolerance of 8 is for formats with coarse samples or old codecs.
const std::vector<Kind> kFilms = {
    {"mkv", "-c:v ffv1", {"yuv420p",     "yuva420p",    "yuv422p",     "yuva422p",    "yuv444p",
                          "yuva444p",    "yuv440p",     "yuv411p",     "yuv410p",     "bgr0",
                          "bgra",        "yuv420p16le", "yuv444p16le", "yuv422p9le",  "yuv420p10le",
                          "yuv422p10le", "yuv444p10le", "yuv422p12le", "yuv444p14le", "gbrp9le",
                          "gbrp10le",    "gbrp12le",    "gbrp16le",    "gbrap10le",   "rgb48le",
                          "rgba64le",    "gray",        "gray10le",    "gray16le",    "ya8"}},
    {"nut",
     "-c:v rawvideo",
     {"rgb24", "bgr24", "argb", "rgba", "abgr", "bgra", "rgb565le", "rgb555le", "rgb48be",
      "yuyv422", "uyvy422", "nv12", "nv21", "gray16be"},
     8},
    {"mov", "-c:v prores_ks", {"yuv422p10le", "yuv444p10le", "yuva444p10le"}, 4},
    {"mov", "-c:v qtrle", {"rgb24", "argb", "rgb555be"}, 8},
    {"mov", "-c:v png", {"rgb24", "rgba", "rgb48be", "gray"}},
    {"mov", "-c:v v210", {"yuv422p10le"}},
    {"mov", "-c:v v410", {"yuv444p10le"}},
    {"mov", "-c:v r210", {"gbrp10le"}},
    {"mov", "-c:v mjpeg -q:v 1", {"yuvj420p", "yuvj422p", "yuvj444p"}, 4},
    {"mov", "-c:v cfhd -quality film3+", {"yuv422p10le", "gbrp12le"}, 4},
    {"mov", "-c:v hap", {"rgba"}, 8},
    {"avi", "-c:v huffyuv", {"yuv422p", "rgb24", "bgra"}},
    {"avi", "-c:v ffvhuff", {"yuv420p", "yuv444p", "gbrp", "gray"}},
    {"avi", "-c:v utvideo", {"gbrp", "gbrap", "yuv422p", "yuv420p", "yuv444p"}},
    {"avi", "-c:v magicyuv", {"gbrp", "yuv422p", "yuva444p"}},
    {"avi", "-c:v mpeg4 -q:v 1", {"yuv420p"}, 5},
    {"avi", "-c:v msmpeg4v2 -q:v 1", {"yuv420p"}, 5},
    {"avi", "-c:v zmbv", {"bgr0", "rgb565le"}, 8},
    {"avi", "-c:v ljpeg", {"bgr24", "yuvj420p"}, 8},
    {"avi", "-c:v snow -q:v 1", {"yuv420p"}, 6},
    {"mp4",
     "-c:v libx264 -qp 4",
     {"yuv420p", "yuvj420p", "yuv422p", "yuv444p", "yuv420p10le", "nv12", "gray"}},
    {"mp4",
     "-c:v libx265 -x265-params log-level=none:qp=4",
     {"yuv420p", "yuv422p10le", "yuv444p", "yuv420p12le", "gbrp"},
     4},
    {"mp4", "-c:v libaom-av1 -crf 4 -cpu-used 8", {"yuv420p", "yuv420p10le", "gbrp"}, 4},
    {"ts", "-c:v libx264 -qp 4", {"yuv420p"}},
    {"ts", "-c:v mpeg2video -q:v 1 -muxrate 8M", {"yuv420p", "yuv422p"}, 4},
    {"mpg", "-c:v mpeg2video -q:v 1", {"yuv420p"}, 4},
    {"mxf", "-c:v mpeg2video -q:v 1", {"yuv422p"}, 4},
    {"mxf", "-c:v jpeg2000 -pred 1", {"yuv420p", "yuv422p", "rgb24"}},
    {"mov", "-c:v libopenjpeg", {"rgb48le", "gray16le", "yuv420p10le"}},
    {"mov", "-c:v jpeg2000 -pred 1", {"yuv444p", "gray"}},
    {"webm", "-c:v libvpx -crf 4 -b:v 4M -auto-alt-ref 0", {"yuv420p", "yuva420p"}, 4},
    {"webm",
     "-c:v libvpx-vp9 -crf 4 -b:v 0 -cpu-used 8",
     {"yuv420p", "yuva420p", "yuv444p", "yuv420p10le", "gbrp"},
     4},
    {"ogv", "-c:v libtheora -q:v 10", {"yuv420p"}, 6},
    {"flv", "-c:v flv -q:v 1", {"yuv420p"}, 5},
    {"wmv", "-c:v wmv2 -q:v 1", {"yuv420p"}, 5},
    {"y4m", "-strict -1", {"yuv420p", "yuv422p", "yuv444p", "yuv420p10le", "gray"}},
    {"gif", "", {"bgr8"}, 60},
    {"apng", "-plays 1", {"rgb24", "rgba", "gray"}},
};

// Single pictures.
const std::vector<Kind> kPicturesOfOne = {
    {"png", "", {"rgb24", "rgba", "rgb48be", "rgba64be", "gray", "ya8", "gray16be"}},
    {"jpg", "-q:v 1", {"yuvj420p", "yuvj422p", "yuvj444p"}, 5},
    {"tif", "", {"rgb24", "rgba", "rgb48le", "gray", "gray16le", "yuv444p"}},
    {"tiff", "-compression_algo lzw", {"rgb24", "rgb48le"}},
    {"tiff", "-compression_algo deflate", {"rgb24", "gray16le"}},
    {"webp", "-lossless 1", {"bgra"}},
    {"webp", "-quality 100", {"yuv420p"}, 5},
    {"bmp", "", {"bgr24", "bgra", "rgb565le", "gray"}, 8},
    {"tga", "", {"bgr24", "bgra", "gray"}},
    {"ppm", "", {"rgb24", "rgb48be"}},
    {"pgm", "", {"gray", "gray16be"}},
    {"pam", "", {"rgb24", "rgba", "rgb48be"}},
    {"pfm", "", {"gbrpf32le"}},
    {"sgi", "", {"rgb24", "rgba", "rgb48be", "gray"}},
    {"dpx", "", {"rgb24", "gbrp10be", "gbrp12le", "rgb48le"}},
    {"jp2", "-pred 1", {"rgb24", "gray"}},
    {"jp2", "-c:v libopenjpeg", {"rgb24", "rgb48le", "gray16le", "rgba"}},
    {"j2k", "-pred 1 -format j2k", {"rgb24", "yuv420p"}},
    {"jls", "", {"rgb24", "gray"}},
    {"qoi", "", {"rgb24", "rgba"}},
    {"jxl", "-distance 0", {"rgb24", "rgba", "rgb48le", "gray"}},
    {"ras", "", {"bgr24", "gray"}},
    {"pcx", "", {"rgb24", "gray"}},
    {"xwd", "", {"bgra", "rgb24"}},
    {"avif", "-still-picture 1 -crf 4 -cpu-used 8", {"yuv420p", "yuv444p", "yuv420p10le"}, 4},
};

struct SoundKind {
  std::string ending;
  std::string encoder;
  bool surround = true;  // the encoder supports 5.1
};

const std::vector<SoundKind> kSounds = {
    {"wav", "-c:a pcm_s16le"},
    {"wav", "-c:a pcm_f32le"},
    {"wav", "-c:a pcm_u8"},
    {"wav", "-c:a adpcm_ms", false},
    {"mov", "-c:a pcm_s24le"},
    {"mov", "-c:a pcm_s16be"},
    {"mov", "-c:a alac"},
    {"m4a", "-c:a aac -b:a 384k"},
    {"flac", "-c:a flac"},
    {"mp3", "-c:a libmp3lame -q:a 0", false},
    {"mp2", "-c:a mp2 -b:a 320k", false},
    {"ogg", "-c:a libvorbis -q:a 8"},
    {"opus", "-c:a libopus -b:a 256k"},
    {"mka", "-c:a libopus -b:a 256k"},
    {"ac3", "-c:a ac3 -b:a 448k"},
    {"eac3", "-c:a eac3 -b:a 448k"},
    {"mka", "-c:a truehd -strict -2"},
    {"dts", "-c:a dca -strict -2 -b:a 768k"},
    {"wv", "-c:a wavpack"},
    {"tta", "-c:a tta"},
    {"wma", "-c:a wmav2 -b:a 192k", false},
    {"aiff", "-c:a pcm_s16be"},
    {"au", "-c:a pcm_s16be", false},
    {"caf", "-c:a pcm_s24be"},
    {"ts", "-c:a aac -b:a 384k"},
};

bool is_grey(const std::string& format) {
  return format.starts_with("gray") || format.starts_with("ya");
}

std::string input() {
  std::string filter = "color=c=0xC82828:s=96x64:r=25,format=gbrp";
  for (const char* box : {"48:0:48:32:0x28C828", "0:32:48:32:0x2828C8", "48:32:48:32:0xC8C8C8",
                          "32:16:32:32:black"}) {
    filter += ",drawbox=" + std::string(box) + ":fill";
  }
  return "-f lavfi -i \"" + filter + ",drawbox=32:16:32:32:white:fill:enable='eq(n\\,2)'\"";
}

std::string name_of(const Kind& kind, const std::string& format) {
  std::string name = format + kind.encoder + "." + kind.ending;
  std::erase_if(name, [](char letter) { return letter == ' ' || letter == ':'; });
  return name;
}

// One FFmpeg makes all formats of a kind.
void make(const TempFolder& folder, const Kind& kind, int pictures) {
  std::string command = "ffmpeg -nostdin -loglevel error -y " + input();
  for (const std::string& format : kind.formats) {
    command += " -frames:v " + std::to_string(pictures) + " " + kind.encoder + " -pix_fmt " +
               format + " '" + folder.file(name_of(kind, format)) + "'";
  }
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
}

PixelColour expected(const PixelColour& colour, bool grey) {
  if (!grey) return colour;
  const int luma =
      static_cast<int>(std::lround(0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]));
  return {luma, luma, luma};
}

template <class ColourAt>
void expect_picture(const ColourAt& colour_at_point, const Kind& kind, const std::string& format,
                    bool white, const std::string& what) {
  for (const auto& [colour, quarter] : kQuarters) {
    expect_near(colour_at_point(quarter.x + quarter.width / 2, quarter.y + quarter.height / 2),
                expected(colour, is_grey(format)), kind.tolerance, what);
  }
  const int middle = white ? 255 : 0;
  expect_near(colour_at_point(kSize.width / 2, kSize.height / 2), {middle, middle, middle},
              kind.tolerance, what + ", middle");
}

void expect_pictures(Source& source, const Kind& kind, const std::string& format, int pictures,
                     const std::string& what) {
  for (int number = 0; number < pictures; ++number) {
    const std::string which = what + ", picture " + std::to_string(number);
    auto picture = source.next();
    ASSERT_TRUE(picture) << which << ": " << picture.error().message;
    ASSERT_TRUE(*picture) << which << " is missing";
    ASSERT_EQ((*picture)->size, kSize) << which;
    EXPECT_NEAR(static_cast<double>((*picture)->pts_ns), number * 40e6, 1e6) << which;
    expect_picture([&](int x, int y) { return colour_at(**picture, x, y); }, kind, format,
                   number == kWhitePicture, which);
  }
  auto end = source.next();
  ASSERT_TRUE(end) << what << ": " << end.error().message;
  EXPECT_FALSE(*end) << what << " has more pictures than " << pictures;
}

// bplay, lists and the film server.
void expect_played(const std::string& file, const Kind& kind, const std::string& format,
                   int pictures) {
  FilmWish wish;
  wish.codec = "raw";
  wish.codec_given = true;
  wish.threads = 1;
  auto source = open_film(file, wish);
  ASSERT_TRUE(source) << source.error().message;
  expect_pictures(**source, kind, format, pictures, file);
}

// vitrail convert.
void expect_converted(const std::string& file, int pictures) {
  ConvertOptions options;
  options.input = file;
  options.output = file + ".vmov";
  options.codec = parse_codec_spec("raw").value();
  options.threads = 1;
  auto converter = FilmConverter::open(options);
  ASSERT_TRUE(converter) << converter.error().message;
  for (;;) {
    const auto more = (*converter)->step();
    ASSERT_TRUE(more) << file << ": " << more.error().message;
    if (!*more) break;
  }
  ASSERT_TRUE((*converter)->finish());
  EXPECT_EQ((*converter)->progress().frames, static_cast<uint64_t>(pictures)) << file;
}

// Others are refused, as are TIFFs of YCbCr.
bool is_for_show(const Kind& kind, const std::string& format) {
  constexpr std::array kEndings = {"png", "jpg", "tif", "tiff", "webp", "avif"};
  const bool tiff = kind.ending.starts_with("tif");
  return std::ranges::find(kEndings, kind.ending) != kEndings.end() &&
         !(tiff && format.starts_with("yuv"));
}

void expect_shown(const std::string& file, const Kind& kind, const std::string& format) {
  auto still = open_still(file);
  if (!is_for_show(kind, format)) {
    EXPECT_FALSE(still && (*still)->turn_to(0)) << file;
    return;
  }
  ASSERT_TRUE(still) << still.error().message;
  const auto page = (*still)->turn_to(0);
  ASSERT_TRUE(page) << page.error().message;
  ASSERT_EQ(page->size, kSize) << file;
  auto raster = (*still)->draw({.frame = kSize});
  ASSERT_TRUE(raster) << raster.error().message;
  const auto colour = [&](int x, int y) -> PixelColour {
    const uint8_t* pixel = raster->at(x, y);
    return {pixel[2], pixel[1], pixel[0]};
  };
  expect_picture(colour, kind, format, false, file + " by vitrail-show");
}

// Strongest samples of the left and the right loudspeaker.
std::array<float, 2> loudness(const std::string& file) {
  std::array<float, 2> loudest = {};
  auto sound = MediaSound::open(file);
  EXPECT_TRUE(sound) << sound.error().message;
  while (sound) {
    const auto samples = (*sound)->next();
    if (!samples) break;
    for (size_t i = 0; i < samples->values.size(); ++i) {
      loudest[i % 2] = std::max(loudest[i % 2], std::abs(samples->values[i]));
    }
  }
  return loudest;
}

// Only one channel of the layout has a tone.
std::string tone(const std::string& layout, int channels, int with_tone) {
  std::string channel;
  for (int i = 0; i < channels; ++i) {
    channel += (i == 0 ? "" : "|") + std::string(i == with_tone ? "sin(4400*t)/2" : "0");
  }
  return "-f lavfi -i \"aevalsrc='" + channel + "':c=" + layout + ":s=48000:d=0.5\" ";
}

TEST(MediaKinds, SoundsAreHeard) {
  struct Place {
    const char* layout;
    int channels;
    int with_tone;
    bool left;
    bool right;
  };
  constexpr Place kPlaces[] = {{"mono", 1, 0, true, true},    {"stereo", 2, 0, true, false},
                               {"stereo", 2, 1, false, true}, {"5.1", 6, 2, true, true},
                               {"5.1", 6, 4, true, false},    {"5.1", 6, 5, false, true}};
  const TempFolder folder;
  for (const Place& place : kPlaces) {
    std::string command =
        "ffmpeg -nostdin -loglevel error -y " + tone(place.layout, place.channels, place.with_tone);
    std::vector<std::string> files;
    for (const SoundKind& kind : kSounds) {
      if (place.channels > 2 && !kind.surround) continue;
      files.push_back(folder.file(std::to_string(files.size()) + "." + kind.ending));
      command += kind.encoder + " '" + files.back() + "' ";
    }
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
    for (const std::string& file : files) {
      const auto [left, right] = loudness(file);
      const std::string where = file + ", " + place.layout + " " + std::to_string(place.with_tone);
      EXPECT_EQ(left > 0.1F, place.left) << where << ": " << left;
      EXPECT_EQ(right > 0.1F, place.right) << where << ": " << right;
    }
  }
}

TEST(MediaKinds, FilmsArePlayedAndConverted) {
  const TempFolder folder;
  for (const Kind& kind : kFilms) {
    make(folder, kind, kPictures);
    for (const std::string& format : kind.formats) {
      const std::string file = folder.file(name_of(kind, format));
      expect_played(file, kind, format, kPictures);
      expect_converted(file, kPictures);
    }
  }
}

TEST(MediaKinds, PicturesAreShownAndPlayed) {
  ASSERT_TRUE(start_vips(1));
  const TempFolder folder;
  for (const Kind& kind : kPicturesOfOne) {
    make(folder, kind, 1);
    for (const std::string& format : kind.formats) {
      const std::string file = folder.file(name_of(kind, format));
      expect_played(file, kind, format, 1);
      expect_shown(file, kind, format);
    }
  }
}

}  // namespace
}  // namespace sail
