// Pool of objects that are reused once no reference to them is left: for per-frame data that passes
// between threads without allocation. std::shared_ptr would allocate and cannot tell safely that
// one reference is the last.
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
  // Reference to a pooled object, or empty. The object is not reused while a reference exists. Each
  // reference belongs to one thread at a time; different references may be on different threads.
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

    // Converts the reference to a plain pointer for interfaces that need one; adopt() reverts it.
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

  // Adds an object to the pool.
  template <class... Args>
  void grow(Args&&... args) {
    nodes_.push_back(std::make_unique<Node>(std::forward<Args>(args)...));
  }
  // One thread at a time. Returns an unreferenced object as its last user left it; empty if all are
  // in use. The pool must outlive all references.
  Ref take() {
    for (const auto& node : nodes_) {
      // Only this thread turns a count of 0 into 1. The last holder's changes are visible.
      if (node->references.load(std::memory_order_acquire) != 0) continue;
      node->references.store(1, std::memory_order_relaxed);
      return Ref::adopt(node.get());
    }
    return {};
  }
  size_t size() const { return nodes_.size(); }
  // Returns true if no reference is left. By the thread that calls take(): it stays true until
  // then.
  bool idle() const {
    for (const auto& node : nodes_) {
      if (node->references.load(std::memory_order_acquire) != 0) return false;
    }
    return true;
  }

 private:
  std::vector<std::unique_ptr<Node>> nodes_;
};

}  // namespace sail
