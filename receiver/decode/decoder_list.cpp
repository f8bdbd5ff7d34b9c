#include "receiver/decode/decoder_list.h"

#include <fmt/core.h>

#include <algorithm>
#include <csignal>
#include <utility>

#include "sail/core/wire/data/codec_name.h"

namespace receiver {
namespace {

using CarriedNames = sail::Result<std::vector<std::string>>;

constexpr size_t kMostListBytes = 256;

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

DecoderList::DecoderList(sail::Loop& loop, const std::string& program, Answer answer,
                         int64_t most_ms)
    : answer_(std::move(answer)), timer_(loop) {
  auto process = sail::Process::spawn_for_output(
      loop, {program, "--list"}, {"VITRAIL_KEY", "VITRAIL_KEY_FILE"}, kMostListBytes,
      [this, program](int64_t exit_status, int signal, std::string_view output) {
        finish(names_of(program, exit_status, signal, output));
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

}  // namespace receiver
