// Which programs run for a wall, kept in a file: whoever starts programs that outlive it tells
// those that come after it. Thread: one; reads and writes as it is called.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "sail/base/process_identity.h"

namespace sail {

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
