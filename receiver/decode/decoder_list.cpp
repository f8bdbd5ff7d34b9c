#include "receiver/decode/decoder_list.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <utility>

#include "sail/core/base/private_file.h"
#include "sail/core/base/process_record.h"
#include "sail/core/wire/data/codec_name.h"

namespace receiver {
namespace {

using CarriedNames = sail::Result<std::vector<std::string>>;

constexpr size_t kMostListBytes = 256;
constexpr size_t kMostCacheBytes = 8192;
constexpr size_t kMostBootBytes = 64;

// The dynamic linker's list of libraries: installing or updating a library replaces this file.
constexpr const char* kLibraries = "/etc/ld.so.cache";

// A line that changes with the program, the installed libraries, and each restart of the machine.
std::string identity_of(const std::string& program) {
  std::string identity = program;
  for (const char* path : {program.c_str(), kLibraries}) {
    struct stat file {};
    if (stat(path, &file) != 0) return {};
    identity += fmt::format(" {} {} {} {}.{}", file.st_dev, file.st_ino, file.st_size,
                            file.st_mtim.tv_sec, file.st_mtim.tv_nsec);
  }
  const auto boot = sail::read_file("/proc/sys/kernel/random/boot_id", kMostBootBytes);
  return boot ? identity + ' ' + *boot : std::string();
}

bool is_carried_name(std::string_view name) {
  const auto codec = sail::parse_codec_name(name);
  return codec && codecs::is_carried(codec->id);
}

sail::Error list_error(const std::string& program, const std::string& what) {
  return {sail::ErrorCode::kUnavailable, program + " " + what};
}

CarriedNames names_of(const std::string& program, int64_t exit_status, int signal,
                      std::string_view output) {
  if (signal != 0) return list_error(program, fmt::format("was ended by signal {}", signal));
  if (exit_status != 0) {
    return list_error(program, fmt::format("exited with status {}", exit_status));
  }
  auto names = parse_decoder_list(output);
  if (!names) return list_error(program, "wrote an invalid list: " + names.error().message);
  return names;
}

}  // namespace

CarriedNames parse_decoder_list(std::string_view text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) {
      return sail::fail(sail::ErrorCode::kBadData, "the last line is not complete");
    }
    std::string name(text.substr(0, end));
    text.remove_prefix(end + 1);
    if (!is_carried_name(name)) {
      return sail::fail(sail::ErrorCode::kBadData, "a line is not a codec of carried streams");
    }
    if (std::ranges::find(names, name) != names.end()) {
      return sail::fail(sail::ErrorCode::kBadData, fmt::format("'{}' is there twice", name));
    }
    names.push_back(std::move(name));
  }
  return names;
}

std::filesystem::path decoder_cache() {
  const auto folder = sail::process_record_folder();
  return folder.empty() ? folder : folder / "decoders";
}

DecoderList::DecoderList(sail::Loop& loop, const std::string& program, Answer answer,
                         int64_t most_ms, std::filesystem::path cache)
    : answer_(std::move(answer)),
      cache_(std::move(cache)),
      identity_(cache_.empty() ? std::string() : identity_of(program)),
      loop_(loop),
      timer_(loop) {
  if (!identity_.empty()) {
    const auto kept = sail::read_file(cache_, kMostCacheBytes);
    if (kept && kept->starts_with(identity_)) {
      if (auto names = parse_decoder_list(std::string_view(*kept).substr(identity_.size()))) {
        timer_.start(0, 0, [this, names] { finish(names); });
        return;
      }
    }
  }
  ask(program, most_ms);
}

void DecoderList::ask(const std::string& program, int64_t most_ms) {
  auto process = sail::Process::spawn_for_output(
      loop_, {program, "--list"}, {"VITRAIL_KEY", "VITRAIL_KEY_FILE"}, kMostListBytes,
      [this, program](int64_t exit_status, int signal, std::string_view output) {
        const CarriedNames names = names_of(program, exit_status, signal, output);
        finish(names);
        if (names && !identity_.empty()) keep(*names);
      },
      {.own_group = true});
  if (process) {
    process_ = *std::move(process);
    timer_.start(most_ms, 0, [this, program, most_ms] {
      process_->signal(SIGKILL);
      finish(list_error(program, fmt::format("did not answer for {} ms", most_ms)));
    });
    return;
  }
  const bool missing = process.error().code == sail::ErrorCode::kNotFound;
  timer_.start(0, 0,
               [this, error = missing ? list_error(program, "is not installed") : process.error()] {
                 finish(error);
               });
}

DecoderList::~DecoderList() = default;

void DecoderList::finish(const CarriedNames& carried) {
  timer_.stop();
  if (const Answer answer = std::exchange(answer_, nullptr)) answer(carried);
}

// Without the file, the next start takes longer.
void DecoderList::keep(const std::vector<std::string>& carried) const {
  std::string text = identity_;
  for (const std::string& name : carried) text += name + '\n';
  if (!sail::make_private_folder(cache_.parent_path())) return;
  (void)sail::write_private_file(cache_, text, sail::Lasting::kThisBoot);
}

}  // namespace receiver
