#include "sail/media/still/still_library.h"

#include <dlfcn.h>

#include <filesystem>
#include <string_view>

namespace sail {
namespace {

using Loaded = Result<const StillLibrary*>;

Loaded no_stills(const char* why) {
  return fail(ErrorCode::kUnavailable, std::string("stills cannot be shown: ") +
                                           (why == nullptr ? "unknown error" : why) +
                                           "; install the package vitrail-poster");
}

Loaded load_stills() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  // An empty path would lead to the current folder, and so to somebody else's library.
  if (error) {
    return fail(ErrorCode::kUnavailable,
                "stills cannot be shown: cannot read /proc/self/exe: " + error.message());
  }
  const auto module = program.parent_path() / VITRAIL_MODULES / "vitrail-stills.so";
  void* const loaded = dlopen(module.c_str(), RTLD_NOW);
  if (loaded == nullptr) return no_stills(dlerror());
  auto* const library = reinterpret_cast<const StillLibrary* (*)()>(dlsym(loaded, kStillLibrary));
  if (library == nullptr) return no_stills(dlerror());
  return of_this_build(*library());
}

}  // namespace

Loaded of_this_build(const StillLibrary& library) {
  if (library.build == std::string_view(VITRAIL_STILLS_BUILD)) return &library;
  return fail(ErrorCode::kUnavailable,
              "stills cannot be shown: vitrail-stills.so is of another version than this program: "
              "restart the program");
}

Loaded still_library() {
  static const Loaded library = load_stills();
  return library;
}

}  // namespace sail
