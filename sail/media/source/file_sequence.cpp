#include "sail/media/source/file_sequence.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <filesystem>

#include "sail/core/text/text.h"

namespace sail {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 25> kPictureExtensions = {
    ".bmp", ".dpx",  ".exr", ".gif", ".hdr", ".j2c",  ".j2k", ".jp2", ".jhc",
    ".jpc", ".jpeg", ".jpg", ".jph", ".pam", ".pbm",  ".pcx", ".pgm", ".png",
    ".pnm", ".ppm",  ".sgi", ".tga", ".tif", ".tiff", ".webp"};

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

// The numbers in the names of sorted files, if the names differ in one number only and these
// numbers rise; else empty. At least one file.
std::vector<int64_t> numbers_of_names(std::span<const SequenceFile> files) {
  constexpr const char* kDigits = "0123456789";
  const std::string& first = files.front().name;
  const size_t last = first.find_last_of(kDigits, first.find_last_of('.'));
  const size_t name = first.find_last_of('/') + 1;
  if (last == std::string::npos || last < name) return {};
  const size_t before = first.find_last_not_of(kDigits, last);
  const size_t begin = std::max(before == std::string::npos ? 0 : before + 1, name);
  const bool padded = first[begin] == '0';
  const SequencePattern pattern{.before = first.substr(0, begin),
                                .after = first.substr(last + 1),
                                .digits = padded ? static_cast<int>(last + 1 - begin) : 1};
  std::vector<int64_t> numbers;
  for (const SequenceFile& file : files) {
    const auto number = number_of(file.name, pattern);
    if (!number || (!numbers.empty() && *number <= numbers.back())) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

// From the lowest number to the highest.
int64_t span_of(const std::vector<int64_t>& numbers) {
  return numbers.empty() ? 0 : numbers.back() - numbers.front() + 1;
}

bool are_most_missing(const std::vector<int64_t>& numbers) {
  return span_of(numbers) > 2 * static_cast<int64_t>(numbers.size());
}

// Numbers sorted files of a folder: by their names if most of the numbers exist.
void number_files(std::vector<SequenceFile>& files) {
  const std::vector<int64_t> numbers = numbers_of_names(files);
  const bool by_name = !numbers.empty() && !are_most_missing(numbers);
  for (size_t i = 0; i < files.size(); ++i) {
    files[i].number = by_name ? numbers[i] - numbers.front() : static_cast<int64_t>(i);
  }
}

std::string joined(std::span<const std::string_view> words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

std::optional<int64_t> number_of(const std::string& name, const SequencePattern& pattern) {
  if (name.size() <= pattern.before.size() + pattern.after.size()) return std::nullopt;
  if (!name.starts_with(pattern.before) || !name.ends_with(pattern.after)) return std::nullopt;
  const std::string_view text = std::string_view(name).substr(
      pattern.before.size(), name.size() - pattern.before.size() - pattern.after.size());
  const auto digits = static_cast<size_t>(pattern.digits);
  if (text.size() < digits || (text.size() > digits && text.front() == '0')) return std::nullopt;
  if (!std::ranges::all_of(text, is_digit)) return std::nullopt;
  int64_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number > INT32_MAX) return std::nullopt;
  return number;
}

std::optional<SequencePattern> parse_pattern(std::string_view name) {
  const size_t percent = name.find('%');
  if (percent == std::string_view::npos || name.find('/', percent) != std::string_view::npos) {
    return std::nullopt;
  }
  constexpr int kMaxDigits = 10;
  SequencePattern pattern;
  pattern.before = name.substr(0, percent);
  std::string_view rest = name.substr(percent + 1);
  if (rest.starts_with('0')) {
    const auto [stop, error] =
        std::from_chars(rest.data(), rest.data() + rest.size(), pattern.digits);
    if (error != std::errc() || pattern.digits < 1 || pattern.digits > kMaxDigits) {
      return std::nullopt;
    }
    rest.remove_prefix(static_cast<size_t>(stop - rest.data()));
  }
  if (!rest.starts_with('d') || rest.find('%') != std::string_view::npos) return std::nullopt;
  pattern.after = rest.substr(1);
  return pattern;
}

std::string extension_of(const std::string& name) {
  return lower(fs::path(name).extension().string());
}

Result<std::vector<SequenceFile>> list_sequence(const std::string& name,
                                                std::span<const std::string_view> extensions) {
  std::error_code error;
  const bool is_folder = fs::is_directory(name, error);
  const auto pattern = is_folder ? std::nullopt : parse_pattern(name);
  const fs::path folder = is_folder ? fs::path(name) : fs::path(name).parent_path();
  std::vector<SequenceFile> files;
  for (fs::directory_iterator entry(folder.empty() ? "." : folder, error), end;
       !error && entry != end; entry.increment(error)) {
    // Skips hidden files, such as those that macOS leaves beside others ("._name").
    if (is_folder && entry->path().filename().native().starts_with('.')) continue;
    const std::string file = (folder / entry->path().filename()).string();
    if (std::ranges::find(extensions, extension_of(file)) == extensions.end()) continue;
    const auto number = pattern ? number_of(file, *pattern) : std::optional<int64_t>(0);
    if (!number) continue;
    if (files.size() == kMaxSequenceFiles) {
      return fail(ErrorCode::kLimit, fmt::format("{}: too many files: a film can have at most {}",
                                                 name, kMaxSequenceFiles));
    }
    files.push_back({file, *number});
  }
  if (error) return fail(ErrorCode::kIo, fmt::format("cannot read {}: {}", name, error.message()));
  if (files.empty()) {
    return fail(ErrorCode::kNotFound,
                fmt::format("{}: no matching file found ({})", name, joined(extensions)));
  }
  if (pattern) {
    std::ranges::sort(files, {}, &SequenceFile::number);
    const int64_t first = files.front().number;
    for (SequenceFile& file : files) file.number -= first;
    return files;
  }
  std::ranges::sort(files, [](const SequenceFile& a, const SequenceFile& b) {
    const int order = strverscmp(a.name.c_str(), b.name.c_str());
    return order != 0 ? order < 0 : a.name < b.name;
  });
  number_files(files);
  return files;
}

Result<std::vector<SequenceFile>> list_pictures(const std::string& name) {
  auto files = list_sequence(name, kPictureExtensions);
  std::error_code ignored;
  if (!files || !fs::is_directory(name, ignored)) return files;
  const std::string extension = extension_of(files->front().name);
  const auto others = [&](const SequenceFile& file) {
    return extension_of(file.name) != extension;
  };
  if (std::erase_if(*files, others) > 0) number_files(*files);
  return files;
}

std::optional<ClosedGaps> closed_gaps(const std::string& name,
                                      std::span<const SequenceFile> files) {
  std::error_code ignored;
  if (files.empty() || !fs::is_directory(name, ignored)) return std::nullopt;
  const std::vector<int64_t> numbers = numbers_of_names(files);
  if (!are_most_missing(numbers)) return std::nullopt;
  size_t last = 0;  // before the first gap
  while (numbers[last + 1] == numbers[last] + 1) ++last;
  return ClosedGaps{
      .sentence = fmt::format("{}: {} of {} numbers are missing, the first after {}", name,
                              span_of(numbers) - static_cast<int64_t>(numbers.size()),
                              span_of(numbers), fs::path(files[last].name).filename().string()),
      .first = files[last + 1].number};
}

bool names_sequence(const std::string& name) {
  std::error_code ignored;
  if (fs::is_directory(name, ignored)) return true;
  return parse_pattern(name) && name.find("://") == std::string::npos && !fs::exists(name, ignored);
}

}  // namespace sail
