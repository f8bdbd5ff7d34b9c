// The folder whose films may be played. A title is the path of a film's file relative to it, with
// '/' between folders; for a sequence of pictures, the path of their folder. Any thread: immutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sail/apps/server/catalogue/placed_film.h"
#include "sail/core/base/result.h"
#include "sail/media/source/film_description.h"
#include "sail/media/source/source.h"

namespace server {

constexpr size_t kMaxTitleBytes = 512;  // longer ones are neither listed nor played

// Files with the name of a film that are not listed, with the reason. Names may be any bytes.
using LeftOut = std::map<std::string, std::string>;
constexpr size_t kMostLeftOut = 20;  // others are not named

class Library {
 public:
  // kNotFound: there is no such folder.
  static sail::Result<Library> open(const std::string& folder);

  const std::string& folder() const { return folder_; }

  // Returns the path of the title's file or folder, with symbolic links resolved; for a film on
  // disk servers, that of its exNode (is_placed). kInvalidParams: not a title (absolute, with "..",
  // or refused by name_mistake()). kNotFound: missing, or outside the folder.
  sail::Result<std::string> find(const std::string& title) const;
  // Like find(), but ignores exNodes.
  sail::Result<std::string> find_in_folder(const std::string& title) const;

  // The size of a film's file, or of all pictures in a folder; 0: not found.
  uint64_t bytes_of(const std::string& title) const;
  // Changes whenever the film changes; for a sequence: of all its pictures together.
  struct Stamp {
    uint64_t bytes = 0;
    int64_t changed = 0;  // ns since 1970

    bool operator==(const Stamp&) const = default;
  };
  struct Listing {
    std::map<std::string, Stamp> films;  // by title
    LeftOut left_out;                    // files left out because of their names
    std::vector<std::string> folders;    // folders that were listed
    bool whole = true;                   // false: more than kMaxTitles, the rest is missing
  };
  // Lists the files in the folder and its subfolders that may be films by their names. Leaves out
  // links to folders and hidden files. give_up: polled; once it returns true the listing is
  // incomplete.
  Listing list(const std::function<bool()>& give_up) const;
  static constexpr size_t kMaxTitles = 100'000;

 private:
  explicit Library(std::string folder);
  void scan_folder(const std::filesystem::path& folder, int depth,
                   const std::function<bool()>& give_up, Listing& listing) const;
  void note(const std::filesystem::directory_entry& entry, Listing& listing) const;

  std::string folder_;  // with symbolic links resolved
};

// Replaces the film's path by its title, so that clients do not learn where the folder is.
std::string without_folder(std::string message, const std::string& path, const std::string& title);

struct FilmFacts {
  sail::Size size;
  std::string codec;
  int64_t duration_ns = 0;  // 0: unknown
  double fps = 0;           // nominal; 0: unknown
  bool playable = false;    // walls can show it without decoding
  sail::FilmDescription description{};
  std::string unreadable{};  // not empty: why the probe failed; other facts are unknown
  // For a film on disk servers: its size and the servers (HOST:PORT).
  uint64_t placed_bytes = 0;
  std::vector<std::string> disks{};
};

// Opens a film whose pictures are sent as they are stored. kUnavailable: it needs decoding; the
// message says how to make the film playable. Other messages begin with the title and never contain
// the path. open_bytes: opens .vmov files.
using OpenBytes =
    std::function<sail::Result<std::unique_ptr<const sail::ByteSource>>(const std::string& path)>;
sail::Result<std::unique_ptr<sail::Source>> open_film(
    const Library& library, const std::string& title,
    const OpenBytes& open_bytes = [](const auto& path) { return open_stored(path); });
}  // namespace server
