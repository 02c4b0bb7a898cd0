#include <eddy/core/detail/frame_cache.hpp>
#include <eddy/io/host.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/worker.hpp>
#include <eddy/testing/resource_snapshot.hpp>

#include <array>
#include <string_view>

namespace eddy::testing {

namespace {

struct entry {
    std::string_view name;
    std::int64_t count;
};

std::array<entry, 10> entries_of(const resource_snapshot& counted) noexcept {
    const auto entry_of = [](std::string_view name, auto count) {
        return entry{name, static_cast<std::int64_t>(count)};
    };
    return {entry_of("frames", counted.frames),
            entry_of("ready jobs", counted.ready),
            entry_of("detached jobs", counted.detached),
            entry_of("timers", counted.timers),
            entry_of("operations", counted.operations),
            entry_of("receive buffers", counted.buffers),
            entry_of("offloaded calls", counted.offloaded),
            entry_of("messages", counted.messages),
            entry_of("connections", counted.connections),
            entry_of("descriptors", counted.descriptors)};
}

void append(std::string& list, const std::string& item) {
    list += list.empty() ? item : ", " + item;
}

}  // namespace

resource_snapshot resource_snapshot::take() {
    eddy::detail::worker_core& here = eddy::detail::worker_core::current();
    const io::buffer_pool& buffers = here.backend().buffers();
    resource_snapshot counted;
    counted.frames = detail::frame_cache::live_blocks();
    counted.ready = here.loop().count_ready();
    counted.detached = here.loop().count_detached();
    counted.timers = here.timers().count_armed();
    counted.operations = here.backend().count_under_way();
    counted.buffers = buffers.buffers() - buffers.available();
    counted.offloaded = here.owner().offload_threads().count_under_way();
    counted.messages = here.count_messages();
    counted.connections = here.connections().value();
    counted.descriptors = io::count_open_descriptors();
    return counted;
}

resource_snapshot& resource_snapshot::operator+=(const resource_snapshot& other) noexcept {
    frames += other.frames;
    ready += other.ready;
    detached += other.detached;
    timers += other.timers;
    operations += other.operations;
    buffers += other.buffers;
    messages += other.messages;
    connections += other.connections;
    return *this;
}

std::string resource_snapshot::to_string() const {
    std::string text;
    for (const auto& [name, count] : entries_of(*this))
        if (count != 0)
            append(text, std::string(name) + " " + std::to_string(count));
    return text.empty() ? "nothing" : text;
}

std::string difference(const resource_snapshot& before, const resource_snapshot& after) {
    const auto old_entries = entries_of(before);
    const auto new_entries = entries_of(after);
    std::string text;
    for (std::size_t at = 0; at < old_entries.size(); ++at) {
        const std::int64_t more = new_entries[at].count - old_entries[at].count;
        if (more != 0)
            append(text, std::string(old_entries[at].name) + (more > 0 ? " +" : " ") + std::to_string(more));
    }
    return text;
}

}  // namespace eddy::testing
