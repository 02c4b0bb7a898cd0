#include "files/contests.hpp"

#include "files/reads.hpp"

#include <string>

namespace bench {
namespace {

contest read_contest(const samples_on_disk& samples, const read_pattern& pattern) {
    const std::string name = std::string(pattern.is_random ? "random_4k" : "sequential_1m") +
                             (pattern.is_direct ? "_direct" : "_cached") + "/" +
                             std::to_string(pattern.depth);
    const auto eddy = [&samples, pattern](bool is_epoll) {
        return [&samples, pattern, is_epoll](double seconds) {
            return eddy_reads(seconds, samples, pattern, is_epoll);
        };
    };
    return {.name = name,
            .about = std::to_string(pattern.depth) + " at a time, by one thread",
            .item = "read",
            .contenders = {
                {"liburing",
                 [&samples, pattern](double seconds) { return ring_reads(seconds, samples, pattern); }},
                {"eddy", eddy(false)},
                {"eddy_epoll", eddy(true)}}};
}

contest walk_contest(const samples_on_disk& samples) {
    return {.name = "tree",
            .about = "a tree of 100,000 files, names known to the system; against find(1) into /dev/null",
            .item = "entry",
            .contenders = {{"find", [&samples](double seconds) { return find_walks(seconds, samples); }},
                           {"eddy", [&samples](double seconds) { return eddy_walks(seconds, samples); }}}};
}

}  // namespace

suite files_suite(const samples_on_disk& samples) {
    suite made{.program = "eddy-bench-files",
               .about =
                   "Measures reads of files and walks of trees. --file-mib N: the size of the file that "
                   "is read, 256 MiB if not said.",
               .bases = {"liburing", "find"},
               .contests = {}};
    for (const bool is_direct : {false, true})
        for (const bool is_random : {false, true})
            for (const int depth : {1, 32}) {
                const std::size_t bytes = is_random ? 4096 : 1 << 20;
                made.contests.push_back(read_contest(
                    samples,
                    {.bytes = bytes, .depth = depth, .is_random = is_random, .is_direct = is_direct}));
            }
    made.contests.push_back(walk_contest(samples));
    return made;
}

}  // namespace bench
