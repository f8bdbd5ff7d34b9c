// Captures the sound of a headless wall with SDL's "disk" driver, which writes a file. For one
// wall; create it before the wall.
#pragma once

#include <string>
#include <vector>

#include "sail/core/wall/wall.h"
#include "tests/support/environment_variable.h"
#include "tests/support/temp_folder.h"

namespace test {

// Adds loudspeakers to the wall's first receiver.
sail::Wall with_loudspeakers(sail::Wall wall);

class HeardSound {
 public:
  // Returns true if the last `seconds` contain a tone of this amplitude without a gap, perhaps
  // among other sounds. Amplitude 0: the tone must be absent.
  bool has_tone(int hz, double amplitude, double seconds = 0.5) const;

 private:
  // Samples of the left channel; empty: less sound than that was played.
  std::vector<float> last(double seconds) const;

  const sail::TempFolder folder_;
  const std::string file_ = folder_.file("heard.raw");
  const EnvironmentVariable driver_{"SDL_AUDIODRIVER", "disk"};
  const EnvironmentVariable output_{"SDL_DISKAUDIOFILE", file_};
};

}  // namespace test
