#pragma once

#include <chrono>
#include <compare>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace eddy::pq {

/// An exact number of PostgreSQL's type numeric, as the decimal string that it is: "12.50", "NaN". A value.
/// No arithmetic here, since every C++ type would round it.
class numeric {
public:
    numeric() : digits_("0") {}
    /// The server looks whether it is a number.
    explicit numeric(std::string digits) noexcept : digits_(std::move(digits)) {}

    [[nodiscard]] const std::string& to_string() const noexcept { return digits_; }

    friend bool operator==(const numeric&, const numeric&) = default;

private:
    std::string digits_;
};

/// The type of a timestamptz, to the microsecond as the server has it. "infinity" and "-infinity" are max()
/// and min().
using timestamp = std::chrono::sys_time<std::chrono::microseconds>;

/// The type of a bytea.
using bytea = std::vector<std::byte>;

}  // namespace eddy::pq
