#pragma once

#include <expected>
#include <stdexcept>
#include <system_error>

namespace eddy::test {

/// What a scenario throws that finds itself to be wrong. No tool takes it for an allocation that has failed.
inline void require(bool holds, const char* what) {
    if (!holds)
        throw std::logic_error(what);
}

/// The same if an outcome is not that error. Memory that is out is another error, and no finding by itself.
template <class T>
void require_error(const std::expected<T, std::error_code>& outcome, std::errc wanted, const char* what) {
    if (!outcome && outcome.error() == std::errc::not_enough_memory)
        throw std::system_error(outcome.error());
    require(!outcome && outcome.error() == wanted, what);
}

}  // namespace eddy::test
