// A pool of picture memory: lent with a picture and reused when the picture is destroyed. Pictures
// must be destroyed on the thread that uses the pool.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "sail/media/source/source.h"

namespace sail {

template <class Memory>
class Recycler {
  struct Shelf;

 public:
  struct Loan {
    template <class... Arguments>
    explicit Loan(const Arguments&... arguments) : memory(arguments...) {}

    Memory memory;

   private:
    friend class Recycler;
    std::shared_ptr<Shelf> home;  // keeps the pool alive until the last picture is destroyed
  };

  // Returns free memory, or new memory made from the arguments.
  template <class... Arguments>
  std::unique_ptr<Loan> take(const Arguments&... arguments) {
    if (shelf_->free.empty()) return std::make_unique<Loan>(arguments...);
    std::unique_ptr<Loan> loan = std::move(shelf_->free.back());
    shelf_->free.pop_back();
    return loan;
  }
  // The picture refers to this memory and returns it when destroyed.
  void lend(std::unique_ptr<Loan> loan, Picture& picture) {
    loan->home = shelf_;
    picture.pixels.release = &Recycler::take_back;
    picture.pixels.opaque = loan.release();
  }

 private:
  struct Shelf {
    std::vector<std::unique_ptr<Loan>> free;
  };

  static void take_back(void* opaque) {
    std::unique_ptr<Loan> loan(static_cast<Loan*>(opaque));
    const std::shared_ptr<Shelf> home = std::move(loan->home);
    home->free.push_back(std::move(loan));
  }

  std::shared_ptr<Shelf> shelf_ = std::make_shared<Shelf>();
};

}  // namespace sail
