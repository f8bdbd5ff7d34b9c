#include "ui/console/upload_record.h"

#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "sail/core/text/json.h"
#include "ui/client/answers.h"
#include "ui/console/start/state_folder.h"

namespace ui {
namespace {

constexpr size_t kMaxRecordBytes = 1 << 20;
constexpr size_t kMaxRecords = 1000;

std::string record_file() {
  const auto folder = state_folder();
  return folder ? (*folder / "uploads.json").string() : "";
}

sail::Json records() {
  std::ifstream file(record_file(), std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  auto json = sail::parse_json(text.str(), kMaxRecordBytes);
  return json && json->is_object() ? std::move(*json) : sail::Json::object();
}

}  // namespace

UploadRecord::UploadRecord(const std::string& file, uint64_t bytes, const std::string& page) {
  std::error_code ignored;
  const auto path = std::filesystem::canonical(file, ignored).string();
  const auto changed = std::filesystem::last_write_time(file, ignored).time_since_epoch().count();
  key_ = fmt::format("{} {} {} {}", page, bytes, changed, path);
}

std::string UploadRecord::url() const {
  return text_member(records(), key_.c_str());
}

void UploadRecord::keep(const std::string& url) const {
  sail::Json all = records();
  if (all.size() >= kMaxRecords) all = sail::Json::object();
  if (url.empty()) {
    all.erase(key_);
  } else {
    all[key_] = url;
  }
  std::ofstream(record_file(), std::ios::binary | std::ios::trunc) << all.dump(1);
}

}  // namespace ui
