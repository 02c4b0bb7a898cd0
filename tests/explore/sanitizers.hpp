#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define EXPLORE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define EXPLORE_ASAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define EXPLORE_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define EXPLORE_TSAN 1
#endif
#endif

#ifdef EXPLORE_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#include <sanitizer/lsan_interface.h>
#endif

#ifdef EXPLORE_TSAN
#define EXPLORE_UNSEEN [[gnu::no_sanitize("thread")]]
#else
#define EXPLORE_UNSEEN
#endif

#ifdef EXPLORE_TSAN
#include <sanitizer/common_interface_defs.h>
#include <sanitizer/tsan_interface.h>

extern "C" {
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
void AnnotateIgnoreWritesBegin(const char* file, int line);
void AnnotateIgnoreWritesEnd(const char* file, int line);
}
#endif

namespace eddy::explore {

/// While it lives, ThreadSanitizer does not look: the explorer's own memory is shared by all fibers.
class [[maybe_unused]] unseen {
public:
#ifdef EXPLORE_TSAN
    unseen() noexcept { begin(); }
    ~unseen() { end(); }
    static void begin() noexcept {
        AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
        AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    }
    static void end() noexcept {
        AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
        AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
    }
    /// What happened before a publish() happens before what follows an adopt().
    static void publish(void* mark) noexcept { __tsan_release(mark); }
    static void adopt(void* mark) noexcept { __tsan_acquire(mark); }
#else
    unseen() noexcept {}
    ~unseen() {}
    static void begin() noexcept {}
    static void end() noexcept {}
    static void publish(void*) noexcept {}
    static void adopt(void*) noexcept {}
#endif
    unseen(const unseen&) = delete;
    unseen& operator=(const unseen&) = delete;
};

}  // namespace eddy::explore
