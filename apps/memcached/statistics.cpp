#include "memcached/statistics.hpp"

#include "memcached/command_parser.hpp"
#include "memcached/version.hpp"
#include "memcached/words.hpp"

#include <eddy/io/endpoint.hpp>

#include <array>
#include <bit>
#include <charconv>
#include <chrono>
#include <concepts>
#include <filesystem>
#include <sys/resource.h>
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

// Of memcached's own parts, which are not here.
constexpr auto absent_names = std::to_array<std::string_view>({"response_obj_oom",
                                                               "response_obj_count",
                                                               "response_obj_bytes",
                                                               "read_buf_count",
                                                               "read_buf_bytes",
                                                               "read_buf_bytes_free",
                                                               "read_buf_oom",
                                                               "reserved_fds",
                                                               "auth_cmds",
                                                               "auth_errors",
                                                               "listen_disabled_num",
                                                               "time_in_listen_disabled_us",
                                                               "conn_yields",
                                                               "hash_is_expanding",
                                                               "slab_reassign_rescues",
                                                               "slab_reassign_chunk_rescues",
                                                               "slab_reassign_evictions_nomem",
                                                               "slab_reassign_inline_reclaim",
                                                               "slab_reassign_busy_items",
                                                               "slab_reassign_busy_deletes",
                                                               "slab_reassign_running",
                                                               "slabs_moved",
                                                               "lru_crawler_running",
                                                               "lru_crawler_starts",
                                                               "lru_maintainer_juggles",
                                                               "malloc_fails",
                                                               "log_worker_dropped",
                                                               "log_worker_written",
                                                               "log_watcher_skipped",
                                                               "log_watcher_sent",
                                                               "log_watchers",
                                                               "unexpected_napi_ids",
                                                               "round_robin_fallback",
                                                               "slab_global_page_pool",
                                                               "evicted_active",
                                                               "crawler_reclaimed",
                                                               "crawler_items_checked",
                                                               "lrutail_reflocked",
                                                               "moves_to_cold",
                                                               "moves_to_warm",
                                                               "moves_within_lru",
                                                               "direct_reclaims",
                                                               "lru_bumps_dropped"});

std::string octal_text(int number) {
    std::array<char, 12> digits;
    constexpr int octal = 8;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, octal).ptr;
    return {digits.data(), end};
}

std::string seconds_text(const timeval& used) {
    std::string fraction = std::to_string(used.tv_usec);
    fraction.insert(0, 6 - fraction.size(), '0');
    return std::to_string(used.tv_sec) + "." + fraction;
}

// Nothing is counted by prefixes.
std::string_view answer_to_detail(std::string_view requested) noexcept {
    const std::string_view word = take_word(requested);
    if (word == "on" || word == "off")
        return answers::ok;
    return word == "dump" ? answers::end : "CLIENT_ERROR usage: stats detail on|off|dump\r\n";
}

// There are no slabs whose keys could be listed.
std::string_view answer_to_cachedump(std::string_view requested) noexcept {
    const std::string_view slab = take_word(requested);
    const std::string_view limit = take_word(requested);
    if (limit.empty())
        return answers::bad_line;
    return number_of<std::uint32_t>(slab) && number_of<std::uint32_t>(limit) ? answers::end
                                                                             : answers::bad_format;
}

// The number of this process, as text.
std::string process_number() {
    std::error_code ignored;
    return std::filesystem::read_symlink("/proc/self", ignored).filename().string();
}

}  // namespace

