#include "receiver/display/window_system.h"
#include "tests/unit/receiver/paint/painted_wall.h"

namespace receiver {

Display& test_display(int threads) {
  static std::unique_ptr<Display> display;
  display = make_cpu_display(make_null_window_system(), threads);
  return *display;
}

}  // namespace receiver
