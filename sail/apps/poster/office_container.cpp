#include "sail/apps/poster/office_container.h"

#include <fmt/core.h>
#include <gsf/gsf-infile-zip.h>
#include <gsf/gsf-infile.h>
#include <gsf/gsf-input-memory.h>

#include <utility>

namespace sail {
namespace {

struct UnrefInput {
  void operator()(GsfInput* input) const { g_object_unref(input); }
};
using Input = std::unique_ptr<GsfInput, UnrefInput>;

struct FreeNames {
  void operator()(gchar** names) const { g_strfreev(names); }
};

// libgsf warns about damaged files, which the errors below report.
void keep_quiet(const gchar*, GLogLevelFlags, const gchar*, gpointer) {}

}  // namespace

void OfficeContainer::Unref::operator()(GsfInfile* file) const {
  g_object_unref(file);
}

Result<OfficeContainer> OfficeContainer::open(std::string_view bytes) {
  g_log_set_handler(nullptr, G_LOG_LEVEL_WARNING, keep_quiet, nullptr);
  const Input input(gsf_input_memory_new(reinterpret_cast<const guint8*>(bytes.data()),
                                         static_cast<gsf_off_t>(bytes.size()), FALSE));
  GsfInfile* zip = input ? gsf_infile_zip_new(input.get(), nullptr) : nullptr;
  if (zip == nullptr) return fail(ErrorCode::kBadData, "is damaged: it is not a whole ZIP file");
  return OfficeContainer(zip);
}

Result<std::string> OfficeContainer::read(const std::string& name, size_t most_bytes) const {
  const std::unique_ptr<gchar*, FreeNames> names(g_strsplit(name.c_str(), "/", -1));
  // For an empty name, libgsf returns the container itself, without a reference for the caller.
  const Input file(
      name.empty() ? nullptr
                   : gsf_infile_child_by_aname(zip_.get(), const_cast<const char**>(names.get())));
  if (!file) return fail(ErrorCode::kNotFound, fmt::format("has no file {}", name));
  const gsf_off_t size = gsf_input_size(file.get());
  if (size < 0 || static_cast<uint64_t>(size) > most_bytes) {
    return fail(ErrorCode::kLimit,
                fmt::format("has more than {} MiB in its file {}", most_bytes >> 20, name));
  }
  std::string content(static_cast<size_t>(size), '\0');
  if (size > 0 && gsf_input_read(file.get(), content.size(),
                                 reinterpret_cast<guint8*>(content.data())) == nullptr) {
    return fail(ErrorCode::kBadData, fmt::format("is damaged in its file {}", name));
  }
  return content;
}

}  // namespace sail
