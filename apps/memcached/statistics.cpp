#include "memcached/statistics.hpp"

#include "memcached/command_parser.hpp"
#include "memcached/version.hpp"
#include "memcached/words.hpp"

#include <chrono>
#include <concepts>
#include <filesystem>
#include <system_error>

namespace eddy::apps::memcached {

namespace {

void tell_value(answer& out, std::string_view value) {
    out.append(value);
}
template <std::integral Number>
void tell_value(answer& out, Number value) {
    out.append(value);
}

template <class Value>
void tell_one(answer& out, std::string_view name, const Value& value) {
    out.append("STAT ");
    out.append(name);
    out.append(' ');
    tell_value(out, value);
    out.append(item::line_end);
}

template <class Value>
void tell_of(answer& out, std::string_view prefix, unsigned number, std::string_view name,
             const Value& value) {
    out.append("STAT ");
    out.append(prefix);
    out.append(number);
    out.append(':');
    out.append(name);
    out.append(' ');
    tell_value(out, value);
    out.append(item::line_end);
}

// The number of this process, as text.
std::string process_number() {
    std::error_code ignored;
    return std::filesystem::read_symlink("/proc/self", ignored).filename().string();
}

}  // namespace

void statistics::tell(answer& out, std::string_view asked, moment now, std::uint32_t verbosity) {
    const std::string_view word = take_word(asked);
    if (word == "reset") {
        reset();
        return out.append("RESET\r\n");
    }
    if (word.empty())
        tell_general(out, now);
    else if (word == "settings")
        tell_settings(out, verbosity);
    else if (word == "items")
        tell_items(out, now);
    else if (word == "slabs")
        tell_slabs(out);
    else
        return out.append(answers::error);
    out.append(answers::end);
}

std::uint64_t statistics::connections() const noexcept {
    return sum(count::total_connections) - sum(count::closed_connections);
}

void statistics::tell_general(answer& out, moment now) {
    const std::lock_guard held(mutex_);
    const store_figures figures = figures_since_reset();
    const auto wall = std::chrono::system_clock::now().time_since_epoch();
    tell_one(out, "pid", std::string_view(process_number()));
    tell_one(out, "uptime", now.seconds() - 1);
    tell_one(out, "time", std::chrono::duration_cast<std::chrono::seconds>(wall).count());
    tell_one(out, "version", told_version);
    tell_one(out, "pointer_size", sizeof(void*) * 8);
    tell_one(out, "max_connections", settings_.connections_max);
    tell_one(out, "curr_connections", connections());
    for (std::size_t index = 0; index < count_names.size(); ++index)
        tell_one(out, count_names[index], sum(static_cast<count>(index)) - counted_before_[index]);
    tell_one(out, "limit_maxbytes", store_.memory_bytes());
    tell_one(out, "threads", settings_.workers);
    tell_one(out, "hash_bytes", figures.table_bytes);
    tell_one(out, "bytes", figures.item_bytes);
    tell_one(out, "curr_items", figures.items);
    tell_one(out, "total_items", figures.items_stored);
    tell_one(out, "expired_unfetched", figures.expired_unfetched);
    tell_one(out, "evicted_unfetched", figures.evicted_unfetched);
    tell_one(out, "evictions", figures.evictions);
    tell_one(out, "reclaimed", figures.expired);
}

void statistics::tell_settings(answer& out, std::uint32_t verbosity) const {
    tell_one(out, "maxbytes", store_.memory_bytes());
    tell_one(out, "maxconns", settings_.connections_max);
    tell_one(out, "tcpport", settings_.port);
    tell_one(out, "udpport", 0);
    tell_one(out, "inter", std::string_view(settings_.address));
    tell_one(out, "domain_socket",
             settings_.unix_path.empty() ? std::string_view("NULL") : std::string_view(settings_.unix_path));
    tell_one(out, "verbosity", verbosity);
    tell_one(out, "evictions", std::string_view("on"));
    tell_one(out, "num_threads", settings_.workers);
    tell_one(out, "cas_enabled", std::string_view("yes"));
    tell_one(out, "item_size_max", store_.value_bytes_max());
    tell_one(out, "maxconns_fast", std::string_view("yes"));
    tell_one(out, "flush_enabled", std::string_view("yes"));
    tell_one(out, "line_size_max", settings_.line_bytes_max);
    tell_one(out, "shards", store_.shards());
    tell_one(out, "backend", std::string_view(settings_.backend));
}

void statistics::tell_items(answer& out, moment now) {
    const std::lock_guard held(mutex_);
    const store_figures figures = figures_since_reset();
    for (unsigned number = 1; number < size_class::count; ++number) {
        const class_figures& told = figures.classes[number];
        if (told.items == 0)
            continue;
        constexpr std::string_view prefix = "items:";
        tell_of(out, prefix, number, "number", told.items);
        tell_of(out, prefix, number, "age",
                told.oldest_access_s == 0 ? 0 : now.seconds() - told.oldest_access_s);
        tell_of(out, prefix, number, "mem_requested", told.block_bytes);
        tell_of(out, prefix, number, "evicted", told.evicted);
        tell_of(out, prefix, number, "outofmemory", told.out_of_memory);
    }
}

void statistics::tell_slabs(answer& out) {
    const std::lock_guard held(mutex_);
    const store_figures figures = figures_since_reset();
    unsigned active = 0;
    for (unsigned number = 1; number < size_class::count; ++number) {
        const class_figures& told = figures.classes[number];
        if (told.items == 0)
            continue;
        ++active;
        tell_of(out, {}, number, "chunk_size", size_class::bytes_max(number));
        tell_of(out, {}, number, "used_chunks", told.items);
        tell_of(out, {}, number, "mem_requested", told.block_bytes);
    }
    tell_one(out, "active_slabs", active);
    tell_one(out, "total_malloced", store_.memory_bytes());
}

void statistics::reset() {
    const std::lock_guard held(mutex_);
    for (std::size_t index = 0; index < counted_before_.size(); ++index)
        counted_before_[index] = sum(static_cast<count>(index));
    figures_before_ = store_.figures();
}

std::uint64_t statistics::sum(count what) const noexcept {
    std::uint64_t total = 0;
    for (const counters& each : counted_)
        total += each.value(what);
    return total;
}

store_figures statistics::figures_since_reset() {
    store_figures figures = store_.figures();
    figures.items_stored -= figures_before_.items_stored;
    figures.evictions -= figures_before_.evictions;
    figures.evicted_unfetched -= figures_before_.evicted_unfetched;
    figures.expired -= figures_before_.expired;
    figures.expired_unfetched -= figures_before_.expired_unfetched;
    for (unsigned number = 0; number < size_class::count; ++number) {
        figures.classes[number].evicted -= figures_before_.classes[number].evicted;
        figures.classes[number].out_of_memory -= figures_before_.classes[number].out_of_memory;
    }
    return figures;
}

}  // namespace eddy::apps::memcached
