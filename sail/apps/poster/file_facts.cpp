#include "sail/apps/poster/file_facts.h"

#include <filesystem>

#include "sail/apps/poster/vips_poster.h"
#include "sail/apps/show/still_file.h"
#include "sail/media/film/film_poster.h"

namespace sail {
namespace {

constexpr double kNsPerS = 1e9;

Result<Json> still_facts(const std::string& path, bool is_document) {
  const auto still = open_still(path);
  if (!still) return still.error();
  const auto page = (*still)->turn_to(0);
  if (!page) return page.error();
  if (is_document) return Json{{"pages", (*still)->pages()}};
  return Json{{"size", size_json(page->size)}};
}

Result<Json> film_facts(const std::string& path) {
  const auto film = open_film(path);
  if (!film) return film.error();
  const auto first = (*film)->next();
  if (!first) return first.error();
  if (!*first) return fail(ErrorCode::kBadData, path + ": no frame could be decoded");
  Json facts{{"size", size_json((*first)->display_size)}};
  // A still picture has a duration, too: that of one frame. Only a second frame makes it a video.
  const auto second = (*film)->next();
  const auto duration_ns = static_cast<double>((*film)->info().duration_ns);
  if (second && *second && duration_ns > 0) facts["duration_s"] = duration_ns / kNsPerS;
  return facts;
}

Result<Json> facts_of(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    return fail(ErrorCode::kNotFound, path + " does not exist or is not a regular file");
  }
  if (is_pdf(path)) return still_facts(path, true);
  if (is_vips_picture(path)) return still_facts(path, false);
  return film_facts(path);
}

std::string without_path(std::string words, const std::string& path) {
  constexpr std::string_view kFile = "the file";
  for (size_t at = 0; (at = words.find(path, at)) != std::string::npos; at += kFile.size()) {
    words.replace(at, path.size(), kFile);
  }
  return words;
}

}  // namespace

Result<Json> file_facts(const std::string& path) {
  auto facts = facts_of(path);
  if (facts) return facts;
  return fail(facts.error().code, without_path(facts.error().message, path));
}

}  // namespace sail
