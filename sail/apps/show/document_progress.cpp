#include "sail/apps/show/document_progress.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "sail/apps/show/fetched_files.h"
#include "sail/apps/show/office_document.h"
#include "sail/core/process/process.h"
#include "sail/core/text/text.h"

namespace sail {
namespace {

constexpr size_t kLongestTitle = 60;

}  // namespace

DocumentProgress::DocumentProgress(std::vector<std::string> paths, Complain complain)
    : complain_(std::move(complain)), paths_(std::move(paths)) {
  for (size_t number = 0; number < paths_.size(); ++number) {
    if (is_office_document(paths_[number]) && !replace(number)) waiting_.push_back(number);
  }
  std::ranges::reverse(waiting_);
}

bool DocumentProgress::replace(size_t number) {
  const auto document = OfficeDocument::read(paths_[number]);
  if (!document) {
    complain_(document.error().message);
    paths_[number].clear();
    return true;
  }
  const auto pdf = DocumentCache::of_user().find(*document);
  if (pdf) paths_[number] = *pdf;
  return pdf.has_value();
}

bool DocumentProgress::start() {
  auto started = ChildProcess::start(
      {find_program("vitrail-show"), "--quiet", "--prepare", "--", paths_[waiting_.back()]});
  if (!started) {
    complain_(started.error().message);
    return false;
  }
  converter_ = std::move(*started);
  started_ = std::chrono::steady_clock::now();
  return true;
}

bool DocumentProgress::done() {
  while (!waiting_.empty()) {
    if (!converter_ && start()) return false;
    const auto code = converter_ ? converter_->exit_code() : EXIT_FAILURE;
    if (!code) return false;
    const size_t number = waiting_.back();
    waiting_.pop_back();
    converter_.reset();
    // The process has said why. The document may have changed meanwhile, too.
    if (*code != 0 || !replace(number)) paths_[number].clear();
  }
  std::erase(paths_, "");
  return true;
}

std::string DocumentProgress::sentence() const {
  if (!converter_) return "";
  const auto elapsed = std::chrono::steady_clock::now() - started_;
  return fmt::format("converting {}, {} s",
                     make_plain_text(name_of(paths_[waiting_.back()]), kLongestTitle),
                     std::chrono::floor<std::chrono::seconds>(elapsed).count());
}

}  // namespace sail
