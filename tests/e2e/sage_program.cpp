// A SAGE 1.x program that makes the calls of published programs and includes only SAGE's headers.
// Driven by test_sage.py.
//
//   sage_program class FORMAT up|down WIDTH HEIGHT [CONFIG]   uses class sail; "size W H" on
//                                standard input changes the frame size, other input ends it
//   sage_program functions WIDTH HEIGHT COUNT    uses the functions of libsage with COUNT windows
//   sage_program rank RANK                       one of two ranks, each with half of the picture
//
// The picture has a red, a green, a blue and a white quarter, beginning at the upper left.
#include <poll.h>

#include "libsage.h"
#include "misc.h"
#include "sail.h"

namespace {

struct Color {
  unsigned char red, green, blue, y, u, v;  // y, u, v by BT.601
};
const Color kColors[] = {{255, 0, 0, 81, 90, 240},
                         {0, 255, 0, 145, 54, 34},
                         {0, 0, 255, 41, 240, 110},
                         {255, 255, 255, 235, 128, 128}};

const Color& color_at(int x, int y, int width, int height) {
  return kColors[(y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1)];
}

unsigned to_565(const Color& color) {
  return (color.red >> 3) << 11 | (color.green >> 2) << 5 | color.blue >> 3;
}

// A block with one colour above and another one below.
void draw_texels(unsigned char* to, int column, int top, int width, int height, bool up) {
  const int rows[] = {up ? height - 1 - 4 * top : 4 * top, up ? height - 4 - 4 * top : 4 * top + 3};
  const unsigned first = to_565(color_at(4 * column, rows[0], width, height));
  const unsigned last = to_565(color_at(4 * column, rows[1], width, height));
  const unsigned high = first > last ? first : last;
  const unsigned low = first > last ? last : first;
  to[0] = static_cast<unsigned char>(high);
  to[1] = static_cast<unsigned char>(high >> 8);
  to[2] = static_cast<unsigned char>(low);
  to[3] = static_cast<unsigned char>(low >> 8);
  for (int row = 0; row < 4; ++row) {
    const int y = up ? height - 1 - 4 * top - row : 4 * top + row;
    to[4 + row] = to_565(color_at(4 * column, y, width, height)) == high ? 0x00 : 0x55;
  }
}

void draw(unsigned char* buffer, sagePixFmt format, bool up, int width, int height) {
  if (format == PIXFMT_DXT) {
    for (int top = 0; top < height / 4; ++top) {
      for (int column = 0; column < width / 4; ++column, buffer += 8) {
        draw_texels(buffer, column, top, width, height, up);
      }
    }
    return;
  }
  if (format == PIXFMT_565) return;  // leaves the buffer as it is
  for (int row = 0; row < height; ++row) {
    for (int x = 0; x < width; ++x) {
      const Color& color = color_at(x, up ? height - 1 - row : row, width, height);
      if (format == PIXFMT_YUV) {
        *buffer++ = x % 2 == 0 ? color.u : color.v;
        *buffer++ = color.y;
        continue;
      }
      const bool turned = format == PIXFMT_888_INV || format == PIXFMT_8888_INV;
      *buffer++ = turned ? color.blue : color.red;
      *buffer++ = color.green;
      *buffer++ = turned ? color.red : color.blue;
      if (format == PIXFMT_8888 || format == PIXFMT_8888_INV) *buffer++ = 0;
    }
  }
}

sagePixFmt format_named(const std::string& name) {
  if (name == "888") return PIXFMT_888;
  if (name == "888_INV") return PIXFMT_888_INV;
  if (name == "8888") return PIXFMT_8888;
  if (name == "8888_INV") return PIXFMT_8888_INV;
  if (name == "YUV") return PIXFMT_YUV;
  if (name == "DXT") return PIXFMT_DXT;
  return PIXFMT_565;
}

sail* open_window(sagePixFmt format, bool up, int width, int height, const char* config_file) {
  sail* window = new sail;
  sailConfig config;
  config.fsPort = 20002;
  strncpy(config.masterIP, "127.0.0.1", SAGE_IP_LEN - 1);
  config.nwID = 1;
  config.msgPort = 23010;
  config.syncPort = 13010;
  config.blockSize = 64;
  config.winX = config.winY = 0;
  config.winWidth = width;
  config.winHeight = height;
  config.streamType = SAGE_BLOCK_NO_SYNC;
  config.protocol = SAGE_UDP;
  config.asyncUpdate = false;
  if (config_file) config.init((char*)config_file);
  config.setAppName("quarters");
  config.rank = 1;
  config.appID = 0;
  config.resX = width;
  config.resY = height;
  sageRect map;
  map.left = 0.0;
  map.right = 1.0;
  map.bottom = 0.0;
  map.top = 1.0;
  config.imageMap = map;
  config.pixFmt = format;
  config.rowOrd = up ? BOTTOM_TO_TOP : TOP_TO_BOTTOM;
  config.master = true;
  window->init(config);
  return window;
}

bool read_line(std::string& line) {
  pollfd input = {0, POLLIN, 0};
  return poll(&input, 1, 0) > 0 && std::getline(std::cin, line);
}

int run_class(char** arguments, const char* config_file) {
  const sagePixFmt format = format_named(arguments[0]);
  const bool up = std::string(arguments[1]) == "up";
  int width = atoi(arguments[2]);
  int height = atoi(arguments[3]);
  sail* window = open_window(format, up, width, height, config_file);
  unsigned char* buffer = (unsigned char*)window->getBuffer();
  std::string line;
  for (;;) {
    if (read_line(line)) {
      if (sscanf(line.c_str(), "size %d %d", &width, &height) != 2) break;
      window->shutdown();
      delete window;
      window = open_window(format, up, width, height, config_file);
      buffer = (unsigned char*)window->getBuffer();
    }
    draw(buffer, format, up, width, height);
    window->swapBuffer(SAGE_NON_BLOCKING);
    sageMessage message;
    if (window->checkMsg(message, false) > 0) {
      const char* data = (const char*)message.getData();
      printf("message %d %s\n", message.getCode(), data ? data : "-");
      fflush(stdout);
      if (message.getCode() == APP_QUIT) break;
    }
    buffer = (unsigned char*)window->getBuffer();
    sage::usleep(5000);
  }
  window->shutdown();
  delete window;
  return 0;
}

void send_quit(sail*) {
  printf("quit\n");
}

int run_functions(int width, int height, int count) {
  std::vector<sail*> windows;
  for (int i = 0; i < count; ++i) {
    windows.push_back(
        createSAIL("functions", width, height, PIXFMT_8888_INV, NULL, TOP_TO_BOTTOM, 100));
  }
  std::vector<unsigned char> picture(static_cast<size_t>(width * height * 4));
  draw(picture.data(), PIXFMT_8888_INV, false, width, height);
  const double start = sage::getTime();
  for (int frame = 0;; ++frame) {
    for (size_t i = 0; i < windows.size(); ++i) {
      swapWithBuffer(windows[i], picture.data());
      processMessages(windows[i], NULL, send_quit, NULL);
    }
    if (frame == 100) {
      printf("100 frames in %d ms\n", (int)((sage::getTime() - start) / 1000));
      fflush(stdout);
    }
  }
}

// The first rank has the left half.
int run_rank(int rank) {
  const int width = 160, height = 180;
  sailConfig config;
  config.setAppName("halves");
  config.rank = rank;
  config.nodeNum = 2;
  config.resX = width;
  config.resY = height;
  config.imageMap = sageRect(rank == 0 ? 0.0f : 0.5f, rank == 0 ? 0.5f : 1.0f, 0.0f, 1.0f);
  sail window;
  if (window.init(config) < 0) return 1;
  for (;;) {
    unsigned char* buffer = (unsigned char*)window.getBuffer();
    for (int i = 0; i < width * height; ++i, buffer += 3) {
      buffer[0] = rank == 0 ? 255 : 0;
      buffer[1] = 0;
      buffer[2] = rank == 0 ? 0 : 255;
    }
    window.swapBuffer();
    sageMessage message;
    if (window.checkMsg(message, false) > 0 && message.getCode() == APP_QUIT) return 0;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string kind = argc > 1 ? argv[1] : "";
  if (kind == "class" && argc >= 6) return run_class(argv + 2, argc > 6 ? argv[6] : NULL);
  if (kind == "functions" && argc == 5)
    return run_functions(atoi(argv[2]), atoi(argv[3]), atoi(argv[4]));
  if (kind == "rank" && argc == 3) return run_rank(atoi(argv[2]));
  return 2;
}
