// Steps 4 and 5 of lab 3: buffers, and operations that report many times.

#include "multishot.hpp"

#include "buffers.hpp"
#include "support/ring_world.hpp"
#include "support/server_process.hpp"
#include "support/test.hpp"
#include "tcp.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <sys/resource.h>
#include <vector>

using namespace lab_test;
using namespace std::chrono_literals;

// -- step 4 --

constexpr const char* buffers_anchor = "step-4-buffers-that-the-kernel-takes";

namespace {

// Receives once into a buffer of the group; the probe has the outcome.
void receive_into_group(lab::ring& ring, probe& owner, int descriptor) {
    io_uring_sqe& entry = ring.entry_for(&owner);
    io_uring_prep_recv(&entry, descriptor, nullptr, 0, 0);
    entry.flags |= IOSQE_BUFFER_SELECT;
    entry.buf_group = lab::buffers::group;
    ring.wait(std::nullopt);
}

std::uint16_t buffer_of(const probe& seen) {
    return static_cast<std::uint16_t>(seen.last_flags >> IORING_CQE_BUFFER_SHIFT);
}

}  // namespace

TEST(step4, the_kernel_fills_each_buffer_once) {
    course::suspect(
        "the kernel does not see the buffers: io_uring_buf_ring_add() needs io_uring_buf_ring_advance()",
        buffers_anchor);
    lab::ring ring;
    lab::buffers pool(ring, 8, 64);
    EXPECT_EQ(pool.available(), 8U) << course::why("all buffers are the kernel's at first", buffers_anchor);
    socket_pair pair;
    std::set<int> seen;
    for (int number = 0; number < 8; ++number) {
        const std::string sent = "message " + std::to_string(number);
        ASSERT_EQ(::write(pair.ends[1], sent.data(), sent.size()), std::ssize(sent));
        probe owner;
        receive_into_group(ring, owner, pair.ends[0]);
        ASSERT_GT(owner.last_result, 0)
            << course::why("the kernel found no buffer of group 0", buffers_anchor);
        pool.note_taken();
        seen.insert(buffer_of(owner));
        EXPECT_EQ(text_of({pool.data(buffer_of(owner)), static_cast<std::size_t>(owner.last_result)}), sent)
            << course::why("data(n) is not the memory that was given to the kernel as buffer n",
                           buffers_anchor);
    }
    EXPECT_EQ(seen.size(), 8U) << course::why("a buffer was given to the kernel twice", buffers_anchor);
    EXPECT_EQ(pool.available(), 0U);
    ASSERT_EQ(::write(pair.ends[1], "x", 1), 1);
    probe owner;
    receive_into_group(ring, owner, pair.ends[0]);
    EXPECT_EQ(owner.last_result, -ENOBUFS);
}

TEST(step4, a_lease_gives_its_buffer_back) {
    lab::ring ring;
    lab::buffers pool(ring, 2, 64);
    socket_pair pair;
    for (int number = 0; number < 10; ++number) {
        ASSERT_EQ(::write(pair.ends[1], "hello", 5), 5);
        probe owner;
        receive_into_group(ring, owner, pair.ends[0]);
        ASSERT_EQ(owner.last_result, 5)
            << course::why("the buffers have run out: a lease does not give its own back", buffers_anchor);
        pool.note_taken();
        const lab::lease held(pool, buffer_of(owner), 5);
        EXPECT_EQ(text_of(held.bytes()), "hello");
        EXPECT_EQ(pool.available(), 1U);
    }
    EXPECT_EQ(pool.available(), 2U) << course::why("the destructor of a lease gives the buffer back",
                                                   buffers_anchor);
}

