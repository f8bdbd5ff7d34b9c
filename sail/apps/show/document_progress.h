// The conversion of a show's office documents, one after the other in a process of its own, while
// this process shows how far it is. One thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sail/apps/desktop/child_process.h"

namespace sail {

class DocumentProgress {
 public:
  // complain: gets a message for each document that cannot be read.
  using Complain = std::function<void(const std::string& sentence)>;
  // paths: files, some of which may be office documents. Documents that were converted before are
  // replaced at once.
  DocumentProgress(std::vector<std::string> paths, Complain complain);

  // Call regularly until it returns true: all documents were converted, or have failed. The process
  // that converts writes the reason of a failure to standard error.
  bool done();
  // Describes the running conversion, as in "converting slides.pptx, 12 s".
  std::string sentence() const;
  // Once done: the files in the same order, with the PDFs of the converted documents, and without
  // the documents that failed.
  const std::vector<std::string>& paths() const { return paths_; }

 private:
  // Replaces the document by its PDF. False: it must be converted first.
  bool replace(size_t number);
  bool start();

  const Complain complain_;
  std::vector<std::string> paths_;
  std::vector<size_t> waiting_;  // numbers of paths to convert; the last is the next
  std::unique_ptr<ChildProcess> converter_;
  std::chrono::steady_clock::time_point started_;
};

}  // namespace sail
