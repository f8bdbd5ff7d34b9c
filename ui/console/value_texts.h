// Values as people write them on the command line, into the verbs' JSON. Pure.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sail/wire/json.h"

namespace ui {

// "X,Y,WIDTHxHEIGHT" as [x, y, width, height]; false when it is none.
bool read_rect(const std::string& text, sail::Json& rect);
// "X,Y" as [x, y].
bool read_point(const std::string& text, sail::Json& point);
// "1920x1080", "1920×1080"; "1920" and "x1080": the other side is 0. Nothing: it is none.
std::optional<std::pair<int, int>> read_size(const std::string& text);
// A part of a whole: "0.5" or "50%". Nothing: it is none, or not from 0 to 1.
std::optional<double> read_share(const std::string& text);
// Seconds: "90", "1.5", "1:30", "1:02:03". Nothing: it is none.
std::optional<double> read_seconds(const std::string& text);
// "0:42", "1:02:03".
std::string duration_text(double seconds);
// "812 B", "4.2 MB": by powers of ten, as `ls --si` has it.
std::string bytes_text(double bytes);
// "██████░░░░", or "######...." without colour.
std::string progress_bar(double fraction, int width, bool color);
constexpr int kBarWidth = 24;
// How long ago that was, seconds since 1970 both: "just now", "5 min ago", "2026-03-01".
std::string age_text(int64_t then_s, int64_t now_s);

}  // namespace ui
