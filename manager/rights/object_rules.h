// Rules about objects of the wall: who may do what with which partition, scene or source. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/core/text/json.h"
#include "sail/core/text/json_fields.h"

namespace manager {

constexpr size_t kMostObjectRules = 1000;
constexpr size_t kMostAdmitted = 64;           // Names in one rule.
constexpr std::string_view kGroup = "group:";  // begins the name of a proxy's group in a rule

enum class Act : uint8_t {
  kDisplay,  // Show something there; show the scene or the source.
  kArrange,  // Change or close windows; replace or remove the scene.
  kControl,  // Input to windows, and their playback.
  kHear,     // The sound of windows.
};
constexpr sail::Choice<Act, 4> kActs{{{Act::kDisplay, "show"},
                                      {Act::kArrange, "arrange"},
                                      {Act::kControl, "control"},
                                      {Act::kHear, "hear"}}};

enum class ObjectKind : uint8_t { kPartition, kScene, kSource };
constexpr sail::Choice<ObjectKind, 3> kObjectKinds{{{ObjectKind::kPartition, "partition"},
                                                    {ObjectKind::kScene, "scene"},
                                                    {ObjectKind::kSource, "source"}}};

struct WallObject {
  ObjectKind kind = ObjectKind::kPartition;
  std::vector<std::string> names;  // At least one. The first is for people.

  // "partition 'left'"
  std::string text() const;
};

// The client whose request is checked.
struct Asker {
  std::string key;                    // Name of the key.
  bool admin = false;                 // Rules do not concern this key.
  std::vector<std::string> groups{};  // Groups that a trusted proxy reports for the person.
};

struct ObjectRule {
  ObjectKind kind = ObjectKind::kPartition;
  std::string pattern;           // pattern of the object's name; see sail::fits_pattern()
  std::vector<std::string> who;  // patterns of key names, or kGroup and a pattern of group names
  std::vector<Act> may;

  bool is_about(const WallObject& object) const;
  bool allows(Act act) const;
  bool admits(const Asker& asker) const;
};

class ObjectRules {
 public:
  // Reports all mistakes, one per line.
  static sail::Result<ObjectRules> read(const sail::Json& list);

  // The rules as they were read.
  const sail::Json& json() const { return json_; }
  bool empty() const { return rules_.empty(); }
  bool are_about(ObjectKind kind) const;
  // kUnauthorized: rules are about the object, and none of them lets the asker do that.
  sail::Result<void> check(const Asker& asker, Act act, const WallObject& object) const;

 private:
  std::vector<ObjectRule> rules_;
  sail::Json json_ = sail::Json::array();
};

}  // namespace manager
