#include "manager/media/source_objects.h"

#include <fmt/core.h>

#include <charconv>
#include <iterator>
#include <utility>

#include "manager/media/play_request.h"
#include "manager/wall/window_stack.h"
#include "sail/core/text/text.h"
#include "sail/core/wire/content.h"
#include "sail/core/wire/ticker_medium.h"

namespace manager {
namespace {

WallObject object_of(const Source& source) {
  WallObject object{ObjectKind::kSource, {source.title, source.id}};
  if (!source.media.empty()) {
    object.names.push_back(source.media);
    object.names.push_back(sail::without_passwords(source.media));
  }
  return object;
}

// Returns test cards as the list of sources names them: test:01280x720@60.0 is test:1280x720@60.
// The defaults are bplay's.
std::string usual_form(const std::string& medium) {
  if (!medium.starts_with(sail::kTestScheme)) return medium;
  int width = 1920;
  int height = 1080;
  double fps = 30;
  const char* at = medium.data() + sail::kTestScheme.size();
  const char* const end = medium.data() + medium.size();
  const auto read = [&](auto& number) {
    at = std::from_chars(at, end, number).ptr;
    if (at != end) ++at;
  };
  read(width);
  read(height);
  read(fps);
  return fmt::format("{}{}x{}@{:g}", sail::kTestScheme, width, height, fps);
}

WallObject unknown_source(const std::string& name) {
  return {
      ObjectKind::kSource,
      {sail::without_passwords(name), name, name.substr(name.rfind('/') + 1), usual_form(name)}};
}

}  // namespace

std::vector<WallObject> source_objects(const SourceLibrary& library, const std::string& named) {
  const std::string read = sail::ticker_source(named);
  const std::string& name = read.empty() ? named : read;
  std::vector<WallObject> objects;
  const std::string medium = usual_form(name);
  const bool is_pattern = name.find('*') != std::string::npos;
  const auto is_named = [&](const std::string& text) {
    return text == name || (is_pattern && sail::fits_pattern(name, text));
  };
  for (const Source* source : library.all()) {
    if (is_named(source->id) || is_named(source->title) || source->media == medium) {
      objects.push_back(object_of(*source));
    }
  }
  objects.push_back(unknown_source(name));
  return objects;
}

std::vector<WallObject> source_objects(const SourceLibrary& library, const PlayRequest& content) {
  std::vector<std::string> names = content.media;
  if (!content.fallback.empty() && content.fallback != kFallbackCard) {
    names.push_back(content.fallback);
  }
  if (!content.command.empty()) names.push_back("command/" + content.command);
  std::vector<WallObject> objects;
  for (const std::string& name : names) {
    std::vector<WallObject> of_name = source_objects(library, name);
    objects.insert(objects.end(), std::make_move_iterator(of_name.begin()),
                   std::make_move_iterator(of_name.end()));
  }
  return objects;
}

std::vector<WallObject> source_objects(const SourceLibrary& library, const Window& window) {
  if (window.content) return source_objects(library, *window.content);
  PlayRequest reported;
  reported.media = window.media;
  return source_objects(library, reported);
}

}  // namespace manager
