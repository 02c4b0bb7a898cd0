// Arrays and values in PostgreSQL's text form convert or are refused, and what was read is read the same from
// what is written of it.

#include "check.hpp"

#include <eddy/integrations/pq/array.hpp>
#include <eddy/integrations/pq/converter.hpp>
#include <eddy/integrations/pq/types.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace pq = eddy::pq;

template <class T>
void convert(std::string_view text) {
    const auto read = pq::converter<T>::from_text(text);
    if (!read)
        return;
    std::string written;
    pq::converter<T>::to_text(*read, written);
    const auto again = pq::converter<T>::from_text(written);
    EDDY_FUZZ_CHECK(again.has_value());
    std::string rewritten;
    pq::converter<T>::to_text(*again, rewritten);
    EDDY_FUZZ_CHECK(written == rewritten);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    convert<bool>(text);
    convert<int>(text);
    convert<std::uint64_t>(text);
    convert<double>(text);
    convert<std::string>(text);
    convert<pq::numeric>(text);
    convert<pq::timestamp>(text);
    convert<std::chrono::sys_days>(text);
    convert<pq::bytea>(text);
    convert<std::vector<std::string>>(text);
    convert<std::vector<std::optional<std::string>>>(text);
    convert<std::vector<std::optional<int>>>(text);
    convert<std::vector<std::vector<std::string>>>(text);
    convert<std::vector<pq::timestamp>>(text);
    return 0;
}
