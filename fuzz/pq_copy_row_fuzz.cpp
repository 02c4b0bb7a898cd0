// Rows in COPY's text form are read to their end, and columns that were written are read again as they were.

#include "check.hpp"

#include <eddy/integrations/pq/detail/copy_text.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace pq = eddy::pq;

using columns = std::vector<std::optional<std::string>>;

columns read(std::string_view text) {
    columns got;
    pq::detail::copy_row_reader row(text);
    while (row.next())
        got.push_back(row.is_null() ? std::nullopt : std::optional(row.text()));
    EDDY_FUZZ_CHECK(!row.next());
    return got;
}

std::string write(const columns& values) {
    std::string text;
    pq::detail::copy_row_writer row(text);
    for (const auto& each : values)
        row.add(each);
    row.end();
    return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const columns first = read(text);
    EDDY_FUZZ_CHECK(!first.empty());
    const std::string written = write(first);
    EDDY_FUZZ_CHECK(written.find('\n') == written.size() - 1);
    EDDY_FUZZ_CHECK(read(written) == first);

    // Any text is a column.
    const columns one = {std::string(text), std::nullopt, std::string()};
    EDDY_FUZZ_CHECK(read(write(one)) == one);
    return 0;
}
