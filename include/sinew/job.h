// What every job is made of: In, Out, Required (parameters that cannot be forgotten), and the contract handler (assert).
#pragma once

#include <concepts>
#include <cstddef>
#include <ranges>
#include <span>
#include <type_traits>

namespace sinew {

/// A required input: a non-null pointer made from an lvalue. Without a default constructor, so that a job that
/// lacks it does not compile; from a temporary deleted, so that it cannot dangle at once. Copies and assigns.
template <class T>
class In {
 public:
  In(const T& value) : pointer_(&value) {}
  In(const T&&) = delete;
  const T& operator*() const { return *pointer_; }
  const T* operator->() const { return pointer_; }

 private:
  const T* pointer_;
};

/// A required output: as `In`, written through.
template <class T>
class Out {
 public:
  Out(T& value) : pointer_(&value) {}
  T& operator*() const { return *pointer_; }
  T* operator->() const { return pointer_; }

 private:
  T* pointer_;
};

/// A required buffer: a span without a default constructor, made from a span or from an array, vector or other
/// contiguous range that outlives the expression.
template <class T>
class Required {
 public:
  template <class R>
  requires(!std::same_as<std::remove_cvref_t<R>, Required> && std::constructible_from<std::span<T>, R> &&
           (std::is_lvalue_reference_v<R> || std::ranges::borrowed_range<R>)) Required(R&& range)
      : span_(range) {}
  operator std::span<T>() const { return span_; }
  T* data() const { return span_.data(); }
  std::size_t size() const { return span_.size(); }
  T& operator[](std::size_t i) const { return span_[i]; }
  T* begin() const { return span_.data(); }
  T* end() const { return span_.data() + span_.size(); }

 private:
  std::span<T> span_;
};

/// Called when the program breaks a job's contract: a buffer too small, a pose of another skeleton. These
/// checks are O(1) a call and stay on in release builds. `message` names the job, the field and the numbers.
/// The default handler prints it and aborts. A handler that returns makes the job return without writing.
using ContractHandler = void (*)(const char* message);
/// Replaces the handler (null: the default) and returns the one before. May be called from any thread.
ContractHandler set_contract_handler(ContractHandler handler);

}  // namespace sinew
