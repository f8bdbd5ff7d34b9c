#include "ui/console/prompt/prompt.h"

#include <histedit.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "sail/core/text/text.h"
#include "ui/console/start/state_folder.h"

namespace ui {
namespace {

constexpr int kHistoryLines = 1000;

struct EditorEnd {
  void operator()(EditLine* editor) const { el_end(editor); }
};
struct HistoryEnd {
  void operator()(History* history) const { history_end(history); }
};

std::string history_file() {
  const auto folder = state_folder();
  return folder ? (*folder / "history").string() : "";
}

const char* prompt_text(EditLine*) {
  return "vitrail> ";
}

std::string common_start(const std::vector<std::string>& words) {
  std::string start = words.front();
  for (const std::string& word : words) {
    const auto differ = std::mismatch(start.begin(), start.end(), word.begin(), word.end());
    start.resize(static_cast<size_t>(differ.first - start.begin()));
  }
  return start;
}

// Completes the word under the cursor as far as it is unambiguous; lists the candidates if it is
// not.
unsigned char complete(EditLine* editor, int) {
  const PromptHandlers* handlers = nullptr;
  el_get(editor, EL_CLIENTDATA, &handlers);
  const LineInfo* info = el_line(editor);
  const std::string typed(info->buffer, info->cursor);
  std::vector<std::string> words = sail::split_words(typed);
  std::string partial;
  if (!typed.empty() && typed.back() != ' ' && !words.empty()) {
    partial = words.back();
    words.pop_back();
  }
  const std::vector<std::string> fitting = handlers->words(words, partial);
  if (fitting.empty()) return CC_REFRESH_BEEP;
  const std::string insert =
      common_start(fitting).substr(partial.size()) + (fitting.size() == 1 ? " " : "");
  if (!insert.empty()) {
    el_insertstr(editor, insert.c_str());
    return CC_REFRESH;
  }
  std::cout << "\n";
  for (const std::string& word : fitting) std::cout << word << "  ";
  std::cout << std::endl;
  return CC_REDISPLAY;
}

void run_editor(const PromptHandlers& handlers) {
  const std::unique_ptr<EditLine, EditorEnd> editor(el_init("vitrail", stdin, stdout, stderr));
  const std::unique_ptr<History, HistoryEnd> history(history_init());
  HistEvent event{};
  ::history(history.get(), &event, H_SETSIZE, kHistoryLines);
  ::history(history.get(), &event, H_SETUNIQUE, 1);
  const std::string file = history_file();
  if (!file.empty()) ::history(history.get(), &event, H_LOAD, file.c_str());

  el_set(editor.get(), EL_CLIENTDATA, &handlers);
  el_set(editor.get(), EL_PROMPT, prompt_text);
  el_set(editor.get(), EL_EDITOR, "emacs");
  el_set(editor.get(), EL_HIST, ::history, history.get());
  el_set(editor.get(), EL_ADDFN, "complete", "Complete the word", complete);
  el_set(editor.get(), EL_BIND, "^I", "complete", nullptr);
  el_source(editor.get(), nullptr);  // reads ~/.editrc

  int length = 0;
  while (const char* text = el_gets(editor.get(), &length)) {
    std::string line(text, static_cast<size_t>(std::max(length, 0)));
    while (!line.empty() && (line.back() == '\n' || line.back() == ' ')) line.pop_back();
    if (line.empty()) continue;
    ::history(history.get(), &event, H_ENTER, line.c_str());
    if (!handlers.on_line(line)) break;
  }
  if (!file.empty()) ::history(history.get(), &event, H_SAVE, file.c_str());
}

}  // namespace

void run_prompt(const PromptHandlers& handlers) {
  if (isatty(STDIN_FILENO) == 1) {
    run_editor(handlers);
    return;
  }
  std::string line;
  while (std::getline(std::cin, line)) {
    if (!line.empty() && !handlers.on_line(line)) return;
  }
}

}  // namespace ui