TEST(step4, a_lease_that_was_moved_gives_back_once) {
    lab::ring ring;
    lab::buffers pool(ring, 4, 64);
    socket_pair pair;
    {
        ASSERT_EQ(::write(pair.ends[1], "hello", 5), 5);
        probe owner;
        receive_into_group(ring, owner, pair.ends[0]);
        pool.note_taken();
        lab::lease first(pool, buffer_of(owner), 5);
        lab::lease second(std::move(first));
        EXPECT_TRUE(first.empty());
        EXPECT_EQ(pool.available(), 3U);
        lab::lease third;
        third = std::move(second);
        EXPECT_EQ(text_of(third.bytes()), "hello");
        EXPECT_EQ(pool.available(), 3U)
            << course::why("assigning a lease gave the moved buffer back while it is in use", buffers_anchor);
    }
    EXPECT_EQ(pool.available(), 4U) << course::why(
        "a lease that was moved from has given the buffer back a second time", buffers_anchor);
    std::set<int> seen;
    for (int number = 0; number < 4; ++number) {
        ASSERT_EQ(::write(pair.ends[1], "x", 1), 1);
        probe owner;
        receive_into_group(ring, owner, pair.ends[0]);
        ASSERT_EQ(owner.last_result, 1);
        pool.note_taken();
        seen.insert(buffer_of(owner));
    }
    EXPECT_EQ(seen.size(), 4U) << course::why(
        "one buffer is in the ring twice: two connections would share its bytes", buffers_anchor);
}

TEST(step4, a_lease_of_its_own_memory_needs_no_pool) {
    auto memory = std::make_unique<std::byte[]>(8);
    memory[0] = std::byte{'a'};
    lab::lease held(std::move(memory), 1);
    const lab::lease moved(std::move(held));
    EXPECT_EQ(text_of(moved.bytes()), "a");
}

// -- step 5 --

constexpr const char* multishot_anchor = "step-5-one-request-many-reports";

namespace {

/// A multishot whose reports the test makes.
class scripted final : public lab::multishot {
public:
    [[nodiscard]] bool has_answer() const noexcept override { return answers != 0; }
    int begun = 0;
    int answers = 0;

private:
    void prepare(io_uring_sqe& entry) noexcept override {
        ++begun;
        // The test reports, not the ring.
        static probe nothing;
        io_uring_prep_nop(&entry);
        io_uring_sqe_set_data(&entry, static_cast<lab::operation*>(&nothing));
    }
    void report(int result, unsigned) noexcept override {
        answers += result >= 0 ? 1 : 0;
        wake();
    }
    void discard(int, unsigned) noexcept override {}
};

lab::task<> await_answers(scripted& from, int count, int& taken) {
    for (int done = 0; done < count; ++done) {
        co_await lab::answer(from);
        --from.answers;
        ++taken;
    }
}

}  // namespace

TEST(step5, the_flag_says_whether_more_will_come) {
    lab::ring ring;
    lab::loop loop(ring);
    const auto work = [&]() -> lab::task<> {
        scripted from;
        int taken = 0;
        loop.spawn(await_answers(from, 1, taken));
        co_await turns(3);
        EXPECT_EQ(from.begun, 1) << course::why("waiting begins the operation", multishot_anchor);
        from.completed(5, IORING_CQE_F_MORE);
        EXPECT_TRUE(from.is_under_way());
        from.completed(5, 0);
        EXPECT_FALSE(from.is_under_way()) << course::why(
            "a success without IORING_CQE_F_MORE is the last report: the flag decides, not the result",
            multishot_anchor);
        co_await turns(3);
        EXPECT_EQ(taken, 1);
    };
    loop.run(work());
}

TEST(step5, a_waiting_task_is_posted_once_and_the_operation_begun_anew) {
    course::suspect("a task that waits was posted twice, or never", multishot_anchor);
    lab::ring ring;
    lab::loop loop(ring);
    const auto work = [&]() -> lab::task<> {
        scripted from;
        int taken = 0;
        loop.spawn(await_answers(from, 3, taken));
        co_await turns(3);
        from.completed(5, IORING_CQE_F_MORE);
        from.completed(5, IORING_CQE_F_MORE);
        co_await turns(3);
        EXPECT_EQ(taken, 2) << course::why(
            "what was reported while nothing waited is the answer of the next wait", multishot_anchor);
        from.completed(-ECANCELED, 0);
        EXPECT_EQ(from.begun, 2) << course::why(
            "a task waits, there is no answer, and the operation has ended: begin it anew", multishot_anchor);
        from.completed(5, IORING_CQE_F_MORE);
        co_await turns(3);
        EXPECT_EQ(taken, 3);
    };
    loop.run(work());
}

