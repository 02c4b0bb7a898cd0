#pragma once

#include <eddy/integrations/pq/row.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy::pq {

namespace detail {
[[noreturn]] void throw_row_count(std::size_t count, const char* wanted);
}  // namespace detail

/// What the server has answered to a command: rows, or how many it concerned.
///
/// - Ownership: shares libpq's result, which never changes; rows and texts live as long as a copy does.
/// - Thread safety: that of a std::shared_ptr<const T>.
/// - Errors: pq::error with wrong_columns, wrong_type, unexpected_null or wrong_row_count.
class result {
public:
    class iterator;

    /// Without rows and columns.
    result() noexcept = default;
    /// Takes over a result of libpq's.
    explicit result(std::shared_ptr<const pg_result> answer) noexcept : answer_(std::move(answer)) {}

    /// How many rows.
    [[nodiscard]] std::size_t size() const noexcept;
    /// Whether there is no row.
    [[nodiscard]] bool empty() const noexcept { return size() == 0; }
    /// The number of columns.
    [[nodiscard]] std::size_t column_count() const noexcept;
    /// Requires: there is such a column.
    [[nodiscard]] std::string_view column_name(std::size_t column) const noexcept;
    /// The type's number in the server's pg_type. Requires: there is such a column.
    [[nodiscard]] std::uint32_t column_type(std::size_t column) const noexcept;
    /// How many rows an INSERT, UPDATE, DELETE, MERGE, SELECT, COPY ... concerned; 0 for other commands.
    [[nodiscard]] std::uint64_t affected_rows() const noexcept;

    /// Requires: there is such a row.
    [[nodiscard]] row operator[](std::size_t number) const noexcept { return {*answer_, number}; }
    [[nodiscard]] iterator begin() const noexcept;
    [[nodiscard]] iterator end() const noexcept;

    /// All rows: `answer.as<std::tuple<int, std::string>>()`.
    template <row_type T>
    [[nodiscard]] std::vector<T> as() const {
        std::vector<T> values;
        if (empty())
            return values;
        values.reserve(size());
        const row_reader<T> reader((*this)[0]);
        for (std::size_t number = 0; number < size(); ++number)
            values.push_back(reader.read((*this)[number]));
        return values;
    }
    /// The only row.
    template <row_type T>
    [[nodiscard]] T one() const {
        if (size() != 1)
            detail::throw_row_count(size(), "one");
        return (*this)[0].template as<T>();
    }
    /// The only row, or nothing where there is none.
    template <row_type T>
    [[nodiscard]] std::optional<T> one_or_none() const {
        if (empty())
            return std::nullopt;
        return one<T>();
    }

private:
    std::shared_ptr<const pg_result> answer_;
};

class result::iterator {
public:
    using value_type = row;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    /// None: rows are made when they are looked at.
    using pointer = void;
    using reference = row;

    iterator(const result& of, std::size_t number) noexcept : of_(&of), number_(number) {}
    row operator*() const noexcept { return (*of_)[number_]; }
    iterator& operator++() noexcept {
        ++number_;
        return *this;
    }
    iterator operator++(int) noexcept {
        iterator before = *this;
        ++number_;
        return before;
    }
    friend bool operator==(const iterator& left, const iterator& right) noexcept {
        return left.number_ == right.number_;
    }

private:
    const result* of_;
    std::size_t number_;
};

inline result::iterator result::begin() const noexcept {
    return {*this, 0};
}
inline result::iterator result::end() const noexcept {
    return {*this, size()};
}

}  // namespace eddy::pq
