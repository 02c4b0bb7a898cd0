#pragma once

#include <eddy/detail/build.hpp>

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

    /// As text, as the server writes it.
    [[nodiscard]] const std::string& to_string() const noexcept { return digits_; }

    friend bool operator==(const numeric&, const numeric&) = default;

private:
    std::string digits_;
};

/// The type box: a rectangle by two opposite corners, of which the server makes the upper right and the lower
/// left one. A value.
class box {
public:
    /// The first corner.
    double x1 = 0;
    /// The first corner.
    double y1 = 0;
    /// The opposite corner.
    double x2 = 0;
    /// The opposite corner.
    double y2 = 0;

    /// From two opposite corners, in any order.
    box() noexcept = default;
    box(double left, double bottom, double right, double top) noexcept
        : x1(left), y1(bottom), x2(right), y2(top) {}

    friend bool operator==(const box&, const box&) = default;
};

/// The type of a timestamptz, to the microsecond as the server has it. "infinity" and "-infinity" are max()
/// and min(), as they are of std::chrono::sys_days, the type of a date.
using timestamp = std::chrono::sys_time<std::chrono::microseconds>;

/// The type of a bytea.
using bytea = std::vector<std::byte>;

}  // namespace eddy::pq
