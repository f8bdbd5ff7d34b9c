// Identifies processes that are not our children, and distinguishes them from later processes with
// the same pid. ProcessRecord keeps in a file which processes run for a wall: a program that starts
// processes which outlive it leaves the file to its successors.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace sail {

// The functions that take or return a ProcessIdentity may be called on any thread.
struct ProcessIdentity {
  pid_t pid = 0;
  std::string began;  // boot identifier and clock ticks since boot

  bool operator==(const ProcessIdentity&) const = default;
};

// Empty if no such process runs.
std::optional<ProcessIdentity> identity_of(pid_t pid);
bool is_running(const ProcessIdentity& process);
// Does nothing if the process has ended, even if its pid was reused.
void signal_process(const ProcessIdentity& process, int number);

// Conversion to one line of text and back.
std::string to_text(const ProcessIdentity& process);
std::optional<ProcessIdentity> process_identity_from(std::string_view text);

// Used by one thread; file operations are synchronous.
class ProcessRecord {
 public:
  // Reads the file; damaged lines are ignored. An empty path keeps nothing on disk.
  explicit ProcessRecord(std::filesystem::path file);

  // By name; includes processes that have ended.
  const std::map<std::string, ProcessIdentity>& all() const { return all_; }
  // Records a process. The name must not contain tabs or line breaks. Write errors are ignored.
  void keep(const std::string& name, pid_t pid);
  // Clears all entries and deletes the file.
  void forget();

 private:
  std::filesystem::path file_;
  std::map<std::string, ProcessIdentity> all_;
};

// Path of the record file for programs of that kind of the manager at that address
// ("127.0.0.1:7440"); empty if the folder is empty.
std::filesystem::path process_record_file(const std::filesystem::path& folder,
                                          const std::string& manager, const char* kind);
// The record folder below this user's state folder; empty if there is none.
std::filesystem::path process_record_folder();
// The kinds: the supervisor started by `vitrail up`, the receivers launched by the manager.
constexpr const char* kSupervisorRecord = "supervisor";
constexpr const char* kReceiversRecord = "receivers";

}  // namespace sail
