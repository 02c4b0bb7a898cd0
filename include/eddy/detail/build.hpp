#pragma once

// What the library needs to know of the compiler that builds it or its users. Every header includes this one.

#if __cplusplus < 202100L
#error "eddy needs C++23: compile with -std=c++23, or link eddy's CMake targets, which ask for it"
#endif

// Frames and buffers must not be recycled behind a sanitizer's back.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define EDDY_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define EDDY_SANITIZED 1
#endif
#endif
#ifndef EDDY_SANITIZED
#define EDDY_SANITIZED 0
#endif

// Whether ThreadSanitizer looks on.
#if defined(__SANITIZE_THREAD__)
#define EDDY_THREAD_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define EDDY_THREAD_SANITIZED 1
#endif
#endif
#ifndef EDDY_THREAD_SANITIZED
#define EDDY_THREAD_SANITIZED 0
#endif

// For an inline function that is rarely called from one that is often: it saves the registers itself, so that
// the caller, on its usual way, need not. What is compiled in the library cannot be called so, since only
// clang can do it; the tag keeps clang's functions apart from those of another compiler in the same program.
#if defined(__clang__) && defined(__x86_64__)
#define EDDY_RARELY_CALLED [[gnu::noinline, gnu::cold, clang::preserve_most, gnu::abi_tag("preserve_most")]]
#else
#define EDDY_RARELY_CALLED [[gnu::noinline, gnu::cold]]
#endif

// clang makes symmetric transfer a tail call at every optimisation level and under every sanitizer. g++ does
// so only with -foptimize-sibling-calls and without sanitizers, which a header cannot see, so there a
// trampoline does it.
#if defined(__clang__)
#define EDDY_SYMMETRIC_TRANSFER 1
#else
#define EDDY_SYMMETRIC_TRANSFER 0
#endif

#include <eddy/detail/built_with.hpp>
