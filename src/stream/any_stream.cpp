#include <eddy/stream/any_stream.hpp>

namespace eddy::detail {

task<buffer_lease> read_into_lease(erased_stream& source) {
    constexpr std::size_t bytes_max = 16'384;
    auto memory = std::make_unique_for_overwrite<std::byte[]>(bytes_max);
    erased_operation<std::size_t, std::span<std::byte>> reading(
        source, stream_operation::read, &erased_stream::read, std::span(memory.get(), bytes_max));
    const std::size_t count = co_await reading;
    co_return buffer_lease(std::move(memory), 0, static_cast<std::uint32_t>(count));
}

}  // namespace eddy::detail
