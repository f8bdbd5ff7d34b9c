// The program: shows the pages of pictures and documents until it is closed. One thread
// communicates with the wall; a StillReader reads and draws.
#pragma once

#include <sail/sail.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sail/apps/program/program_shell.h"
#include "sail/apps/show/document_progress.h"
#include "sail/apps/show/fetched_files.h"
#include "sail/apps/show/shown_page.h"
#include "sail/apps/show/still_controls.h"
#include "sail/apps/show/still_reader.h"

namespace sail {

// Command line of vitrail-show.
struct ShowOptions : ShellOptions {
  std::vector<std::string> files;
  int page = 1;          // first page to show, from 1
  double every_s = 0;    // turn pages automatically; 0: never
  bool loop = false;     // show the first page after the last
  bool prepare = false;  // convert office documents, print their PDFs, and show nothing
  // How animations are shown: their first picture ("first"), or all of them by bplay, which then
  // keeps the last picture ("hold") or closes the window ("close").
  std::string animations = "first";
};

std::variant<ShowOptions, CommandLineAnswer> parse_show_options(int count,
                                                                const char* const* arguments);

// Returns the command line of bplay if it has to play the files, all of which are animations; else
// empty. Requires start_vips().
std::vector<std::string> animation_player(const ShowOptions& options);

class StillShow final : ProgramShell {
 public:
  explicit StillShow(ShowOptions options);

  // Returns the exit code.
  int run();

 private:
  // After a resize the page is drawn again when the size has been stable for this time.
  static constexpr int64_t kSettleNs = 500'000'000;
  // Minimum interval between pictures.
  static constexpr int64_t kFrameNs = 16'000'000;

  // Shows how far the conversion of office documents is, if there are any. False: ended.
  bool convert_documents();
  bool open_for_progress();
  bool connect();
  void show_sentence(const std::string& sentence);
  bool begin();
  // Returns the first readable page from the requested one on. Its size determines the window's
  // size. It is drawn for --place, if that is given.
  std::optional<StillReader::Answer> find_first_page();
  // The size of --place; empty optional: the manager chooses the size.
  std::optional<Size> placed() const;
  Result<void> open_window(const PageInfo& first);
  Result<void> reopen_at(Size size);
  void follow_size();

  // Handles events, waiting until something is due.
  void attend();
  void obey(const sail_event& event) override;
  void turn(const StillControls::Turn& turn);
  void page_turned();
  void notify_page();
  void turn_when_due();

  void take(StillReader::Answer answer);
  void learn_page(const StillReader::Answer& answer);
  void not_drawn(const std::string& sentence);
  // Reports each sentence once.
  void report_defects(const std::string& sentence);
  // Requests the current view from the reader and shows a preview meanwhile.
  void pump();
  void show_coarse(const PageView& view);
  void submit();

  const ShowOptions options_;
  const bool vips_started_;  // before files are opened
  FetchedFiles files_;
  DocumentProgress documents_;
  PageList pages_;
  std::optional<StillReader> reader_;  // once all documents are converted
  StillControls controls_;

  PageZoom zoom_;
  bool page_known_ = false;                 // the page's size is known, so that it can be zoomed
  std::optional<PageView> asked_;           // last view requested from the reader
  bool awaiting_ = false;                   // an answer of the reader is pending
  bool notice_due_ = false;                 // the page's notice is not known yet
  std::shared_ptr<const DrawnView> whole_;  // the fitted page or its preview, once drawn
  std::shared_ptr<const DrawnView> sharp_;  // last drawn view of the page
  Raster frame_;                            // on the wall, or to be submitted
  Raster spare_;                            // black: allocated while the first preview is read
  bool frame_dirty_ = false;                // must be submitted
  bool hold_back_ = true;  // show nothing until the page has been drawn for this window

  // The window was opened before the first page's shape was known, and takes that shape now.
  bool takes_shape_ = false;

  std::string defects_;  // reported last

  int64_t next_frame_ns_ = 0;
  int64_t turned_ns_ = 0;
  // Steady time at which the page must be redrawn; 0: never.
  int64_t changes_at_ns_ = 0;
};

}  // namespace sail
