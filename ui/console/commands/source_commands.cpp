// Commands for sources of the wall's library: source ls, save, rename, rm, bin, restore.
#include <fmt/core.h>

#include <ctime>
#include <memory>

#include "ui/client/answers.h"
#include "ui/client/commands.h"
#include "ui/client/value_texts.h"

namespace ui {
namespace {

struct SourceArguments {
  std::string search;
  std::string kind;
  int count = 100;
  int offset = 0;
  std::string url;
  std::string title;
  std::string source;
};

// Known properties of a source: "1920×1080", "12 pages" or "1:02:03 1920×1080".
std::string measures_text(const sail::Json& source) {
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : " ") + part; };
  const sail::Json duration = member(source, "duration_s");
  if (duration.is_number()) add(duration_text(duration.get<double>()));
  const sail::Json size = member(source, "size");
  if (size.is_array() && size.size() == 2) {
    add(fmt::format("{}×{}", size[0].dump(), size[1].dump()));
  }
  const int64_t pages = number_member(source, "pages");
  if (pages > 0) add(fmt::format("{} page{}", pages, pages == 1 ? "" : "s"));
  const std::string unplayable = text_member(source, "unplayable");
  if (!unplayable.empty()) add(unplayable);
  return text.empty() ? "–" : text;
}

std::string sources_text(const sail::Json& result) {
  std::vector<std::vector<std::string>> rows = {
      {"SOURCE", "KIND", "SIZE", "SHOWS", "TITLE", "DETAIL"}};
  const sail::Json sources = member(result, "sources");
  for (const sail::Json& source : sources) {
    const sail::Json bytes = member(source, "bytes");
    rows.push_back({text_of(source, "source"), text_of(source, "kind"),
                    bytes.is_number() ? bytes_text(bytes.get<double>()) : "–",
                    measures_text(source), text_of(source, "title"), text_of(source, "detail")});
  }
  std::string text = table(rows);
  const int64_t more = number_member(result, "total") - static_cast<int64_t>(sources.size());
  if (more > 0)
    text +=
        fmt::format("\n{} more: narrow the list by a search, or use --offset and --count", more);
  return text;
}

std::string bin_text(const sail::Json& result) {
  std::vector<std::vector<std::string>> rows = {{"FILE", "SIZE", "REMOVED", "TITLE"}};
  for (const sail::Json& file : member(result, "files")) {
    rows.push_back(
        {text_of(file, "bin"), bytes_text(static_cast<double>(number_member(file, "bytes"))),
         age_text(number_member(file, "removed_at"), std::time(nullptr)), text_of(file, "title")});
  }
  return table(rows);
}

void add_bin_commands(const Command& source, Context& context,
                      const std::shared_ptr<SourceArguments>& arguments) {
  const Command bin = source.command("bin", "List removed uploads, which can be restored");
  bin.runs([&context] { return context.perform("source_bin", sail::Json::object(), bin_text); });

  const Command restore = source.command("restore", "Restore a removed upload");
  restore.option("file", arguments->source, "Id of the upload (see `vitrail source bin`)")
      .required();
  restore.runs([&context, arguments] {
    return context.perform("source_restore", {{"bin", arguments->source}});
  });
}

}  // namespace

void add_source_commands(const Command& app, Context& context) {
  const auto arguments = std::make_shared<SourceArguments>();
  const Command source = app.command("source", "Manage the sources that this wall can show")
                             .group("Sources")
                             .needs_command();

  const Command ls =
      source.command("ls", "List the sources; `vitrail play SOURCE` shows one").alias("list");
  ls.option("search", arguments->search, "Only sources with this text in title or path");
  ls.option("--kind", arguments->kind, "Only sources of this kind")
      .one_of({"file", "test", "url", "command", "application"});
  ls.option("--count", arguments->count, "Maximum number of sources to list")
      .between(1, 500)
      .shows_default();
  ls.option("--offset", arguments->offset, "Number of sources to skip").not_negative();
  ls.runs([&context, arguments] {
    sail::Json params = {{"count", arguments->count}};
    if (!arguments->search.empty()) params["search"] = arguments->search;
    if (!arguments->kind.empty()) params["kind"] = arguments->kind;
    if (arguments->offset > 0) params["offset"] = arguments->offset;
    return context.perform("sources", params, sources_text);
  });

  const Command save = source.command("save", "Save a URL as a source (rtsp, http, srt, udp …)");
  save.option("url", arguments->url, "URL that FFmpeg can open").required();
  save.option("--title", arguments->title, "Title; default: the URL");
  save.runs([&context, arguments] {
    const std::string& title = arguments->title.empty() ? arguments->url : arguments->title;
    return context.perform("source_save", {{"url", arguments->url}, {"title", title}});
  });

  const Command rename = source.command("rename", "Rename a saved URL or an uploaded file");
  rename.option("source", arguments->source, "Id of the source (see `vitrail source ls`)")
      .required();
  rename.option("name", arguments->title, "New name; a file keeps its extension").required();
  rename.runs([&context, arguments] {
    return context.perform("source_rename",
                           {{"source", arguments->source}, {"name", arguments->title}});
  });

  const Command rm = source.command("rm", "Remove a saved URL or an uploaded file").alias("remove");
  rm.option("source", arguments->source, "Id of the source (see `vitrail source ls`)").required();
  rm.runs([&context, arguments] {
    return context.perform("source_remove", {{"source", arguments->source}});
  });
  add_bin_commands(source, context, arguments);
}

}  // namespace ui
