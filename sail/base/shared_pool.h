// Objects with memory of their own that are used again when nobody refers to them any more: what
// passes between threads for each frame, without an allocation. std::shared_ptr would allocate and
// cannot tell safely that nobody else is left.
#pragma once

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

namespace sail {

template <class T>
class SharedPool {
  struct Node {
    template <class... Args>
    explicit Node(Args&&... args) : value(std::forward<Args>(args)...) {}
    T value;
    std::atomic<int> references{0};
  };

 public:
  // Keeps an object from being used again. Empty, or one reference; each reference belongs to one
  // thread at a time, different ones to any.
  class Ref {
   public:
    Ref() = default;
    Ref(const Ref& other) : node_(other.node_) {
      if (node_ != nullptr) node_->references.fetch_add(1, std::memory_order_relaxed);
    }
    Ref(Ref&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
    Ref& operator=(Ref other) noexcept {
      std::swap(node_, other.node_);
      return *this;
    }
    ~Ref() {
      if (node_ != nullptr) node_->references.fetch_sub(1, std::memory_order_release);
    }

    T* get() const { return node_ == nullptr ? nullptr : &node_->value; }
    T* operator->() const { return &node_->value; }
    T& operator*() const { return node_->value; }
    explicit operator bool() const { return node_ != nullptr; }
    bool operator==(const Ref& other) const { return node_ == other.node_; }

    // Hands the reference over as a plain pointer, for where only those fit; adopt() takes it back.
    void* release() { return std::exchange(node_, nullptr); }
    static Ref adopt(void* released) {
      Ref ref;
      ref.node_ = static_cast<Node*>(released);
      return ref;
    }

   private:
    friend class SharedPool;
    Node* node_ = nullptr;
  };

  SharedPool() = default;
  SharedPool(SharedPool&&) noexcept = default;

  // Makes one object more.
  template <class... Args>
  void grow(Args&&... args) {
    nodes_.push_back(std::make_unique<Node>(std::forward<Args>(args)...));
  }
  // One thread at a time. An object that nobody refers to, as its last user left it; empty when all
  // are in use. The pool outlives all references.
  Ref take() {
    for (const auto& node : nodes_) {
      // Only this thread makes a reference out of none; what the last holder did with the object
      // happened before.
      if (node->references.load(std::memory_order_acquire) != 0) continue;
      node->references.store(1, std::memory_order_relaxed);
      return Ref::adopt(node.get());
    }
    return {};
  }
  size_t size() const { return nodes_.size(); }

 private:
  std::vector<std::unique_ptr<Node>> nodes_;
};

}  // namespace sail
