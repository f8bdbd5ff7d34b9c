// A moving rainbow in a window on the wall: a complete SAIL application in C++.
//
//   hello_cpp [FRAMES]      (endless without a number)
#include <sail/sail.hpp>

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

constexpr int kWidth = 1280;
constexpr int kHeight = 720;

void draw(std::vector<uint8_t>& pixels, long frame) {
  uint8_t* pixel = pixels.data();
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x, pixel += 3) {
      pixel[0] = static_cast<uint8_t>(x + 4 * frame);  // red
      pixel[1] = static_cast<uint8_t>(y + 2 * frame);  // green
      pixel[2] = static_cast<uint8_t>(x + y);          // blue
    }
  }
}

int main(int argc, char** argv) {
  const long frames = argc > 1 ? std::atol(argv[1]) : -1;
  std::string error;
  sail_session_options session_options{};
  session_options.name = "hello";  // the manager's address comes from $VITRAIL_MANAGER
  sail::Session session(session_options, &error);
  sail_stream_options stream_options{};
  stream_options.title = "hello";
  stream_options.width = kWidth;
  stream_options.height = kHeight;
  sail::Stream stream = session ? session.open(stream_options, &error) : sail::Stream();
  if (!stream) {
    std::cerr << "hello: " << error << "\n";
    return 1;
  }

  std::vector<uint8_t> pixels(size_t{3} * kWidth * kHeight);
  sail_frame frame{};
  frame.format = SAIL_RGB;
  frame.planes[0] = pixels.data();
  frame.strides[0] = 3 * kWidth;
  for (long i = 0; i != frames; ++i) {
    draw(pixels, i);
    stream.submit(frame);  // SAIL_DROPPED: the wall is busy; the next frame replaces this one
    // Checks if the window was closed. The wait of 20 ms also limits the rate to 50 frames a
    // second.
    while (const auto event = session.poll(20)) {
      if (event->type == SAIL_EVENT_CLOSE) return 0;
    }
  }
}
