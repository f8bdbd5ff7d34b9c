#include "sail/wire/overlay.h"

#include <tuple>
#include <utility>

#include "sail/wire/colour.h"
#include "sail/wire/control_fields.h"

namespace sail {
namespace {

using namespace control_fields;

uint32_t colour(JsonFields& fields) {
  const auto read = parse_colour(fields.string("colour", kMaxTypeLength));
  if (!read) fields.mistake("colour", R"(must be "#rrggbb")");
  return read.value_or(0);
}

template <typename Item>
void read_place(JsonFields& fields, Item& item) {
  std::tie(item.x, item.y) = fields.pair("at", -kMaxWindowOffset, kMaxWindowOffset);
}

Result<std::string> read_line(const Json& value, const std::string& where) {
  const auto* text = value.get_ptr<const std::string*>();
  if (text != nullptr && text->size() <= kMaxLabelLine && !name_mistake(*text)) return *text;
  return fail(ErrorCode::kInvalidParams,
              fmt::format("{}: must be a line of at most {} bytes", where, kMaxLabelLine));
}

Result<OverlayLabel> read_label(const Json& value, const std::string& where) {
  JsonFields fields(value, where);
  OverlayLabel label;
  read_place(fields, label);
  label.above = fields.boolean_or("above", false);
  label.lines = list(fields, "lines", kMaxLabelLines, where.c_str(), read_line);
  label.colour = colour(fields);
  return checked(fields, std::move(label));
}

Result<OverlayPointer> read_pointer(const Json& value, std::string where) {
  JsonFields fields(value, std::move(where));
  OverlayPointer pointer;
  read_place(fields, pointer);
  pointer.name = fields.string("name", kMaxNameLength);
  pointer.colour = colour(fields);
  pointer.pressed = fields.boolean_or("pressed", false);
  return checked(fields, std::move(pointer));
}

Json pointer_json(const OverlayPointer& pointer) {
  return {{"at", Json::array({pointer.x, pointer.y})},
          {"name", pointer.name},
          {"colour", colour_text(pointer.colour)},
          {"pressed", pointer.pressed}};
}

}  // namespace

Json to_json(const OverlayLabel& label) {
  return {{"at", Json::array({label.x, label.y})},
          {"above", label.above},
          {"lines", label.lines},
          {"colour", colour_text(label.colour)}};
}

Json to_json(const Overlay& overlay) {
  Json json = Json::object();
  if (overlay.labels) json["labels"] = list_json<OverlayLabel>(*overlay.labels, to_json);
  if (overlay.pointers) json["pointers"] = list_json(*overlay.pointers, pointer_json);
  return json;
}

Result<Overlay> overlay_from_json(const Json& params) {
  JsonFields fields(params, "overlay");
  Overlay overlay;
  if (fields.has("labels")) {
    overlay.labels = list(fields, "labels", kMaxLabels, "overlay", read_label);
  }
  if (fields.has("pointers")) {
    overlay.pointers = list(fields, "pointers", kMaxOverlayPointers, "overlay", read_pointer);
  }
  return checked(fields, std::move(overlay));
}

}  // namespace sail
