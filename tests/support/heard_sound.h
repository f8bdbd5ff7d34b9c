// What the loudspeakers of a wall in memory play: SDL's "disk" driver writes it to a file. Of one
// wall, and there before it.
#pragma once

#include <string>
#include <vector>

#include "sail/wall/wall.h"
#include "tests/support/environment_variable.h"
#include "tests/support/temp_folder.h"

namespace test {

// The wall, with loudspeakers at its first receiver.
sail::Wall with_loudspeakers(sail::Wall wall);

class HeardSound {
 public:
  // Whether the last half second and more was a tone of that amplitude, without a gap, whatever
  // else was heard with it. Amplitude 0: there was none.
  bool has_tone(int hz, double amplitude, double seconds = 0.5) const;

 private:
  // Of the left channel; empty: not so much was heard.
  std::vector<float> last(double seconds) const;

  const sail::TempFolder folder_;
  const std::string file_ = folder_.file("heard.raw");
  const EnvironmentVariable driver_{"SDL_AUDIODRIVER", "disk"};
  const EnvironmentVariable output_{"SDL_DISKAUDIOFILE", file_};
};

}  // namespace test
