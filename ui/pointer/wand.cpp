#include "ui/pointer/wand.h"

#include <fmt/core.h>

#include <cmath>
#include <cstdio>

#include "sail/core/text/json.h"
#include "sail/core/text/text.h"

namespace ui {
namespace {

using sail::ErrorCode;

constexpr const char* kAddress = "/vitrail/6dof";
constexpr size_t kMaxIdBytes = 64;
constexpr size_t kMaxPoses = 256;      // limit for one datagram
constexpr double kFarthestM = 10'000;  // limit of a coordinate
constexpr double kTiny = 1e-9;

Vector operator+(const Vector& a, const Vector& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
Vector operator-(const Vector& a, const Vector& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
Vector operator*(double k, const Vector& a) {
  return {k * a[0], k * a[1], k * a[2]};
}
double dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

auto refuse(std::string_view why) {
  return sail::fail(ErrorCode::kBadData, fmt::format("invalid 6-DoF message: {}", why));
}

auto too_many() {
  return refuse(fmt::format("too many messages in one datagram (limit {})", kMaxPoses));
}

// Checks the fields common to OSC and JSON, and normalises the quaternion.
sail::Result<WandPose> checked(WandPose pose) {
  if (pose.id.empty() || pose.id.size() > kMaxIdBytes || !sail::is_plain_text(pose.id)) {
    return refuse("the id must be a whole number or text of 1 to 64 bytes");
  }
  for (const double metres : pose.position) {
    if (!(std::abs(metres) <= kFarthestM)) return refuse("the position is beyond 10 km");
  }
  auto& q = pose.orientation;
  const double length = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
  constexpr double kShortest = 1e-3;
  constexpr double kLongest = 1e3;
  if (!(length >= kShortest && length <= kLongest)) {
    return refuse("the length of the orientation quaternion must be 0.001 to 1000");
  }
  for (double& part : q) part /= length;
  return pose;
}

// Converts to seconds since 1900.
double seconds(const OscTime& time) {
  return static_cast<double>(time.ntp >> 32) +
         static_cast<double>(time.ntp & 0xFFFFFFFF) / 4294967296.0;
}

std::optional<double> time_of(const OscMessage& message, size_t index) {
  if (index >= message.arguments.size()) return std::nullopt;
  if (const auto* tag = std::get_if<OscTime>(&message.arguments[index])) {
    return tag->ntp <= 1 ? std::nullopt : std::optional(seconds(*tag));
  }
  return message.number(index);
}

sail::Result<WandPose> pose_of(const OscMessage& message) {
  constexpr size_t kButtonsAt = 8;
  WandPose pose;
  if (const auto name = message.text(0)) {
    pose.id = *name;
  } else if (const auto number = message.whole(0)) {
    pose.id = std::to_string(*number);
  }
  for (size_t i = 1; i < kButtonsAt; ++i) {
    const auto value = message.number(i);
    if (!value) return refuse("the arguments must be ID PX PY PZ QX QY QZ QW BUTTONS [TIME]");
    (i < 4 ? pose.position[i - 1] : pose.orientation[i - 4]) = *value;
  }
  const auto buttons = message.whole(kButtonsAt);
  if (!buttons) return refuse("BUTTONS must be a whole number (0: no button is pressed)");
  pose.buttons = static_cast<uint32_t>(*buttons);
  pose.time_s = time_of(message, kButtonsAt + 1);
  return checked(std::move(pose));
}

template <size_t N>
bool read_numbers(const sail::Json& list, std::array<double, N>& numbers) {
  if (list.size() != N) return false;
  for (size_t i = 0; i < N; ++i) {
    if (!list[i].is_number()) return false;
    numbers[i] = list[i].template get<double>();
  }
  return true;
}

sail::Result<WandPose> pose_of(const sail::Json& object) {
  constexpr double kAnyTime = 1e15;
  sail::JsonFields fields(object, "invalid 6-DoF message");
  WandPose pose;
  if (object.is_object() && object.contains("id") && object["id"].is_number_integer()) {
    pose.id = std::to_string(fields.integer("id", INT32_MIN, INT32_MAX));
  } else {
    pose.id = fields.string("id", kMaxIdBytes);
  }
  if (!read_numbers(fields.array("pos", 3), pose.position)) {
    fields.mistake("pos", "must be three numbers");
  }
  if (!read_numbers(fields.array("quat", 4), pose.orientation)) {
    fields.mistake("quat", "must be four numbers");
  }
  if (fields.has("buttons")) {
    pose.buttons = static_cast<uint32_t>(fields.integer("buttons", 0, UINT32_MAX));
  }
  if (fields.has("t")) pose.time_s = fields.number("t", -kAnyTime, kAnyTime);
  if (auto error = fields.finish_open()) {
    return sail::fail(ErrorCode::kBadData, error->message);
  }
  return checked(std::move(pose));
}

sail::Result<std::vector<WandPose>> read_lines(std::string_view text) {
  std::vector<WandPose> poses;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const auto object = sail::parse_json(line, kMaxOscBytes);
    if (!object) return sail::fail(ErrorCode::kBadData, object.error().message);
    auto pose = pose_of(*object);
    if (!pose) return pose.error();
    if (poses.size() >= kMaxPoses) return too_many();
    poses.push_back(std::move(*pose));
  }
  return poses;
}

}  // namespace

sail::Result<std::vector<WandPose>> read_wand_poses(std::span<const uint8_t> datagram) {
  const std::string_view text(reinterpret_cast<const char*>(datagram.data()), datagram.size());
  if (text.empty()) return refuse("the datagram is empty");
  if (text.front() != '/' && text.front() != '#') return read_lines(text);
  const auto messages = read_osc(datagram);
  if (!messages) return messages.error();
  std::vector<WandPose> poses;
  for (const OscMessage& message : *messages) {
    if (message.address != kAddress) continue;
    auto pose = pose_of(message);
    if (!pose) return pose.error();
    if (poses.size() >= kMaxPoses) return too_many();
    poses.push_back(std::move(*pose));
  }
  return poses;
}

WallPlane centred_plane(double width_m, double height_m) {
  return {{-width_m / 2, height_m / 2, 0}, {width_m, 0, 0}, {0, -height_m, 0}};
}

sail::Result<WallPlane> parse_plane(std::string_view text) {
  WallPlane plane;
  int used = 0;
  const std::string copy(text);
  const int read =
      std::sscanf(copy.c_str(), "%lf,%lf,%lf %lf,%lf,%lf %lf,%lf,%lf%n", &plane.top_left[0],
                  &plane.top_left[1], &plane.top_left[2], &plane.right[0], &plane.right[1],
                  &plane.right[2], &plane.down[0], &plane.down[1], &plane.down[2], &used);
  const Vector normal = cross(plane.right, plane.down);
  const double area_m2 = std::sqrt(dot(normal, normal));
  if (read != 9 || used != static_cast<int>(copy.size()) || !std::isfinite(area_m2) ||
      !(area_m2 > kTiny)) {
    return sail::fail(ErrorCode::kInvalidParams,
                      "must be \"X,Y,Z X,Y,Z X,Y,Z\" in metres: the wall's top left corner, the "
                      "vector along its top edge, the vector along its left edge");
  }
  return plane;
}

std::optional<PlanePoint> intersection(const WandPose& pose, const WallPlane& plane) {
  const auto& q = pose.orientation;
  // The vector (0, 0, −1) rotated by the quaternion.
  const Vector direction = {-2 * (q[0] * q[2] + q[3] * q[1]), -2 * (q[1] * q[2] - q[3] * q[0]),
                            -(1 - 2 * (q[0] * q[0] + q[1] * q[1]))};
  const Vector normal = cross(plane.right, plane.down);
  const double towards = dot(direction, normal);
  if (std::abs(towards) < kTiny * std::sqrt(dot(normal, normal))) return std::nullopt;
  const double distance = dot(plane.top_left - pose.position, normal) / towards;
  if (distance < 0) return std::nullopt;
  const Vector hit = pose.position + distance * direction - plane.top_left;
  // Also correct if the edges are not at right angles.
  const double area = dot(normal, normal);
  return PlanePoint{dot(cross(hit, plane.down), normal) / area,
                    dot(cross(plane.right, hit), normal) / area};
}

}  // namespace ui
