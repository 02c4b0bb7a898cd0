#include "support/test.hpp"

#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <utility>

namespace course {

namespace {

constinit thread_local std::size_t allocations_of_thread = 0;

std::string& suspicion() {
    static std::string text;
    return text;
}

}  // namespace

void note_suspicion(std::string explanation) {
    suspicion() = std::move(explanation);
}

void print_suspicion() {
    std::fputs(suspicion().c_str(), stdout);
    std::fflush(stdout);
}

std::size_t allocations() noexcept {
    return allocations_of_thread;
}

void* counted_allocation(std::size_t size) {
    ++allocations_of_thread;
    if (void* at = std::malloc(size))
        return at;
    throw std::bad_alloc();
}

}  // namespace course

#if !defined(COURSE_COUNTS_ALLOCATIONS) || COURSE_COUNTS_ALLOCATIONS
void* operator new(std::size_t size) {
    return course::counted_allocation(size);
}
void* operator new[](std::size_t size) {
    return course::counted_allocation(size);
}
void operator delete(void* at) noexcept {
    std::free(at);
}
void operator delete(void* at, std::size_t) noexcept {
    std::free(at);
}
void operator delete[](void* at) noexcept {
    std::free(at);
}
void operator delete[](void* at, std::size_t) noexcept {
    std::free(at);
}
#endif
