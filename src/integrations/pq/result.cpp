#include <eddy/integrations/pq/error.hpp>
#include <eddy/integrations/pq/result.hpp>

#include <charconv>
#include <libpq-fe.h>
#include <string>

namespace eddy::pq {

void detail::throw_row_count(std::size_t count, const char* wanted) {
    throw error(errc::wrong_row_count, std::to_string(count) + " rows where " + wanted + " was requested");
}

std::size_t result::size() const noexcept {
    return static_cast<std::size_t>(PQntuples(answer_.get()));
}

std::size_t result::column_count() const noexcept {
    return static_cast<std::size_t>(PQnfields(answer_.get()));
}

std::string_view result::column_name(std::size_t column) const noexcept {
    return PQfname(answer_.get(), static_cast<int>(column));
}

std::uint32_t result::column_type(std::size_t column) const noexcept {
    return PQftype(answer_.get(), static_cast<int>(column));
}

std::uint64_t result::affected_rows() const noexcept {
    // libpq does not change the result here, but takes it without const.
    const std::string_view text = PQcmdTuples(const_cast<PGresult*>(answer_.get()));
    std::uint64_t count = 0;
    std::from_chars(text.data(), text.data() + text.size(), count);
    return count;
}

}  // namespace eddy::pq
