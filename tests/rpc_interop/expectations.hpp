#pragma once

#include <eddy/core/task.hpp>
#include <eddy/rpc/status.hpp>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace eddy::interop {

inline void expect(bool holds, const char* otherwise) {
    if (!holds)
        throw std::runtime_error(otherwise);
}

inline void expect_equal(int found, int expected, const std::string& what) {
    if (found != expected)
        throw std::runtime_error(what + " is " + std::to_string(found) + ", expected " +
                                 std::to_string(expected));
}

inline void expect_zeros(std::string_view body, int bytes) {
    expect_equal(static_cast<int>(body.size()), bytes, "the size of a payload");
    expect(std::ranges::count(body, '\0') == bytes, "a payload with other bytes than zeros");
}

/// What a call ends with.
template <class Result>
task<rpc::status> status_of(task<Result> call) {
    try {
        co_await std::move(call);
    } catch (const rpc::error& failure) {
        co_return failure.status();
    }
    co_return rpc::status();
}

inline void expect_status(const rpc::status& found, const rpc::status& expected) {
    if (found.code() == expected.code() && found.message() == expected.message())
        return;
    throw std::runtime_error(
        "the call ended with " + std::string(rpc::to_string(found.code())) + " \"" + found.message() +
        "\", expected " + std::string(rpc::to_string(expected.code())) + " \"" + expected.message() + "\"");
}

inline void expect_code(const rpc::status& found, rpc::status_code expected) {
    expect_status(found, rpc::status(expected, found.message()));
}

}  // namespace eddy::interop
