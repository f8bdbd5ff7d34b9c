// main() of a program whose own main function is in a library under another name. This source
// includes few headers, so it compiles fast.
#include "sail/core/base/environment.h"
#include "sail/core/command_line/taken_arguments.h"

int VITRAIL_MAIN(int argc, char** argv);

int main(int argc, char** argv) {
  sail::prevent_core_dumps();
  std::vector<std::string> words = sail::take_arguments(argc, argv);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  return VITRAIL_MAIN(argc, arguments.data());
}