TEST(step5, clients_are_accepted) {
    course::suspect("accept() does not end although a client has connected", multishot_anchor);
    lab::ring ring;
    lab::buffers pool(ring);
    lab::loop loop(ring);
    const auto work = [&]() -> lab::task<> {
        lab::listener from;
        for (int number = 0; number < 3; ++number) {
            const int client = course::connect_to(from.port());
            const lab::stream accepted = co_await from.accept();
            ::close(client);
        }
        // And some at once, before anything waits for them.
        std::vector<int> clients;
        for (int number = 0; number < 20; ++number)
            clients.push_back(course::connect_to(from.port()));
        co_await turns(5);
        for (int number = 0; number < 20; ++number)
            const lab::stream accepted = co_await from.accept();
        for (const int client : clients)
            ::close(client);
    };
    loop.run(work());
}

TEST(step5, connections_that_nothing_accepts_stay_with_the_system) {
    course::suspect("accept() does not begin the operation anew after a pause", multishot_anchor);
    lab::ring ring;
    lab::buffers pool(ring);
    lab::loop loop(ring);
    const auto work = [&]() -> lab::task<> {
        lab::listener from;
        std::vector<int> clients;
        clients.push_back(course::connect_to(from.port()));
        {
            const lab::stream first = co_await from.accept();
        }
        co_await turns(3);
        const int before = open_descriptors();
        for (int number = 0; number < 300; ++number) {
            clients.push_back(course::connect_to(from.port()));
            if (number % 20 == 0)
                co_await turns(2);
        }
        co_await turns(10);
        EXPECT_LT(open_descriptors() - before - 300, 200) << course::why(
            "the listener goes on accepting though nothing takes the connections: pause()", multishot_anchor);
        for (int number = 0; number < 300; ++number)
            const lab::stream accepted = co_await from.accept();
        for (const int client : clients)
            ::close(client);
    };
    loop.run(work());
}

TEST(step5, a_shortage_of_descriptors_is_waited_for) {
    course::suspect("accept() does not go on after EMFILE", multishot_anchor);
    watched_ring watched;
    lab::buffers pool(watched.ring);
    lab::loop loop(watched);
    rlimit before{};
    ::getrlimit(RLIMIT_NOFILE, &before);
    bool is_accepted = false;
    const auto accept_one = [&](lab::listener& from) -> lab::task<> {
        try {
            const lab::stream accepted = co_await from.accept();
            is_accepted = true;
        } catch (const std::system_error&) {
            ADD_FAILURE() << course::why(
                "EMFILE says that descriptors are short, not that the listener has failed", multishot_anchor);
        }
    };
    const auto work = [&]() -> lab::task<> {
        lab::listener from;
        const int client = course::connect_to(from.port());
        rlimit none = before;
        none.rlim_cur = 3;
        ::setrlimit(RLIMIT_NOFILE, &none);
        loop.spawn(accept_one(from));
        const int waits = watched.waits;
        co_await lab::sleep(60ms);
        const int spent = watched.waits - waits;
        ::setrlimit(RLIMIT_NOFILE, &before);
        EXPECT_LT(spent, 60) << course::why(
            "accept() tries again at once where descriptors are short, and burns a processor: sleep",
            multishot_anchor);
        EXPECT_FALSE(is_accepted);
        co_await lab::sleep(60ms);
        EXPECT_TRUE(is_accepted) << course::why(
            "descriptors are there again, and the client was not accepted", multishot_anchor);
        ::close(client);
    };
    loop.run(work());
}
