#include "driver/errors.hpp"
#include "files/reads.hpp"

#include <eddy/eddy.hpp>

#include <cstdint>

namespace bench {
namespace {

// What the readers have in common.
struct reading {
    reading(const eddy::file& from, places& where, const read_pattern& how, double seconds)
        : file(from), next(where), pattern(how), window(seconds) {}

    const eddy::file& file;
    places& next;
    const read_pattern& pattern;
    time_window window;
    std::int64_t reads = 0;
};

eddy::task<> read_on(reading& shared) {
    eddy::aligned_buffer memory(shared.pattern.bytes);
    while (!shared.window.is_over()) {
        const std::size_t count = co_await shared.file.read_at(memory.bytes(), shared.next.next());
        if (count != memory.size())
            throw failure("a read was short");
        ++shared.reads;
    }
}

eddy::task<sample> read_all(const std::string& path, places& next, const read_pattern& pattern,
                            double seconds) {
    eddy::open_options options;
    if (pattern.is_direct)
        options.direct();
    const eddy::file opened = co_await eddy::fs::open(path, options);
    const stopwatch watch;
    reading shared(opened, next, pattern, seconds);
    eddy::task_set readers;
    for (int number = 0; number < pattern.depth; ++number)
        readers.spawn(read_on(shared));
    co_await readers.join();
    co_return watch.stop(shared.reads);
}

}  // namespace

sample eddy_reads(double seconds, const samples_on_disk& samples, const read_pattern& pattern,
                  bool is_epoll) {
    const std::string path = samples.file();
    places next(pattern, samples.file_bytes());
    const auto options = eddy::runtime_options().workers(1).backend(is_epoll ? eddy::backend_kind::epoll
                                                                             : eddy::backend_kind::io_uring);
    return eddy::run(read_all(path, next, pattern, seconds), options);
}

}  // namespace bench
