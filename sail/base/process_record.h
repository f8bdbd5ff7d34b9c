// Processes that are not our children, told apart from later ones with the same number, and a file
// that keeps which of them run for a wall: whoever starts programs that outlive it tells those that
// come after it.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace sail {

// The functions for it: any thread.
struct ProcessIdentity {
  pid_t pid = 0;
  std::string began;  // the boot of the system, and clock ticks since then

  bool operator==(const ProcessIdentity&) const = default;
};

// Nothing when it does not run (any more).
std::optional<ProcessIdentity> identity_of(pid_t pid);
bool is_running(const ProcessIdentity& process);
// Nothing happens when it has ended, whoever has its number now.
void signal_process(const ProcessIdentity& process, int number);

// One line of text, and back.
std::string to_text(const ProcessIdentity& process);
std::optional<ProcessIdentity> process_identity_from(std::string_view text);

// Thread: one; reads and writes as it is called.
class ProcessRecord {
 public:
  // Reads what is there; what is damaged is not there. An empty name: nothing is kept.
  explicit ProcessRecord(std::filesystem::path file);

  // By name, whether or not they still run.
  const std::map<std::string, ProcessIdentity>& all() const { return all_; }
  // A name without line breaks. What cannot be written is not kept.
  void keep(const std::string& name, pid_t pid);
  // All of them, and the file.
  void forget();

 private:
  std::filesystem::path file_;
  std::map<std::string, ProcessIdentity> all_;
};

// The file in the folder for the programs of that kind of the manager at that address
// ("127.0.0.1:7440"); empty without a folder.
std::filesystem::path process_record_file(const std::filesystem::path& folder,
                                          const std::string& manager, const char* kind);
// The folder in this user's; empty without one.
std::filesystem::path process_record_folder();
// The supervisor that `vitrail up` leaves, and the receivers that the manager launches.
constexpr const char* kSupervisorRecord = "supervisor";
constexpr const char* kReceiversRecord = "receivers";

}  // namespace sail
