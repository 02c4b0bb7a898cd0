#include "memcached/other_options.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <string>
#include <string_view>

namespace eddy::apps::memcached {

namespace {

constexpr const char* ignored_group = "Of memcached, without effect here";
constexpr const char* hidden = "";

struct named_option {
    const char* names;
    const char* about;
};

constexpr std::array ignored_flags = {
    named_option{"-C,--disable-cas", "Items have cas ids all the same"},
    named_option{"-X,--disable-dumping", "There is nothing that could be dumped"},
    named_option{"-W,--disable-watch", "There is nothing that could be watched"},
    named_option{"-L,--enable-largepages", "Pages are those of the system"}};
constexpr std::array ignored_options = {
    named_option{"-f,--slab-growth-factor", "There are no slabs"},
    named_option{"-n,--slab-min-size", "There are no slabs"},
    named_option{"-R,--max-reqs-per-event", "Connections take turns by themselves"},
    named_option{"-b,--listen-backlog", "As many as the system allows"},
    named_option{"-D", "There are no statistics by prefix"}};
constexpr std::array refused_flags = {
    named_option{"-M,--disable-evictions", "what is used least always goes when the memory is full"},
    named_option{"-A,--enable-shutdown", "clients cannot end it; SIGTERM can"},
    named_option{"-S,--enable-sasl", "there is no authentication"},
    named_option{"-Z,--enable-ssl", "there is no TLS"},
    named_option{"-k,--lock-memory", "memory is not locked"},
    named_option{"-r,--enable-coredumps", "the limit on core files is the caller's (ulimit -c)"},
    named_option{"-i,--license", "the license is in the file LICENSE"}};
constexpr std::array refused_options = {named_option{"-Y,--auth-file", "there is no authentication"},
                                        named_option{"-e,--memory-file", "memory is never kept in a file"}};

// Of -o those that tune memcached's own parts.
constexpr std::array<std::string_view, 18> tuning = {
    "modern",         "maxconns_fast",      "hashpower",         "hash_algorithm",      "tail_repair_time",
    "lru_crawler",    "lru_crawler_sleep",  "lru_maintainer",    "lru_crawler_tocrawl", "hot_lru_pct",
    "warm_lru_pct",   "hot_max_factor",     "warm_max_factor",   "slab_reassign",       "slab_automove",
    "slab_chunk_max", "read_buf_mem_limit", "worker_logbuf_size"};

[[noreturn]] void refuse_option(const std::string& name, const std::string& why) {
    throw CLI::ValidationError(name, why);
}

void check_extended(const std::string& list) {
    std::istringstream words(list);
    for (std::string word; std::getline(words, word, ',');) {
        std::string_view name = std::string_view(word).substr(0, word.find('='));
        if (name.starts_with("no_"))
            name.remove_prefix(3);
        if (std::ranges::find(tuning, name) == tuning.end())
            refuse_option("-o", "'" + word + "' is not supported");
    }
}

}  // namespace

void add_other_options(CLI::App& program) {
    for (const auto& [names, about] : ignored_flags)
        program.add_flag(names, about)->group(ignored_group);
    for (const auto& [names, about] : ignored_options)
        program.add_option_function<std::string>(
                   names, [](const std::string&) {}, about)
            ->group(ignored_group);
    for (const auto& [names, why] : refused_flags)
        program.add_flag_callback(names, [names, why] { refuse_option(names, why); })->group(hidden);
    for (const auto& [names, why] : refused_options)
        program
            .add_option_function<std::string>(names,
                                              [names, why](const std::string&) { refuse_option(names, why); })
            ->group(hidden);
    program
        .add_option_function<std::string>(
            "-U,--udp-port",
            [](const std::string& port) {
                if (port != "0")
                    refuse_option("-U,--udp-port", "there is no UDP; 0 is taken");
            },
            "0: there is no UDP")
        ->group(ignored_group);
    program
        .add_option_function<std::string>(
            "-B,--protocol",
            [](const std::string& name) {
                if (name != "ascii" && name != "auto" && name != "auto-negotiate")
                    refuse_option("-B,--protocol", "'" + name + "' is not supported; ascii and auto are");
            },
            "ascii or auto: the text protocol")
        ->group(ignored_group);
    program
        .add_option_function<std::string>("-o,--extended", check_extended,
                                          "Names that tune memcached's parts")
        ->group(ignored_group);
}

}  // namespace eddy::apps::memcached
