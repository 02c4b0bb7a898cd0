// Replies are the same however the bytes are cut, stay within the limits, and convert or say why not. The
// first byte says how the rest is cut.

#include "check.hpp"

#include <eddy/integrations/redis/detail/reply_reader.hpp>
#include <eddy/integrations/redis/reply.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace {

namespace redis = eddy::redis;

constexpr std::size_t elements_max = 1000;
constexpr std::size_t nesting_max = 5;

/// All replies up to the first error, and that.
std::pair<std::vector<redis::reply>, std::error_code> read(std::span<const std::byte> bytes,
                                                           std::size_t step) {
    redis::reply_reader reader(redis::reply_limits().elements_max(elements_max).nesting_max(nesting_max));
    std::vector<redis::reply> got;
    try {
        while (!bytes.empty()) {
            const std::size_t count = std::min(step, bytes.size());
            reader.feed(bytes.first(count));
            bytes = bytes.subspan(count);
            while (auto next = reader.next())
                got.push_back(*std::move(next));
        }
    } catch (const std::system_error& error) {
        return {std::move(got), error.code()};
    }
    return {std::move(got), {}};
}

std::size_t check_size(const redis::reply& given, std::size_t depth) {
    if (!given.is_array())
        return 0;
    EDDY_FUZZ_CHECK(depth < nesting_max);
    std::size_t sum = given.elements().size();
    for (const redis::reply& each : given.elements())
        sum += check_size(each, depth + 1);
    return sum;
}

template <class T>
void convert(const redis::reply& given) {
    try {
        static_cast<void>(given.as<T>());
    } catch (const redis::error&) {
    } catch (const std::system_error& error) {
        EDDY_FUZZ_CHECK(error.code() == redis::client_error::wrong_type);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0)
        return 0;
    const auto bytes = std::as_bytes(std::span(data, size)).subspan(1);
    const auto whole = read(bytes, bytes.size() + 1);
    const auto pieces = read(bytes, std::size_t{1} + data[0] % 16);
    EDDY_FUZZ_CHECK(whole == pieces);
    for (const redis::reply& each : whole.first) {
        EDDY_FUZZ_CHECK(check_size(each, 0) <= elements_max);
        convert<int>(each);
        convert<double>(each);
        convert<bool>(each);
        convert<std::string>(each);
        convert<std::optional<std::vector<std::string>>>(each);
        convert<std::map<std::string, std::string>>(each);
        convert<std::vector<std::pair<int, redis::reply>>>(each);
    }
    return 0;
}
