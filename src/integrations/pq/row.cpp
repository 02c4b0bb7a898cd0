#include <eddy/integrations/pq/error.hpp>
#include <eddy/integrations/pq/row.hpp>

#include <libpq-fe.h>
#include <string>

namespace eddy::pq {

namespace {

constexpr std::size_t quoted_size_max = 64;

std::string name_of(const pg_result& answer, std::size_t column) {
    const char* const name = PQfname(&answer, static_cast<int>(column));
    return "column " + std::to_string(column + 1) + " (" + (name == nullptr ? "?" : name) + ")";
}

}  // namespace

void detail::throw_wrong_type(const pg_result& answer, std::size_t number, std::size_t column,
                              const char* wanted) {
    const std::string_view text = row(answer, number).text(column);
    throw error(errc::wrong_type, name_of(answer, column) + " holds '" +
                                      std::string(text.substr(0, quoted_size_max)) + "', which is not " +
                                      wanted);
}

void detail::throw_unexpected_null(const pg_result& answer, std::size_t column) {
    throw error(errc::unexpected_null, name_of(answer, column) + " is NULL: ask for a std::optional");
}

char detail::array_delimiter_of(const pg_result& answer, std::size_t column) noexcept {
    constexpr Oid array_of_boxes = 1020;
    return PQftype(&answer, static_cast<int>(column)) == array_of_boxes ? ';' : ',';
}

void row::require_size(std::size_t wanted) const {
    if (size() != wanted)
        throw error(errc::wrong_columns,
                    "the answer has " + std::to_string(size()) + " columns, not " + std::to_string(wanted));
}

std::size_t row::size() const noexcept {
    return static_cast<std::size_t>(PQnfields(answer_));
}

bool row::is_null(std::size_t column) const noexcept {
    return PQgetisnull(answer_, static_cast<int>(number_), static_cast<int>(column)) != 0;
}

std::string_view row::text(std::size_t column) const noexcept {
    const int at_row = static_cast<int>(number_);
    const int at_column = static_cast<int>(column);
    return {PQgetvalue(answer_, at_row, at_column),
            static_cast<std::size_t>(PQgetlength(answer_, at_row, at_column))};
}

std::size_t row::index_of(std::string_view name) const {
    for (std::size_t column = 0; column < size(); ++column) {
        if (name == PQfname(answer_, static_cast<int>(column)))
            return column;
    }
    throw error(errc::wrong_columns, "the answer has no column '" + std::string(name) + "'");
}

}  // namespace eddy::pq
