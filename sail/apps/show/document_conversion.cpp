#include "sail/apps/show/document_conversion.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "sail/apps/desktop/child_process.h"
#include "sail/apps/show/still_file.h"
#include "sail/core/base/descriptor.h"
#include "sail/core/base/private_file.h"
#include "sail/core/base/sanitized.h"
#include "sail/core/process/program_sandbox.h"
#include "sail/core/text/text.h"

namespace sail {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using GiveUp = std::function<bool()>;

constexpr std::chrono::milliseconds kPollInterval{50};
constexpr int kNiceness = 10;
constexpr size_t kMostErrorBytes = 4096;

// The profile's settings. A new profile does not run unsigned macros and asks before it loads
// links; these settings refuse both.
constexpr std::string_view kSettings = R"(<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Common/Security/Scripting">
<prop oor:name="DisableMacrosExecution" oor:op="fuse"><value>true</value></prop>
<prop oor:name="MacroSecurityLevel" oor:op="fuse"><value>3</value></prop>
<prop oor:name="BlockUntrustedRefererLinks" oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Office.Writer/Content/Update">
<prop oor:name="Link" oor:op="fuse"><value>0</value></prop></item>
<item oor:path="/org.openoffice.Office.Calc/Content/Update">
<prop oor:name="Link" oor:op="fuse"><value>1</value></prop></item>
</oor:items>
)";

// Locks the file until the descriptor is closed, at the latest with the process. Does not wait.
// Empty: another process has the lock, or the file cannot be opened.
std::optional<Descriptor> lock_of(const fs::path& path) {
  Descriptor file(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (file.get() < 0 || flock(file.get(), LOCK_EX | LOCK_NB) != 0) return std::nullopt;
  return file;
}

Error given_up(const std::string& path) {
  return fail(ErrorCode::kUnavailable, path + " was not converted: the program was ended");
}

// The right to convert: a place among those that wait, and then the turn.
struct Turn {
  Descriptor place;
  Descriptor turn;

  static Result<Turn> await(const std::string& path, const fs::path& folder, int most_waiting,
                            const GiveUp& give_up) {
    std::optional<Descriptor> place;
    for (int number = 0; number < most_waiting && !place; ++number) {
      place = lock_of(folder / fmt::format("waiting-{}", number));
    }
    if (!place) {
      return fail(ErrorCode::kLimit,
                  fmt::format("{} was not converted: {} other documents are waiting; try again "
                              "when they are done",
                              path, most_waiting));
    }
    for (;;) {
      if (auto turn = lock_of(folder / "converting")) {
        return Turn{std::move(*place), std::move(*turn)};
      }
      if (give_up()) return given_up(path);
      std::this_thread::sleep_for(kPollInterval);
    }
  }
};

// Empty: there is no such program.
std::string find_in_path(const std::string& program) {
  const auto runs = [](const fs::path& file) { return access(file.c_str(), X_OK) == 0; };
  if (program.find('/') != std::string::npos) return runs(program) ? program : "";
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(':'), rest.size());
    const fs::path file = fs::path(rest.substr(0, end)) / program;
    if (file.is_absolute() && runs(file)) return file.string();
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return "";
}

const char* package_for(const std::string& path) {
  const std::string ending = lower(fs::path(path).extension().string());
  if (ending.starts_with(".xl") || ending == ".ods") return "libreoffice-calc";
  return ending.starts_with(".p") || ending == ".odp" ? "libreoffice-impress"
                                                      : "libreoffice-writer";
}

uint64_t bytes_in(const fs::path& folder) {
  uint64_t bytes = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code gone;
    if (!at->is_regular_file(gone)) continue;
    const uint64_t of_file = at->file_size(gone);
    if (!gone) bytes += of_file;
  }
  return bytes;
}

// What a converter needs of the system. Other settings, homes and /proc stay out of reach, since a
// document can ask for the text of any file.
ProgramRights rights_for(const std::string& program, const fs::path& folder,
                         const ConversionRules& rules) {
  std::error_code error;
  const fs::path real = fs::canonical(program, error);
  return {.readable = {"/usr", "/lib", "/lib64", "/opt", "/etc/alternatives", "/etc/fonts",
                       "/etc/ld.so.cache", "/etc/libreoffice", "/etc/localtime",
                       "/etc/nsswitch.conf", "/etc/passwd", "/etc/papersize", "/etc/ssl/certs",
                       "/var/cache/fontconfig", "/var/lib/libreoffice", "/var/spool/libreoffice",
                       "/dev/urandom", error ? program : real.string()},
          .writable = folder.string(),
          .most_memory_bytes = rules.most_memory_bytes,
          .most_file_bytes = rules.most_written_bytes,
          .most_cpu_s = static_cast<uint64_t>(
              std::chrono::ceil<std::chrono::seconds>(rules.longest).count())};
}

class Conversion {
 public:
  Conversion(const std::string& path, const OfficeDocument& document, const ConversionRules& rules,
             const fs::path& folder)
      : path_(path), document_(document), rules_(rules), folder_(folder) {}

