// The folder whose films may be played. A title is the name of a film's file relative to it, with
// '/' between folders; of a sequence of pictures that of their folder. Any thread: it never
// changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sail/base/result.h"
#include "sail/media/source.h"
#include "sail/server/placed_film.h"

namespace server {

constexpr size_t kMaxTitleBytes = 512;  // longer ones are neither listed nor played

class Library {
 public:
  // kNotFound, kIo.
  static sail::Result<Library> open(const std::string& folder);

  const std::string& folder() const { return folder_; }

  // Where the title's file or folder is, symbolic links resolved. kInvalidParams: no title at all
  // (absolute, with "..", not a name as name_mistake() has it). kNotFound: there is no such file,
  // or it is outside the folder. Of a film that lies on disk servers, its exNode (is_placed).
  sail::Result<std::string> find(const std::string& title) const;
  // The same without those.
  sail::Result<std::string> find_in_folder(const std::string& title) const;

  // Of a film's file, or of all files of a folder of pictures; 0: there is none.
  uint64_t bytes_of(const std::string& title) const;
  // What tells whether a film has changed; of a sequence: of all its pictures together.
  struct Stamp {
    uint64_t bytes = 0;
    int64_t changed = 0;  // since 1970; ns

    bool operator==(const Stamp&) const = default;
  };
  struct Listing {
    std::map<std::string, Stamp> films;  // by title
    std::vector<std::string> folders;    // that were looked into
    bool whole = true;                   // there are no more than kMaxTitles
  };
  // What the folder and the folders in it hold that may be films by their names; links to folders
  // and hidden files are left out. give_up: asked all the time; then the listing is of no use.
  Listing list(const std::function<bool()>& give_up) const;
  static constexpr size_t kMaxTitles = 100'000;

 private:
  explicit Library(std::string folder);
  void look_into(const std::filesystem::path& folder, int depth,
                 const std::function<bool()>& give_up, Listing& listing) const;
  void note(const std::filesystem::directory_entry& entry, Listing& listing) const;

  std::string folder_;  // resolved
};

struct FilmFacts {
  sail::Size size;
  std::string codec;
  int64_t duration_ns = 0;   // 0: unknown
  double fps = 0;            // nominal; 0: unknown
  bool playable = false;     // on walls: nothing in it has to be decoded
  std::string unreadable{};  // not empty: why nobody could look into it, and nothing else is known
  // Of a film that lies on disk servers: its bytes, and where they are (HOST:PORT).
  uint64_t placed_bytes = 0;
  std::vector<std::string> disks{};
};

// Films whose pictures go to the wall as they are stored. kUnavailable: they would have to be
// decoded, with a sentence that says what makes the film playable. Other errors begin with the
// title; the file's own name is in none. open_bytes: what .vmov films are read by.
using OpenBytes =
    std::function<sail::Result<std::unique_ptr<const sail::ByteSource>>(const std::string& path)>;
sail::Result<std::unique_ptr<sail::Source>> open_film(
    const Library& library, const std::string& title,
    const OpenBytes& open_bytes = [](const auto& path) { return open_stored(path); });
}  // namespace server
