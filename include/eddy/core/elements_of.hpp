#pragma once

#include <eddy/detail/build.hpp>

#include <utility>

namespace eddy {

/// `co_yield elements_of(x)` yields all that x has, one by one: another generator, which it takes over, or a
/// range, which must outlive the expression. What is passed as an lvalue is referred to.
template <class Range>
class [[nodiscard]] elements_of {
public:
    /// Refers to the range; does not copy it.
    explicit elements_of(Range&& range) noexcept : range_(std::forward<Range>(range)) {}

    /// The range.
    [[nodiscard]] Range&& get() const noexcept { return static_cast<Range&&>(range_); }

private:
    Range&& range_;
};

template <class Range>
elements_of(Range&&) -> elements_of<Range>;

}  // namespace eddy
