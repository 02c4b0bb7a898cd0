// Waits for an amount of work that is not known before: each piece may cause others.
//
//     build/release/examples/wait_group
//
// It prints:
//
//     31 pieces are done
//     1 piece is done

#include <eddy/eddy.hpp>

#include <cstdio>
#include <utility>

struct shared_work {
    eddy::wait_group under_way;
    int done = 0;
};
/// A piece that is under way from when it is made until it is gone: done, failed, or dropped.
class piece {
public:
    explicit piece(shared_work& work) : work_(&work) { work.under_way.add(); }
    piece(piece&& other) noexcept : work_(std::exchange(other.work_, nullptr)) {}
    piece& operator=(piece&&) = delete;
    ~piece() {
        if (work_ != nullptr)
            work_->under_way.done();
    }

private:
    shared_work* work_;
};

/// Splits into two, down to a depth.
eddy::task<> work_on(shared_work& work, piece, int depth) {
    co_await eddy::yield();
    ++work.done;
    for (int half = 0; half < 2 && depth > 0; ++half)
        eddy::spawn(work_on(work, piece(work), depth - 1)).detach();
}

eddy::task<> program() {
    shared_work work;
    eddy::spawn(work_on(work, piece(work), 4)).detach();
    co_await work.under_way.wait();
    std::printf("%d pieces are done\n", work.done);

    // Unlike a latch, it can be used again.
    work.done = 0;
    eddy::spawn(work_on(work, piece(work), 0)).detach();
    co_await work.under_way.wait();
    std::printf("%d piece is done\n", work.done);
}

int main() {
    eddy::run(program());
}
