#include "explore/fiber.hpp"

#include "explore/sanitizers.hpp"

#include <cstdint>
#include <cstring>
#include <cxxabi.h>
#include <new>
#include <sys/mman.h>
#include <utility>
#include <vector>

namespace eddy::explore {

namespace {

constexpr std::size_t stack_size = std::size_t{512} * 1024;

}  // namespace

fiber::fiber() {
#ifdef EXPLORE_TSAN
    sanitizer_fiber_ = __tsan_get_current_fiber();
#endif
}

fiber::fiber(entry_function entry, void* argument)
    : stack_size_(stack_size), entry_(entry), argument_(argument) {
    stack_ = ::mmap(nullptr, stack_size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                    -1, 0);
    if (stack_ == MAP_FAILED)
        throw std::bad_alloc();
    ::getcontext(&context_);
    context_.uc_stack.ss_sp = stack_;
    context_.uc_stack.ss_size = stack_size_;
    const auto self = reinterpret_cast<std::uintptr_t>(this);
    // makecontext() hands on integers only.
    ::makecontext(&context_, reinterpret_cast<void (*)()>(&start), 2, static_cast<unsigned>(self >> 32),
                  static_cast<unsigned>(self));
    // AddressSanitizer would forget what it knows of the stack at each switch.
    context_.uc_stack.ss_size = 0;
#ifdef EXPLORE_TSAN
    sanitizer_fiber_ = __tsan_create_fiber(0);
#endif
}

fiber::~fiber() {
    if (entry_ == nullptr)
        return;
#ifdef EXPLORE_TSAN
    __tsan_destroy_fiber(sanitizer_fiber_);
#endif
#ifdef EXPLORE_ASAN
    // The memory may be another owner's next, and frames that were left for good have marked it.
    __asan_unpoison_memory_region(stack_, stack_size_);
#endif
    ::munmap(stack_, stack_size_);
}

void fiber::abandon(std::unique_ptr<fiber> left) {
    static std::vector<std::unique_ptr<fiber>>& abandoned = *new std::vector<std::unique_ptr<fiber>>;
#ifdef EXPLORE_ASAN
    __lsan_register_root_region(left->stack_, left->stack_size_);
#endif
    abandoned.push_back(std::move(left));
}

void fiber::start(unsigned high, unsigned low) {
    fiber& self = *reinterpret_cast<fiber*>((static_cast<std::uintptr_t>(high) << 32) | low);
    self.finish_switch();
    self.entry_(self.argument_);
}

void fiber::switch_to(fiber& next) noexcept {
    next.from_ = this;
    void* const globals = abi::__cxa_get_globals();
    std::memcpy(caught_.data(), globals, caught_.size());
    std::memcpy(globals, next.caught_.data(), caught_.size());
#ifdef EXPLORE_ASAN
    __sanitizer_start_switch_fiber(&fake_stack_, next.stack_, next.stack_size_);
#endif
    swap(next);
    finish_switch();
}

// ThreadSanitizer wants no thread to end that is not seen, so each is seen while it does not run.
EXPLORE_UNSEEN void fiber::swap(fiber& next) noexcept {
#ifdef EXPLORE_TSAN
    unseen::end();
    __tsan_switch_to_fiber(next.sanitizer_fiber_, __tsan_switch_to_fiber_no_sync);
#endif
    ::swapcontext(&context_, &next.context_);
#ifdef EXPLORE_TSAN
    unseen::begin();
#endif
}

void fiber::finish_switch() noexcept {
#ifdef EXPLORE_ASAN
    const void* bottom = nullptr;
    std::size_t size = 0;
    __sanitizer_finish_switch_fiber(std::exchange(fake_stack_, nullptr), &bottom, &size);
    // The thread's own stack is known since it was left first.
    if (from_->stack_ == nullptr) {
        from_->stack_ = const_cast<void*>(bottom);
        from_->stack_size_ = size;
    }
#endif
}

}  // namespace eddy::explore
