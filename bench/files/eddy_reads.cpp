#include "files/reads.hpp"

#include <eddy/eddy.hpp>

#include <cstdint>

namespace bench {
namespace {

// What the readers have in common.
struct reading {
    reading(const eddy::file& from, places& where, const read_work& how)
        : file(from), next(where), work(how), window(how.seconds) {}

    const eddy::file& file;
    places& next;
    const read_work& work;
    time_window window;
    std::int64_t reads = 0;
};

eddy::task<> read_on(reading& shared) {
    eddy::aligned_buffer memory(shared.work.bytes);
    while (!shared.window.is_over()) {
        const std::size_t count = co_await shared.file.read_at(memory.bytes(), shared.next.next());
        if (count != memory.size())
            throw failure("a read was short");
        ++shared.reads;
    }
}

eddy::task<sample> read_all(const std::string& path, places& next, const read_work& work) {
    eddy::open_options options;
    if (work.is_direct)
        options.direct();
    const eddy::file opened = co_await eddy::fs::open(path, options);
    const stopwatch watch;
    reading shared(opened, next, work);
    eddy::task_set readers;
    for (int number = 0; number < work.depth; ++number)
        readers.spawn(read_on(shared));
    co_await readers.join();
    co_return watch.stop(shared.reads);
}

}  // namespace

template <eddy::backend_kind Backend>
sample eddy_reads(const read_work& work) {
    const std::string path = sample_file();
    places next(work);
    return eddy::run(read_all(path, next, work), eddy::runtime_options().workers(1).backend(Backend));
}
template sample eddy_reads<eddy::backend_kind::io_uring>(const read_work& work);
template sample eddy_reads<eddy::backend_kind::epoll>(const read_work& work);

}  // namespace bench
