// The program: shows the pages of pictures and documents until it is closed. One thread that talks
// to the wall; a StillReader reads and draws.
#pragma once

#include <sail/sail.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "sail/desk/fetched_files.h"
#include "sail/desk/page_list.h"
#include "sail/desk/page_zoom.h"
#include "sail/desk/show_options.h"
#include "sail/desk/still_controls.h"
#include "sail/desk/still_reader.h"
#include "sail/desk/vips_library.h"
#include "sail/program/program_shell.h"

namespace sail {

class StillShow final : ProgramShell {
 public:
  explicit StillShow(ShowOptions options);

  // The exit code.
  int run();

 private:
  // A window that is being resized is drawn anew when it has rested so long.
  static constexpr int64_t kSettleNs = 500'000'000;
  // Pictures at most so often.
  static constexpr int64_t kFrameNs = 16'000'000;

  bool begin();
  // The first page from the one asked for on that can be read; its size says how large the window
  // is to be.
  std::optional<PageInfo> find_first_page();
  Result<void> open_window(const PageInfo& first);
  Result<void> reopen_at(Size size);
  void follow_size();

  // What comes from the wall, waiting for it till something is due.
  void attend();
  void obey(const sail_event& event) override;
  void turn(const StillControls::Turn& turn);
  void page_turned();
  void tell_page();
  void turn_when_due();

  void take(StillReader::Answer answer);
  void not_drawn(const std::string& sentence);
  // Asks for what is to be seen now, and shows meanwhile what is there.
  void look();
  void show_coarse(const PageView& view);
  void submit();

  const ShowOptions options_;
  VipsLibrary vips_;
  FetchedFiles files_;
  PageList pages_;
  StillReader reader_;
  StillControls controls_;

  PageZoom zoom_;
  bool page_known_ = false;                 // the page's size, so that it can be zoomed
  std::optional<PageView> asked_;           // of the reader last
  bool awaiting_ = false;                   // its answer
  std::shared_ptr<const DrawnView> whole_;  // the page fitted, when it was drawn so
  std::shared_ptr<const DrawnView> sharp_;  // drawn last of the page
  Raster frame_;                            // on the wall, or about to be
  bool frame_dirty_ = false;                // to be submitted
  bool hold_back_ = true;                   // until the page has been drawn for this window

  int64_t next_frame_ns_ = 0;
  int64_t turned_ns_ = 0;
  int64_t changes_at_ns_ = 0;  // steady: the page is to be drawn again; 0: not by itself
};

}  // namespace sail
