#pragma once

// A program that links a library built in another way than itself, so that types of the same name differ in
// the two, does not link: it lacks a definition of eddy::detail::built_with<...>::is_so, whose arguments say
// how the library would have to be built. <eddy/detail/build.hpp> includes this.

#include <eddy/detail/build.hpp>

#include <version>

namespace eddy::detail {

struct libstdcxx;
struct libstdcxx_with_GLIBCXX_DEBUG;
struct libcxx;
struct no_sanitizer;
struct a_sanitizer;  // EDDY_SANITIZE of CMake

#if defined(_GLIBCXX_DEBUG)
using standard_library_used = libstdcxx_with_GLIBCXX_DEBUG;
#elif defined(_LIBCPP_VERSION)
using standard_library_used = libcxx;
#else
using standard_library_used = libstdcxx;
#endif

#if EDDY_SANITIZED
using sanitizer_used = a_sanitizer;
#else
using sanitizer_used = no_sanitizer;
#endif

template <class StandardLibrary, class Sanitizer>
struct built_with {
    static const bool is_so;  // defined in the library, for its own way alone
};

template <>
const bool built_with<standard_library_used, sanitizer_used>::is_so;

// Of every source file its own: one that is built in another way must not be passed over.
[[gnu::used]] static const bool* const library_must_be_built_alike =
    &built_with<standard_library_used, sanitizer_used>::is_so;

}  // namespace eddy::detail
