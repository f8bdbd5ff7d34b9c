// Runs a fuzz target over the files of a folder: fuzz_replay TARGET FOLDER. Each input lies in a
// heap buffer of exactly its size, so that AddressSanitizer sees a read past its end.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string_view>

// FUZZ_TARGETS, defined by the build, is TARGET(name) for each target.
#define TARGET(name) int fuzz_##name(const uint8_t* data, size_t size);
FUZZ_TARGETS
#undef TARGET

namespace {

struct Target {
  std::string_view name;
  int (*run)(const uint8_t* data, size_t size);
};

#define TARGET(name) {#name, fuzz_##name},
constexpr Target kTargets[] = {FUZZ_TARGETS};
#undef TARGET

}  // namespace

int main(int argc, char** argv) {
  const Target* target = argc == 3
                             ? std::ranges::find(kTargets, std::string_view(argv[1]), &Target::name)
                             : std::end(kTargets);
  if (target == std::end(kTargets)) {
    std::cerr << "usage: " << argv[0] << " TARGET FOLDER\n";
    return 2;
  }
  int inputs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(argv[2])) {
    const auto size = static_cast<size_t>(entry.file_size());
    const auto bytes = std::make_unique<uint8_t[]>(size);
    std::ifstream file(entry.path(), std::ios::binary);
    file.read(reinterpret_cast<char*>(bytes.get()), static_cast<std::streamsize>(size));
    if (!file) {
      std::cerr << "cannot read " << entry.path() << '\n';
      return 1;
    }
    std::cout << entry.path().filename()
              << std::endl;  // flushed, so that the last line names the aborting input
    target->run(bytes.get(), size);
    ++inputs;
  }
  std::cout << inputs << " inputs\n";
  return inputs == 0 ? 1 : 0;
}
