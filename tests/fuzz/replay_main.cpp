// Runs a fuzz target over the files of a folder: replay FOLDER. Each input lies in a heap buffer of
// exactly its size, so that AddressSanitizer sees a read past its end.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>

#include "tests/fuzz/fuzz.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: " << argv[0] << " FOLDER\n";
    return 2;
  }
  int inputs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    const auto size = static_cast<size_t>(entry.file_size());
    const auto bytes = std::make_unique<uint8_t[]>(size);
    std::ifstream file(entry.path(), std::ios::binary);
    file.read(reinterpret_cast<char*>(bytes.get()), static_cast<std::streamsize>(size));
    if (!file) {
      std::cerr << "cannot read " << entry.path() << '\n';
      return 1;
    }
    std::cout << entry.path().filename() << std::endl;  // flushed: the one that aborts is the last
    LLVMFuzzerTestOneInput(bytes.get(), size);
    ++inputs;
  }
  std::cout << inputs << " inputs\n";
  return inputs == 0 ? 1 : 0;
}