void statistics::tell(answer& out, std::string_view requested, moment now, std::uint32_t verbosity) {
    const std::string_view word = take_word(requested);
    if (word == "reset") {
        reset();
        return out.append("RESET\r\n");
    }
    if (word == "detail")
        return out.append(answer_to_detail(requested));
    if (word == "cachedump")
        return out.append(answer_to_cachedump(requested));
    if (word.empty())
        tell_general(out, now);
    else if (word == "settings")
        tell_settings(out, verbosity);
    else if (word == "items")
        tell_items(out, now);
    else if (word == "slabs")
        tell_slabs(out);
    else if (word == "conns")
        tell_listeners(out);
    else if (word == "sizes")
        tell_one(out, "sizes_status", std::string_view("disabled"));
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
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    tell_one(out, "rusage_user", std::string_view(seconds_text(used.ru_utime)));
    tell_one(out, "rusage_system", std::string_view(seconds_text(used.ru_stime)));
    tell_one(out, "max_connections", settings_.connections_max);
    tell_one(out, "curr_connections", connections());
    for (std::size_t index = 0; index < count_names.size(); ++index)
        tell_one(out, count_names[index], sum(static_cast<count>(index)) - counted_before_[index]);
    tell_one(out, "connection_structures", connections());
    tell_one(out, "accepting_conns", 1);
    tell_one(out, "get_expired", figures.asked_expired);
    tell_one(out, "get_flushed", figures.asked_flushed);
    tell_one(out, "limit_maxbytes", store_.memory_bytes());
    tell_one(out, "threads", settings_.workers);
    tell_one(out, "hash_power_level", std::bit_width(figures.buckets));
    tell_one(out, "hash_bytes", figures.table_bytes);
    tell_one(out, "bytes", figures.item_bytes);
    tell_one(out, "curr_items", figures.items);
    tell_one(out, "total_items", figures.items_stored);
    tell_one(out, "expired_unfetched", figures.expired_unfetched);
    tell_one(out, "evicted_unfetched", figures.evicted_unfetched);
    tell_one(out, "evictions", figures.evictions);
    tell_one(out, "reclaimed", figures.expired);
    for (const std::string_view name : absent_names)
        tell_one(out, name, 0);
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
    tell_one(out, "flush_enabled", std::string_view(settings_.forbids_flush ? "no" : "yes"));
    tell_one(out, "dump_enabled", std::string_view("no"));
    tell_one(out, "umask", std::string_view(octal_text(settings_.unix_mode)));
    tell_one(out, "shutdown_command", std::string_view("no"));
    tell_one(out, "stat_key_prefix", std::string_view(":"));
    tell_one(out, "detail_enabled", std::string_view("no"));
    tell_one(out, "binding_protocol", std::string_view("ascii"));
    tell_one(out, "auth_enabled_sasl", std::string_view("no"));
    tell_one(out, "auth_enabled_ascii", std::string_view("no"));
    tell_one(out, "ssl_enabled", std::string_view("no"));
    tell_one(out, "idle_timeout", 0);
    tell_one(out, "memory_file", std::string_view("(null)"));
    tell_one(out, "line_size_max", settings_.line_bytes_max);
    tell_one(out, "shards", store_.shards());
    tell_one(out, "backend", std::string_view(settings_.backend));
}

void statistics::tell_items(answer& out, moment now) {
    const std::lock_guard held(mutex_);
    const store_figures figures = figures_since_reset();
    for (unsigned number = 1; number < size_class::count; ++number) {
        const class_figures& reported = figures.classes[number];
        if (reported.items == 0)
            continue;
        constexpr std::string_view prefix = "items:";
        tell_of(out, prefix, number, "number", reported.items);
        tell_of(out, prefix, number, "age",
                reported.oldest_access_s == 0 ? 0 : now.seconds() - reported.oldest_access_s);
        tell_of(out, prefix, number, "mem_requested", reported.block_bytes);
        tell_of(out, prefix, number, "evicted", reported.evicted);
        tell_of(out, prefix, number, "outofmemory", reported.out_of_memory);
    }
}

void statistics::tell_slabs(answer& out) {
    const std::lock_guard held(mutex_);
    const store_figures figures = figures_since_reset();
    unsigned active = 0;
    for (unsigned number = 1; number < size_class::count; ++number) {
        const class_figures& reported = figures.classes[number];
        if (reported.items == 0)
            continue;
        ++active;
        tell_of(out, {}, number, "chunk_size", size_class::bytes_max(number));
        tell_of(out, {}, number, "used_chunks", reported.items);
        tell_of(out, {}, number, "mem_requested", reported.block_bytes);
    }
    tell_one(out, "active_slabs", active);
    tell_one(out, "total_malloced", store_.memory_bytes());
}

// Of connections only how many there are is known.
void statistics::tell_listeners(answer& out) const {
    unsigned number = 0;
    const auto tell = [&](const std::string& address) {
        tell_of(out, {}, number, "addr", std::string_view(address));
        tell_of(out, {}, number, "state", std::string_view("conn_listening"));
        tell_of(out, {}, number, "secs_since_last_cmd", 0);
        ++number;
    };
    if (settings_.port != 0)
        tell("tcp:" + endpoint::parse(settings_.address, settings_.port)->to_string());
    if (!settings_.unix_path.empty())
        tell("unix:" + settings_.unix_path);
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
    figures.asked_expired -= figures_before_.asked_expired;
    figures.asked_flushed -= figures_before_.asked_flushed;
    for (unsigned number = 0; number < size_class::count; ++number) {
        figures.classes[number].evicted -= figures_before_.classes[number].evicted;
        figures.classes[number].out_of_memory -= figures_before_.classes[number].out_of_memory;
    }
    return figures;
}

}  // namespace eddy::apps::memcached
