#include "files/reads.hpp"

#include <liburing.h>

#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

namespace bench {
namespace {

struct free_memory {
    void operator()(void* memory) const { std::free(memory); }
};
using block = std::unique_ptr<void, free_memory>;

// The loop that one writes who has nothing but liburing: a slot for each read under way, all that has
// completed taken at once, and what is read next submitted together with the wait.
class ring_reader {
public:
    ring_reader(const std::string& path, const read_work& work)
        : work_(work), file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | (work.is_direct ? O_DIRECT : 0))) {
        const int result =
            io_uring_queue_init(64, &ring_, IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN);
        if (file_ < 0 || result < 0)
            throw failure("cannot open " + path + " or a ring");
        for (int slot = 0; slot < work.depth; ++slot)
            slots_.emplace_back(std::aligned_alloc(4096, work.bytes));
    }
    ring_reader(const ring_reader&) = delete;
    ring_reader& operator=(const ring_reader&) = delete;
    ~ring_reader() {
        io_uring_queue_exit(&ring_);
        ::close(file_);
    }

    std::int64_t read(const time_window& window, places& next) {
        std::int64_t reads = 0;
        int under_way = work_.depth;
        for (std::size_t slot = 0; slot < slots_.size(); ++slot)
            begin(slot, next.next());
        while (under_way > 0) {
            io_uring_submit_and_wait(&ring_, 1);
            unsigned head = 0;
            unsigned seen = 0;
            io_uring_cqe* done = nullptr;
            io_uring_for_each_cqe(&ring_, head, done) {
                if (done->res != static_cast<int>(work_.bytes))
                    throw failure("a read was short");
                ++seen;
                ++reads;
                if (window.is_over())
                    --under_way;
                else
                    begin(done->user_data, next.next());
            }
            io_uring_cq_advance(&ring_, seen);
        }
        return reads;
    }

private:
    void begin(std::size_t slot, std::uint64_t place) {
        io_uring_sqe* const entry = io_uring_get_sqe(&ring_);
        io_uring_prep_read(entry, file_, slots_[slot].get(), static_cast<unsigned>(work_.bytes), place);
        entry->user_data = slot;
    }

    const read_work& work_;
    int file_;
    io_uring ring_{};
    std::vector<block> slots_;
};

}  // namespace

sample ring_reads(const read_work& work) {
    const std::string path = sample_file();
    places next(work);
    ring_reader reader(path, work);
    const stopwatch watch;
    return watch.stop(reader.read(time_window(work.seconds), next));
}

}  // namespace bench
