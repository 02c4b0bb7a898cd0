// eddy's reads of files beside the same loop written on liburing, and its walk of a tree beside find(1).
#include "files/reads.hpp"
#include "measure/subjects.hpp"

namespace bench {
namespace {

benchmark reads(bool is_direct, bool is_random, int depth) {
    const read_work work{0, std::size_t{is_random ? 4096u : 1u << 20}, depth, is_random, is_direct};
    return {.name = std::string(is_random ? "random_4k" : "sequential_1m") +
                    (is_direct ? "_direct/" : "_cached/") + std::to_string(depth),
            .about = std::to_string(depth) + " at a time, by one thread",
            .item = "read",
            .subjects = subjects_of(work, {{"liburing", ring_reads},
                                           {"eddy", eddy_reads<eddy::backend_kind::io_uring>},
                                           {"eddy_epoll", eddy_reads<eddy::backend_kind::epoll>}})};
}

}  // namespace

benchmarks measured_benchmarks() {
    benchmarks made{compared::wall_clock, {}};
    for (const bool is_direct : {false, true})
        for (const bool is_random : {false, true})
            for (const int depth : {1, 32})
                made.all.push_back(reads(is_direct, is_random, depth));
    made.all.push_back(
        {.name = "tree",
         .about = "a tree of 100,000 files, names known to the system; against find(1) into /dev/null",
         .item = "entry",
         .subjects = {{"find", find_walks}, {"eddy", eddy_walks}}});
    return made;
}

}  // namespace bench
