#include "sail/base/process_record.h"

#include <fstream>
#include <utility>

#include "sail/base/environment.h"
#include "sail/base/private_file.h"

namespace sail {

// A line each: "NAME\tPID BEGAN".
ProcessRecord::ProcessRecord(std::filesystem::path file) : file_(std::move(file)) {
  std::ifstream in(file_);
  for (std::string line; std::getline(in, line);) {
    const size_t tab = line.find('\t');
    if (tab == std::string::npos) continue;
    if (auto process = process_identity_from(std::string_view(line).substr(tab + 1))) {
      all_[line.substr(0, tab)] = std::move(*process);
    }
  }
}

void ProcessRecord::keep(const std::string& name, pid_t pid) {
  const auto process = identity_of(pid);
  if (!process) return;
  all_[name] = *process;
  if (file_.empty() || !make_private_folder(file_.parent_path())) return;
  std::string text;
  for (const auto& [known, identity] : all_) text += known + '\t' + to_text(identity) + '\n';
  (void)write_private_file(file_, text, Lasting::kThisBoot);
}

void ProcessRecord::forget() {
  all_.clear();
  std::error_code ignored;
  std::filesystem::remove(file_, ignored);
}

std::filesystem::path process_record_file(const std::filesystem::path& folder,
                                          const std::string& manager, const char* kind) {
  return folder.empty() ? folder : folder / (manager + "." + kind);
}

std::filesystem::path process_record_folder() {
  const std::filesystem::path ours = user_state_folder();
  return ours.empty() ? ours : ours / "run";
}

}  // namespace sail
