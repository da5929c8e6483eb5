#include "no_alloc/counting.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <vector>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
#define SINEW_COUNT_MALLOC 0
#else
#define SINEW_COUNT_MALLOC 1
#endif

namespace {

std::atomic<bool> counting{false};
std::atomic<std::size_t> allocations{0};

void note() {
  if (counting.load(std::memory_order_relaxed)) allocations.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

#if SINEW_COUNT_MALLOC

// operator new of the standard library ends here as well. glibc keeps its own functions under these names.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  note();
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  note();
  return __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) {
  note();
  return __libc_realloc(memory, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  note();
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  note();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  note();
  *memory = __libc_memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}
}

#else

namespace {

void* allocate(std::size_t size, std::size_t alignment) {
  note();
  void* memory = nullptr;
  if (posix_memalign(&memory, alignment < sizeof(void*) ? sizeof(void*) : alignment, size ? size : 1) != 0)
    return nullptr;
  return memory;
}

void* allocate_or_throw(std::size_t size, std::size_t alignment = __STDCPP_DEFAULT_NEW_ALIGNMENT__) {
  void* memory = allocate(size, alignment);
  if (!memory) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) { return allocate_or_throw(size); }
void* operator new[](std::size_t size) { return allocate_or_throw(size); }
void* operator new(std::size_t size, std::align_val_t a) { return allocate_or_throw(size, std::size_t(a)); }
void* operator new[](std::size_t size, std::align_val_t a) { return allocate_or_throw(size, std::size_t(a)); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return allocate(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return allocate(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
}
void* operator new(std::size_t size, std::align_val_t a, const std::nothrow_t&) noexcept {
  return allocate(size, std::size_t(a));
}
void* operator new[](std::size_t size, std::align_val_t a, const std::nothrow_t&) noexcept {
  return allocate(size, std::size_t(a));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }

#endif

namespace sinew::test {

CountAllocations::CountAllocations() {
  allocations = 0;
  counting = true;
}
CountAllocations::~CountAllocations() { counting = false; }
std::size_t CountAllocations::count() const { return allocations; }

namespace {

struct alignas(64) Wide {
  char bytes[64];
};

/// Keeps the compiler from leaving an allocation out.
void use(void* memory) { asm volatile("" : : "g"(memory) : "memory"); }

// The counter must be able to count: each way to allocate is one witness.
TEST(CountAllocations, SeesEveryWayToAllocate) {
  const CountAllocations allocated;
  std::size_t expected = 0;
  const auto witness = [&](auto allocate, auto release) {
    auto* memory = allocate();
    use(memory);
    release(memory);
    EXPECT_EQ(allocated.count(), ++expected);
  };
  const auto release = [](auto* memory) { delete memory; };
  EXPECT_EQ(allocated.count(), 0u);
  witness([] { return new int; }, release);
  witness([] { return new (std::nothrow) int; }, release);
  witness([] { return new Wide; }, release);
  witness([] { return new (std::nothrow) Wide; }, release);
  witness([] { return new int[3]; }, [](int* memory) { delete[] memory; });
  witness([] { return new Wide[3]; }, [](Wide* memory) { delete[] memory; });
  witness([] { return new (std::nothrow) int[3]; }, [](int* memory) { delete[] memory; });
#if SINEW_COUNT_MALLOC
  witness([] { return std::malloc(8); }, std::free);
  witness([] { return std::calloc(2, 8); }, std::free);
  witness([] { return std::aligned_alloc(64, 64); }, std::free);
#endif
  const std::string text(100, 'x');
  EXPECT_EQ(allocated.count(), ++expected);
  const std::vector<int> values(100);
  EXPECT_EQ(allocated.count(), ++expected);
}

TEST(CountAllocations, StopsWithTheScope) {
  { const CountAllocations allocated; }
  use(std::make_unique<int>(3).get());
  const CountAllocations allocated;
  EXPECT_EQ(allocated.count(), 0u);
}

}  // namespace
}  // namespace sinew::test
