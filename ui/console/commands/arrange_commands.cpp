// The commands arrange and partition, which arrange the whole wall.
#include <fmt/core.h>

#include "ui/client/answers.h"
#include "ui/client/commands.h"
#include "ui/client/value_texts.h"

namespace ui {
namespace {

struct ArrangeArguments {
  std::string mode = "grid";
  int columns = 0;
  std::string window;
  std::string area;
};

sail::Json arrange_params(const ArrangeArguments& arguments) {
  sail::Json params = sail::Json::object();
  if (arguments.mode != "grid") params["mode"] = arguments.mode;
  if (arguments.columns > 0) params["columns"] = arguments.columns;
  if (!arguments.area.empty()) params["area"] = arguments.area;
  return params;
}

void add_arrange(const Command& app, Context& context) {
  const auto arguments = std::make_shared<ArrangeArguments>();
  const Command command =
      app.command("arrange", "Lay out all windows side by side").group("Arranging");
  command
      .option(
          "mode", arguments->mode,
          "grid: equal cells; aspect: cells by aspect ratio; main: one large window and a column")
      .one_of({"grid", "aspect", "main"})
      .shows_default();
  const Option columns =
      command.option("--columns", arguments->columns, "Columns of the grid; default: the best fit")
          .between(1, 4096);
  const Option big =
      command.option("--window", arguments->window,
                     "Window to make large in a `main` arrangement, by number or title");
  command.option("--area", arguments->area,
                 "Arrange only the windows in this tile or partition, inside its area");
  command.check([arguments, columns, big]() -> std::string {
    if (columns.given() && arguments->mode != "grid")
      return "--columns applies only to `arrange grid`";
    return big.given() && arguments->mode != "main" ? "--window applies only to `arrange main`"
                                                    : "";
  });
  command.runs([&context, arguments]() -> int {
    sail::Json params = arrange_params(*arguments);
    if (!arguments->window.empty()) {
      const auto window = context.window(arguments->window);
      if (!window) return context.failure();
      params["window"] = *window;
    }
    return context.perform("arrange", params);
  });
}

struct PartitionArguments {
  std::string name;
  std::string place;
  int columns = 0;
  int rows = 0;
};

std::string partitions_text(const sail::Json& result) {
  std::vector<std::vector<std::string>> rows = {{"PARTITION", "PLACE"}};
  for (const sail::Json& partition : member(result, "partitions")) {
    rows.push_back({text_of(partition, "name"), rect_text(member(partition, "rect"))});
  }
  return rows.size() > 1 ? table(rows) : "no partitions: `vitrail partition grid 3 2` creates six";
}

void add_partition(const Command& app, Context& context) {
  const auto arguments = std::make_shared<PartitionArguments>();
  const Command partition =
      app.command("partition", "Manage partitions: areas that windows snap to and move with")
          .group("Arranging")
          .needs_command();
  const auto answers = [&context](Command command, const std::function<sail::Json()>& params) {
    command.runs(
        [&context, params] { return context.perform("partition", params(), partitions_text); });
  };

  const Command set = partition.command("set", "Create or move a partition");
  add_name_option(set, "partition", arguments->name);
  set.option("place", arguments->place, "X,Y,WIDTHxHEIGHT in wall pixels")
      .required()
      .check([](auto& text) {
        sail::Json unused;
        return read_rect(text, unused) ? "" : fmt::format("must be {}", kRectForm);
      });
  answers(set, [arguments] {
    sail::Json rect;
    read_rect(arguments->place, rect);
    return sail::Json{{"action", "set"}, {"name", arguments->name}, {"rect", rect}};
  });

  const Command rm =
      partition.command("rm", "Remove a partition; its windows stay").alias("remove");
  add_name_option(rm, "partition", arguments->name);
  answers(rm, [arguments] { return sail::Json{{"action", "remove"}, {"name", arguments->name}}; });

  const Command grid = partition.command("grid", "Divide the whole wall into equal partitions");
  grid.option("columns", arguments->columns, "Number of columns, 1 to 64")
      .required()
      .between(1, 64);
  grid.option("rows", arguments->rows, "Number of rows, 1 to 64").required().between(1, 64);
  answers(grid, [arguments] {
    return sail::Json{
        {"action", "grid"}, {"columns", arguments->columns}, {"rows", arguments->rows}};
  });

  const Command clear = partition.command("clear", "Remove all partitions");
  answers(clear, [] { return sail::Json{{"action", "clear"}}; });

  partition.command("ls", "List the partitions").alias("list").runs([&context] {
    const auto state = context.call("list", sail::Json::object());
    if (!state) return context.client ? int{kFailed} : int{kNoManager};
    sail::Json result = {{"partitions", sail::Json::array()}};
    for (const sail::Json& one : member(*state, "partitions")) result["partitions"].push_back(one);
    return context.done(result, partitions_text(result));
  });
}

}  // namespace

void add_arrange_commands(const Command& app, Context& context) {
  add_arrange(app, context);
  add_partition(app, context);
}

}  // namespace ui
