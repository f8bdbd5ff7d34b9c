// vitrail films: lists a film server's films and changes their tags. Needs no manager.
#include <fmt/core.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/rpc/rpc_client.h"
#include "sail/core/text/limits.h"
#include "ui/client/answers.h"
#include "ui/client/commands.h"
#include "ui/client/value_texts.h"

namespace ui {
namespace {

// Timeout of a listing; the server may have to probe many films first.
constexpr int64_t kFilmsMs = 60'000;
// Timeout of `place`, which copies a whole film to disk servers.
constexpr int64_t kPlaceMs = 7 * 24 * 3'600'000LL;
constexpr const char* kFilmsNotes =
    R"(The column WALL is "yes" for films that a wall can show as stored; `vitrail convert` converts
other films. `bplay server://HOST/TITLE` plays a film.

Examples:
  vitrail films lobby                            # with "lobby" in the title or a tag
  vitrail films tag lobby/tour.vmov night tour   # replace the tags
  vitrail films place opera.vmov --copies 2      # store on the server's disk servers)";

struct FilmsArguments {
  std::string server;
  std::string search;
  int count = 200;
  std::string title;
  std::vector<std::string> tags;
  std::optional<int> stripe;
  int copies = 1;
};

sail::Result<std::unique_ptr<sail::RpcClient>> film_server(const Context& context,
                                                           const FilmsArguments& arguments) {
  const auto at =
      sail::parse_address(arguments.server, {"127.0.0.1", sail::kDefaultFilmServerPort});
  if (!at) return sail::about_option("--server", at.error());
  return sail::RpcClient::connect(*at, {.hello = {.name = context.person.name},
                                        .server = "film server",
                                        .advice = ": `vitrail-server --films DIR` starts one"});
}

double real_of(const sail::Json& object, const char* name) {
  const sail::Json value = member(object, name);
  return value.is_number() ? value.get<double>() : 0;
}

std::string size_text(const sail::Json& film) {
  const sail::Json size = member(film, "size");
  if (!size.is_array() || size.size() != 2) return "–";
  return fmt::format("{}×{}", size[0].dump(), size[1].dump());
}

std::string texts_text(const sail::Json& film, const char* name) {
  std::string text;
  for (const sail::Json& one : member(film, name)) {
    if (one.is_string()) text += (text.empty() ? "" : ", ") + one.get<std::string>();
  }
  return text;
}

std::string wall_text(const sail::Json& film) {
  const std::string unreadable = text_member(film, "unreadable");
  if (!unreadable.empty()) return "no: " + unreadable;
  const std::string remark = text_member(film, "remark");
  const std::string text = true_member(film, "playable") ? "yes" : "no";
  return remark.empty() ? text : text + ", but " + remark;
}

std::vector<std::string> film_row(const sail::Json& film) {
  const double duration_s = real_of(film, "duration_s");
  const double mb_per_s = real_of(film, "mb_per_s");
  return {text_of(film, "title"),
          size_text(film),
          duration_s > 0 ? duration_text(duration_s) : "–",
          fmt::format("{:.4g}", real_of(film, "fps")),
          text_of(film, "codec"),
          bytes_text(real_of(film, "bytes")),
          mb_per_s > 0 ? fmt::format("{:.2f}", mb_per_s) : "–",
          wall_text(film),
          texts_text(film, "tags"),
          texts_text(film, "disks")};
}

// 'sound 2: eng, aac, 6 channels, "Director", default'.
std::string track_line(const sail::Json& track) {
  std::string line = fmt::format("{} {}: ", text_of(track, "kind"), number_member(track, "number"));
  const std::string language = text_member(track, "language");
  if (!language.empty()) line += language + ", ";
  line += text_member(track, "format");
  const int64_t channels = number_member(track, "channels");
  if (channels > 0) line += fmt::format(", {} channel{}", channels, channels == 1 ? "" : "s");
  const std::string title = text_member(track, "title");
  if (!title.empty()) line += fmt::format(", \"{}\"", title);
  for (const char* mark : {"default", "forced"}) {
    if (true_member(track, mark)) line += fmt::format(", {}", mark);
  }
  return line;
}

// What the table has no columns for.
std::string film_details(const sail::Json& film) {
  std::string text;
  const std::string colors = text_member(film, "colors");
  if (!colors.empty()) text += "\ncolours: " + colors;
  if (true_member(film, "interlaced")) text += "\ninterlaced";
  for (const sail::Json& track : member(film, "tracks")) text += '\n' + track_line(track);
  return text;
}

std::string left_out_text(const sail::Json& result) {
  std::string text;
  for (const sail::Json& file : member(result, "left_out")) {
    text += fmt::format("\nnot listed: {}: {}", text_of(file, "name"), text_of(file, "why"));
  }
  return text;
}

std::string films_text(const sail::Json& result) {
  std::vector<std::vector<std::string>> rows = {
      {"TITLE", "SIZE", "LENGTH", "FPS", "CODEC", "BYTES", "MB/S", "WALL", "TAGS", "DISKS"}};
  for (const sail::Json& film : member(result, "titles")) rows.push_back(film_row(film));
  if (rows.size() == 1) return "no films" + left_out_text(result);
  std::string text = table(rows);
  if (rows.size() == 2) text += film_details(member(result, "titles").front());
  if (true_member(result, "more")) {
    text += "\nthere are more films: narrow the list by a search, or raise --count";
  }
  return text + left_out_text(result);
}

// Fetches pages from the server until `count` films are listed.
int list_films(Context& context, const FilmsArguments& arguments) {
  const auto server = film_server(context, arguments);
  if (!server) return context.report(server.error());
  sail::Json all = sail::Json::array();
  sail::Json left_out;
  const auto wanted = static_cast<size_t>(arguments.count);
  bool more = true;
  while (more && all.size() < wanted) {
    sail::Json params = sail::Json::object();
    if (!arguments.search.empty()) params["search"] = arguments.search;
    if (!all.empty()) params["after"] = text_member(all.back(), "title");
    const auto answer = (*server)->call("titles", params, kFilmsMs);
    if (!answer) return context.report(answer.error());
    if (all.empty()) left_out = member(*answer, "left_out");
    const sail::Json titles = member(*answer, "titles");
    more = !titles.empty() && true_member(*answer, "more");
    for (const sail::Json& film : titles) {
      more |= all.size() == wanted;
      if (all.size() < wanted) all.push_back(film);
    }
  }
  sail::Json result{{"titles", std::move(all)}, {"more", more}};
  if (left_out.is_array()) result["left_out"] = std::move(left_out);
  return context.done(result, films_text(result));
}

int tag_film(Context& context, const FilmsArguments& arguments) {
  const auto server = film_server(context, arguments);
  if (!server) return context.report(server.error());
  const auto film =
      (*server)->call("tag", {{"title", arguments.title}, {"tags", arguments.tags}}, kFilmsMs);
  if (!film) return context.report(film.error());
  return context.done(*film, "");
}

int place_film(Context& context, const FilmsArguments& arguments) {
  const auto server = film_server(context, arguments);
  if (!server) return context.report(server.error());
  sail::Json params{{"title", arguments.title}, {"copies", arguments.copies}};
  if (arguments.stripe) params["stripe"] = *arguments.stripe;
  const auto film = (*server)->call("place", params, kPlaceMs);
  if (!film) return context.report(film.error());
  return context.done(*film, "");
}

// Lists the disk servers with their throughput and free space.
std::string disks_text(const sail::Json& source) {
  std::string text;
  for (const sail::Json& disk : member(source, "disks")) {
    const double peak = real_of(disk, "peak_mb_per_s");
    text += fmt::format("\n  {}: {}", text_of(disk, "disk"),
                        !true_member(disk, "there") ? "not connected"
                        : peak > 0                  ? fmt::format("{:.1f} MB/s", peak)
                                                    : "not measured");
    if (true_member(disk, "there")) {
      text += fmt::format(", {:.2f} MB/s admitted, {:.2f} MB/s best effort, {} free",
                          real_of(disk, "admitted_mb_per_s"), real_of(disk, "best_effort_mb_per_s"),
                          bytes_text(real_of(disk, "free_bytes")));
    }
  }
  return text;
}

std::string film_sources_text(const sail::Json& result) {
  std::string text;
  for (const sail::Json& source : member(result, "sources")) {
    if (!text.empty()) text += '\n';
    text += text_of(source, "source") + ": ";
    const double peak = real_of(source, "peak_mb_per_s");
    const double share = real_of(source, "share");
    text += peak > 0
                ? fmt::format("{:.1f} MB/s {}, {:.1f} MB/s available to admitted films\n", peak,
                              true_member(source, "stated") ? "set by the operator" : "measured",
                              peak * share)
                : "not measured: all films are admitted\n";
    text += fmt::format(
        "{} films admitted, {:.2f} MB/s; {} best effort, {:.2f} MB/s",
        number_member(source, "admitted_films"), real_of(source, "admitted_mb_per_s"),
        number_member(source, "best_effort_films"), real_of(source, "best_effort_mb_per_s"));
    const double share_got = real_of(source, "best_effort_share");
    text += fmt::format("\n{:.2f} MB/s read, {} late reads", real_of(source, "read_mb_per_s"),
                        number_member(source, "late_reads"));
    if (share_got < 1) {
      text += fmt::format("; best-effort films get {:.0f} % of their bitrate", share_got * 100);
    }
    text += disks_text(source);
  }
  return text;
}

int print_sources(Context& context, const FilmsArguments& arguments, std::string_view verb) {
  const auto server = film_server(context, arguments);
  if (!server) return context.report(server.error());
  const auto sources = (*server)->call(verb, sail::Json::object(), kFilmsMs);
  if (!sources) return context.report(sources.error());
  return context.done(*sources, film_sources_text(*sources));
}

}  // namespace

void add_films_command(const Command& app, Context& context) {
  const auto arguments = std::make_shared<FilmsArguments>();
  const Command films = app.command("films", "List, tag and store the films of a film server")
                            .group("Films")
                            .notes(kFilmsNotes);
  films.option("search", arguments->search, "Only films with this text in the title or a tag");
  films.option("--server", arguments->server, "Film server; default: 127.0.0.1:7450")
      .form("HOST:PORT");
  films.option("--count", arguments->count, "Maximum number of films to list")
      .between(1, 100'000)
      .shows_default();
  films.runs([&context, arguments] { return list_films(context, *arguments); });

  const Command tag = films.command("tag", "Replace the tags of a film");
  tag.option("title", arguments->title, "Title as listed by `vitrail films`").required();
  tag.option("word", arguments->tags, "New tags; omit to clear");
  tag.runs([&context, arguments] { return tag_film(context, *arguments); });

  const Command place =
      films.command("place", "Copy a film to the server's disk servers, which then serve it");
  place.option("title", arguments->title, "Title as listed by `vitrail films`").required();
  place
      .option("--stripe", arguments->stripe,
              "Number of disk servers to stripe the film across; default: all")
      .between(1, 256);
  place
      .option("--copies", arguments->copies,
              "Copies of each part of the film, each on another disk server")
      .between(1, 256)
      .shows_default();
  place.runs([&context, arguments] { return place_film(context, *arguments); });

  films.command("sources", "Show the read throughput and load of the film storage")
      .runs([&context, arguments] { return print_sources(context, *arguments, "sources"); });
  films.command("measure", "Measure the read throughput of the film storage again")
      .runs([&context, arguments] { return print_sources(context, *arguments, "measure"); });
}

}  // namespace ui