  // Returns the place of the PDF.
  Result<fs::path> run(const GiveUp& give_up) {
    const std::string program = find_in_path(rules_.program);
    if (program.empty()) {
      return fail(ErrorCode::kNotFound,
                  fmt::format("{} cannot be shown: LibreOffice is missing; install the package {}",
                              path_, package_for(path_)));
    }
    if (auto written = write_files(); !written) return written.error();
    auto child = start(program);
    if (!child) return child.error();
    const auto code = await(**child, give_up);
    (*child)->kill_group();
    if (!code) return code.error();
    return result(*code);
  }

 private:
  fs::path in(const char* name) const { return folder_ / name; }
  // A plain name: the document's own could be taken for an option or a URL.
  fs::path copy() const {
    return in("document").concat(lower(fs::path(path_).extension().string()));
  }

  Result<void> write_files() const {
    for (const char* name : {"profile/user", "out", "tmp"}) {
      if (auto made = make_private_folder(in(name)); !made) return made;
    }
    auto written = write_private_file(in("profile/user/registrymodifications.xcu"), kSettings,
                                      Lasting::kThisBoot);
    if (!written) return written;
    return write_private_file(copy(), document_.bytes, Lasting::kThisBoot);
  }

  Result<std::unique_ptr<ChildProcess>> start(const std::string& program) const {
    const ProgramRights rights = rights_for(program, folder_, rules_);
    const std::string home = folder_.string();
    const std::string temporary = in("tmp").string();
    const auto prepare = [&]() -> int {
      static_cast<void>(!nice(kNiceness));
      if (dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return errno;
      clearenv();
      setenv("PATH", "/usr/bin:/bin", 1);
      setenv("HOME", home.c_str(), 1);
      setenv("TMPDIR", temporary.c_str(), 1);
      setenv("LANG", "C.UTF-8", 1);
      if (chdir(home.c_str()) != 0) return errno;
      if (kSanitized) return 0;
      const auto confined = confine(rights);
      if (!confined) fmt::print(stderr, "{}\n", confined.error().message);
      std::fflush(stderr);
      return confined ? 0 : EPERM;
    };
    auto child = ChildProcess::start(
        {program, "-env:UserInstallation=file://" + in("profile").string(), "--headless",
         "--invisible", "--norestore", "--nolockcheck", "--nodefault", "--nologo", "--convert-to",
         "pdf", "--outdir", in("out").string(), copy().string()},
        {}, in("errors").string(), prepare);
    if (child) return child;
    return fail(ErrorCode::kUnavailable, fmt::format("{} cannot be shown: {}{}", path_,
                                                     child.error().message, words_of_program()));
  }

  Result<int> await(ChildProcess& child, const GiveUp& give_up) const {
    const auto until = Clock::now() + rules_.longest;
    for (;;) {
      const auto code = child.exit_code();
      if (bytes_in(folder_) > rules_.most_written_bytes + document_.bytes.size()) {
        return fail(ErrorCode::kLimit,
                    fmt::format("{} cannot be shown: LibreOffice wrote more than {} MiB", path_,
                                rules_.most_written_bytes >> 20));
      }
      if (code) return *code;
      if (Clock::now() >= until) {
        return fail(
            ErrorCode::kTimeout,
            fmt::format("{} cannot be shown: LibreOffice did not convert it within {} s; "
                        "save it as PDF and show that",
                        path_, std::chrono::ceil<std::chrono::seconds>(rules_.longest).count()));
      }
      if (give_up()) return given_up(path_);
      std::this_thread::sleep_for(kPollInterval);
    }
  }

  Result<fs::path> result(int exit_code) const {
    const fs::path pdf = in("out/document.pdf");
    std::error_code error;
    // A symbolic link could name any file.
    const bool whole = fs::is_regular_file(fs::symlink_status(pdf, error)) && is_pdf(pdf.string());
    if (exit_code == 0 && whole) return pdf;
    return fail(ErrorCode::kBadData,
                fmt::format("{} cannot be shown: LibreOffice could not convert it (exit code {}): "
                            "it is damaged, it requires a password, or the package {} is "
                            "missing{}",
                            path_, exit_code, package_for(path_), words_of_program()));
  }

  // What the program wrote about its failure, to end a sentence.
  std::string words_of_program() const {
    const auto words = read_file(in("errors"), kMostErrorBytes);
    const std::string plain = words ? make_plain_text(*words, kMostErrorBytes) : "";
    return plain.empty() ? "" : "; " + plain;
  }

  const std::string& path_;
  const OfficeDocument& document_;
  const ConversionRules& rules_;
  const fs::path folder_;
};

}  // namespace

Result<std::string> convert_document(const std::string& path, const DocumentCache& cache,
                                     const ConversionRules& rules, const GiveUp& give_up) {
  const auto document = OfficeDocument::read(path);
  if (!document) return document.error();
  if (auto pdf = cache.find(*document)) return *pdf;
  if (auto made = make_private_folder(cache.folder()); !made) return made.error();
  const auto turn = Turn::await(path, cache.folder(), rules.most_waiting, give_up);
  if (!turn) return turn.error();
  // The process before may have converted it.
  if (auto pdf = cache.find(*document)) return *pdf;
  const auto scratch = ScratchFolder::make("vitrail-document");
  if (!scratch) return scratch.error();
  const auto pdf = Conversion(path, *document, rules, scratch->path()).run(give_up);
  if (!pdf) return pdf.error();
  return cache.add(*document, *pdf);
}

}  // namespace sail
