#include "backend/backend_fixture.hpp"

#include <eddy/io/host.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <linux/aio_abi.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <thread>
#include <unistd.h>

namespace eddy::testing::file_test {
namespace {

class file_test : public backend_test {
protected:
    void SetUp() override {
        std::string pattern = (std::filesystem::temp_directory_path() / "eddy-backend-XXXXXX").string();
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        top_ = pattern;
        std::filesystem::create_directories(top_ / "root/inner");
        write_file(top_ / "outside", "secret");
        write_file(top_ / "root/file", "inside");
        backend_test::SetUp();
        root_ = backend().system().descriptors->open_directory((top_ / "root").c_str());
        ASSERT_GE(root_, 0);
    }
    void TearDown() override {
        if (backend_ != nullptr && root_ >= 0)
            backend_->close(std::exchange(root_, -1));
        backend_test::TearDown();
        std::filesystem::remove_all(top_);
    }

    static void write_file(const std::filesystem::path& path, std::string_view text) {
        std::ofstream(path, std::ios::binary) << text;
    }
    int open(const std::string& path, io::open_flags flags = io::open_read) {
        recorded opening(io::opcode::open_beneath, root_, path.c_str(), flags);
        return run(opening);
    }
    std::string read_all(int descriptor) {
        std::string text;
        std::string piece(100'000, '\0');
        while (true) {
            recorded reading(io::opcode::read_at, descriptor, piece.data(), piece.size());
            reading.offset = text.size();
            const int got = run(reading);
            EXPECT_GE(got, 0);
            if (got <= 0)
                return text;
            text.append(piece, 0, static_cast<std::size_t>(got));
        }
    }

    std::filesystem::path top_;
    int root_ = -1;
};

TEST_F(file_test, a_file_is_opened_and_read_to_its_end) {
    const int descriptor = open("file");
    ASSERT_GE(descriptor, 0);
    EXPECT_EQ(read_all(descriptor), "inside");
    backend().close(descriptor);
}

/// A file that is read past the page cache.
class direct_file_test : public file_test {
protected:
    static constexpr std::size_t block_size = 4096;
    static constexpr std::size_t blocks = 32;
    struct alignas(block_size) block {
        std::array<char, block_size> bytes;
    };

    void SetUp() override {
        file_test::SetUp();
        write_file(top_ / "root/large", text_);
        descriptor_ = ::open((top_ / "root/large").c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC);
        if (descriptor_ < 0)
            GTEST_SKIP() << "[direct-io] this file system has no direct reads";
        EXPECT_EQ(::fsync(descriptor_), 0);  // what is not written yet is read with the same patience
        for (std::size_t number = 0; number < blocks; ++number) {
            reads_.push_back(std::make_unique<recorded>(io::opcode::read_at, descriptor_,
                                                        memory_[number].bytes.data(), block_size));
            reads_.back()->offset = number * block_size;
        }
    }
    void TearDown() override {
        if (descriptor_ >= 0)
            ::close(descriptor_);
        file_test::TearDown();
    }

    /// Whether the file system begins such reads without waiting; where it does not, threads carry them out.
    bool can_read_without_waiting() {
        const iovec into{memory_[0].bytes.data(), block_size};
        return ::preadv2(descriptor_, &into, 1, 0, RWF_NOWAIT) >= 0;
    }
    static bool has_aio() {
        aio_context_t context = 0;
        return ::syscall(SYS_io_setup, 1, &context) == 0 && ::syscall(SYS_io_destroy, context) == 0;
    }
    bool has_one_ended() const {
        return std::ranges::any_of(reads_, [](const auto& one) { return one->has_ended(); });
    }
    bool have_all_ended() const {
        return std::ranges::all_of(reads_, [](const auto& one) { return one->has_ended(); });
    }
    void submit_all() {
        for (const auto& each : reads_)
            backend().submit(*each);
    }
    std::string_view text_of(std::size_t number) const { return {memory_[number].bytes.data(), block_size}; }
    std::string_view expected(std::size_t number) const {
        return std::string_view(text_).substr(number * block_size, block_size);
    }

    std::string text_ = numbered_text(blocks * block_size);
    int descriptor_ = -1;
    std::vector<block> memory_{blocks};
    std::vector<std::unique_ptr<recorded>> reads_;
};

// The system would wait for the device whatever it is told.
TEST_F(direct_file_test, a_read_past_the_page_cache_is_not_made_by_who_asks_for_it) {
    backend().submit(*reads_[1]);
    EXPECT_EQ(reads_[1]->state, io::operation::progress::in_flight);
    turn_until([&] { return reads_[1]->is_idle(); });
    EXPECT_EQ(reads_[1]->result(), int{block_size});
    EXPECT_EQ(text_of(1), expected(1));
}

TEST_F(direct_file_test, many_reads_past_the_page_cache_are_under_way_at_once) {
    submit_all();
    EXPECT_EQ(backend().count_under_way(), blocks);
    turn_until([&] { return have_all_ended(); });
    for (std::size_t number = 0; number < blocks; ++number) {
        EXPECT_EQ(reads_[number]->result(), int{block_size});
        EXPECT_EQ(text_of(number), expected(number)) << number;
    }
}

TEST_F(direct_file_test, reads_past_the_page_cache_need_a_thread_only_where_the_system_lacks_another_way) {
    if (!can_read_without_waiting())
        GTEST_SKIP() << "[direct-io] this file system reads directly only while its caller waits";
    executor_.hold();
    submit_all();
    if (backend().name() == std::string_view("epoll") && !has_aio()) {
        backend().turn(duration::zero());
        EXPECT_FALSE(has_one_ended());
    } else {
        // Any other may be refused where the device's queue is full, and wait for a thread.
        turn_until([&] { return has_one_ended(); });
    }
    executor_.abandon();
    turn_until([&] { return have_all_ended(); });
}

// The system has to write it first, for which it would have its caller wait.
TEST_F(direct_file_test, a_read_past_the_page_cache_finds_what_has_just_been_written) {
    text_.assign(text_.size(), 'x');
    write_file(top_ / "root/large", text_);
    EXPECT_EQ(run(*reads_[1]), int{block_size});
    EXPECT_EQ(text_of(1), expected(1));
}

TEST_F(direct_file_test, a_read_into_several_buffers_goes_past_the_page_cache) {
    std::array<mutable_buffer, 2> parts = {mutable_buffer(memory_[3].bytes.data(), block_size),
                                           mutable_buffer(memory_[2].bytes.data(), block_size)};
    recorded reading(io::opcode::read_vectored_at, descriptor_, parts.data(), parts.size());
    EXPECT_EQ(run(reading), int{2 * block_size});
    EXPECT_EQ(text_of(3), expected(0));
    EXPECT_EQ(text_of(2), expected(1));
}

TEST_F(direct_file_test, a_read_past_the_page_cache_ends_with_the_file) {
    reads_[0]->offset = blocks * block_size;
    EXPECT_EQ(run(*reads_[0]), 0);
    reads_[0]->descriptor = root_;
    EXPECT_LT(run(*reads_[0]), 0);
}

TEST_F(direct_file_test, a_read_past_the_page_cache_that_is_taken_back_leaves_the_memory_alone) {
    for (int round = 0; round < 20; ++round) {
        submit_all();
        if (round % 2 == 0)
            backend().turn(duration::zero());
        for (std::size_t number = 0; number < blocks; ++number) {
            recorded& reading = *reads_[number];
            const int result = reading.is_idle() ? reading.result() : backend().withdraw(reading);
            EXPECT_TRUE(reading.is_idle());
            EXPECT_TRUE(result == int{block_size} || result == -ECANCELED) << result;
            memory_[number].bytes.fill('#');
            reading.outcomes.clear();
        }
        backend().turn(duration::zero());
        for (std::size_t number = 0; number < blocks; ++number)
            EXPECT_EQ(text_of(number), std::string(block_size, '#'));
    }
    EXPECT_EQ(backend().count_under_way(), 0U);
}

TEST_F(direct_file_test, draining_waits_for_reads_past_the_page_cache) {
    submit_all();
    backend().drain();
    for (const auto& each : reads_)
        EXPECT_TRUE(each->result() == int{block_size} || each->result() == -ECANCELED) << each->result();
    EXPECT_EQ(backend().count_under_way(), 0U);
    backend_.reset();
}

TEST_F(file_test, a_large_file_is_read_from_any_place) {
    const std::string text = numbered_text(3 << 20);
    write_file(top_ / "root/large", text);
    const int descriptor = open("large");
    ASSERT_GE(descriptor, 0);
    EXPECT_TRUE(read_all(descriptor) == text);
    std::string piece(64, '\0');
    recorded reading(io::opcode::read_at, descriptor, piece.data(), piece.size());
    reading.offset = 1'234'567;
    EXPECT_EQ(run(reading), 64);
    EXPECT_EQ(piece, text.substr(1'234'567, 64));
    reading.offset = text.size() + 10;
    EXPECT_EQ(run(reading), 0);
    backend().close(descriptor);
}

TEST_F(file_test, a_file_that_makes_things_up_as_it_is_read_can_be_read) {
    const int proc = backend().system().descriptors->open_directory("/proc/self");
    ASSERT_GE(proc, 0);
    recorded opening(io::opcode::open_beneath, proc, "status", io::open_read);
    const int descriptor = run(opening);
    ASSERT_GE(descriptor, 0);
    EXPECT_TRUE(read_all(descriptor).starts_with("Name:"));
    backend().close(descriptor);
    backend().close(proc);
}

TEST_F(file_test, what_is_missing_is_an_error) {
    EXPECT_EQ(open("missing"), -ENOENT);
    EXPECT_EQ(open("missing/file"), -ENOENT);
    EXPECT_EQ(open("file/below"), -ENOTDIR);
}

TEST_F(file_test, no_path_leads_out_of_the_directory) {
    std::filesystem::create_symlink("../outside", top_ / "root/relative");
    std::filesystem::create_symlink(top_ / "outside", top_ / "root/absolute");
    std::filesystem::create_symlink("..", top_ / "root/up");
    for (const char* const path :
         {"../outside", "inner/../../outside", "/etc/passwd", "relative", "absolute", "up/outside", ".."})
        EXPECT_EQ(open(path), -EXDEV) << path;
    std::filesystem::create_symlink("inner/../file", top_ / "root/harmless");
    const int descriptor = open("harmless");
    EXPECT_GE(descriptor, 0);
    EXPECT_EQ(read_all(descriptor), "inside");
    backend().close(descriptor);
}

TEST_F(file_test, a_directory_is_opened_when_a_directory_is_wanted) {
    EXPECT_EQ(open("file", io::open_directory), -ENOTDIR);
    const int inner = open("inner", io::open_directory);
    ASSERT_GE(inner, 0);
    io::file_status status;
    EXPECT_EQ(backend().system().files->status_of(inner, status), 0);
    EXPECT_EQ(status.kind, io::file_status::file_kind::directory);
    write_file(top_ / "root/inner/leaf", "green");
    recorded opening(io::opcode::open_beneath, inner, "leaf", io::open_read);
    const int leaf = run(opening);
    ASSERT_GE(leaf, 0);
    EXPECT_EQ(read_all(leaf), "green");
    backend().close(leaf);
    std::string into(16, '\0');
    recorded reading(io::opcode::read_at, inner, into.data(), into.size());
    EXPECT_EQ(run(reading), -EISDIR);
    backend().close(inner);
}

/// Renames a directory to and fro on a thread of its own.
class renaming {
public:
    explicit renaming(std::filesystem::path directory)
        : thread_([this, directory] {
              const auto other = directory.string() + "-renamed";
              while (!is_over_) {
                  EXPECT_EQ(::rename(directory.c_str(), other.c_str()), 0);
                  EXPECT_EQ(::rename(other.c_str(), directory.c_str()), 0);
              }
          }) {}
    renaming(const renaming&) = delete;
    renaming& operator=(const renaming&) = delete;
    ~renaming() {
        is_over_ = true;
        thread_.join();
    }

private:
    std::atomic<bool> is_over_ = false;
    std::thread thread_;
};

/// Whether the system gives up on a path within the directory, by its own call.
bool is_disturbed(int directory, const char* path) {
    open_how how{};
    how.flags = O_RDONLY | O_CLOEXEC;
    how.resolve = RESOLVE_BENEATH;
    const auto opened = ::syscall(SYS_openat2, directory, path, &how, sizeof(how));
    if (opened >= 0)
        ::close(static_cast<int>(opened));
    return opened < 0 && errno == EAGAIN;
}

// The system cannot tell then whether ".." has led out of the directory (openat2(2)).
TEST_F(file_test, a_file_is_opened_although_somebody_keeps_renaming_directories) {
    if (io::available_cpus() == 1)
        GTEST_SKIP() << "[cpus] nothing is renamed while a path is walked";
    std::filesystem::create_directories(top_ / "elsewhere");
    constexpr const char* path = "inner/../file";
    const renaming disturbing(top_ / "elsewhere");
    bool was_disturbed = false;
    const auto deadline = clock::now() + 20s;
    for (int count = 0; count < 500 || (!was_disturbed && clock::now() < deadline); ++count) {
        was_disturbed = was_disturbed || is_disturbed(root_, path);
        const int descriptor = open(path);
        ASSERT_GE(descriptor, 0) << std::generic_category().message(-descriptor);
        backend().close(descriptor);
    }
    if (!was_disturbed)  // as where the processors are busy with something else
        RecordProperty("undisturbed", "true");
}

// A terminal that the leader of a session opens becomes its controlling one (open(2), O_NOCTTY).
TEST_F(file_test, opening_a_terminal_does_not_make_it_the_programs_own) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto open_as_leader = [this] {
        const int controller = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
        if (::setsid() < 0 || controller < 0 || ::unlockpt(controller) != 0)
            std::_Exit(2);
        const std::string terminal = ::ptsname(controller);
        const auto slash = terminal.rfind('/');
        const int directory =
            backend().system().descriptors->open_directory(terminal.substr(0, slash).c_str());
        const std::string name = terminal.substr(slash + 1);
        recorded opening(io::opcode::open_beneath, directory, name.c_str(), io::open_read);
        if (run(opening) < 0)
            std::_Exit(3);
        std::_Exit(::open("/dev/tty", O_RDWR | O_CLOEXEC) < 0 && errno == ENXIO ? 0 : 1);
    };
    EXPECT_EXIT(open_as_leader(), ::testing::ExitedWithCode(0), "");
}

TEST_F(file_test, opening_a_named_pipe_does_not_wait_for_a_writer) {
    ASSERT_EQ(::mkfifo((top_ / "root/pipe").c_str(), 0600), 0);
    const int descriptor = open("pipe");
    EXPECT_GE(descriptor, 0);
    backend().close(descriptor);
}

TEST_F(file_test, many_files_are_opened_and_read_at_once) {
    constexpr std::size_t files = 100;
    std::vector<std::string> paths;
    std::vector<std::unique_ptr<recorded>> opening;
    for (std::size_t number = 0; number < files; ++number) {
        paths.push_back("many" + std::to_string(number));
        write_file(top_ / "root" / paths.back(), paths.back());
    }
    for (const std::string& path : paths) {
        opening.push_back(
            std::make_unique<recorded>(io::opcode::open_beneath, root_, path.c_str(), io::open_read));
        backend().submit(*opening.back());
    }
    turn_until(
        [&] { return std::ranges::all_of(opening, [](const auto& one) { return one->has_ended(); }); });
    for (std::size_t number = 0; number < files; ++number) {
        ASSERT_GE(opening[number]->result(), 0);
        EXPECT_EQ(read_all(opening[number]->result()), paths[number]);
        backend().close(opening[number]->result());
    }
}

TEST_F(file_test, an_open_taken_back_gives_the_descriptor_that_won_or_none) {
    for (int round = 0; round < 60; ++round) {
        // A name that was never looked up: the system does not have it at hand.
        const std::string path = "missing" + std::to_string(round);
        if (round % 3 == 0)
            executor_.hold();
        auto opening = std::make_unique<recorded>(io::opcode::open_beneath, root_,
                                                  round % 2 == 0 ? path.c_str() : "file", io::open_read);
        backend().submit(*opening);
        if (round % 4 > 1)
            backend().turn(duration::zero());
        if (round % 3 == 1)
            executor_.settle();
        if (!opening->is_idle()) {
            const int result = backend().withdraw(*opening);
            EXPECT_TRUE(opening->is_idle());
            EXPECT_TRUE(opening->outcomes.empty());
            EXPECT_TRUE(result >= 0 || result == -ECANCELED || result == -ENOENT) << result;
            if (result >= 0)
                backend().close(result);
        } else if (opening->result() >= 0) {
            backend().close(opening->result());
        }
        opening.reset();
        executor_.abandon();
    }
}

TEST_F(file_test, a_read_taken_back_leaves_the_memory_alone) {
    const int proc = backend().system().descriptors->open_directory("/proc/self");
    recorded opening(io::opcode::open_beneath, proc, "status", io::open_read);
    const int descriptor = run(opening);
    ASSERT_GE(descriptor, 0);
    for (int round = 0; round < 60; ++round) {
        std::string into(512, '\0');
        if (round % 3 == 0)
            executor_.hold();
        recorded reading(io::opcode::read_at, descriptor, into.data(), into.size());
        backend().submit(reading);
        if (round % 3 == 1)
            executor_.settle();
        const int result = backend().withdraw(reading);
        EXPECT_TRUE(result > 0 || result == -ECANCELED) << result;
        into.assign(into.size(), '#');
        executor_.abandon();
        executor_.settle();
        backend().turn(duration::zero());
        EXPECT_EQ(into, std::string(into.size(), '#'));
    }
    backend().close(descriptor);
    backend().close(proc);
}

TEST_F(file_test, a_cancelled_open_ends_once) {
    for (int round = 0; round < 30; ++round) {
        const std::string path = "absent" + std::to_string(round);
        if (round % 2 == 0)
            executor_.hold();
        recorded opening(io::opcode::open_beneath, root_, path.c_str(), io::open_read);
        backend().submit(opening);
        backend().cancel(opening);
        executor_.abandon();
        turn_until([&] { return opening.has_ended(); });
        EXPECT_TRUE(opening.result() == -ECANCELED || opening.result() == -ENOENT) << opening.result();
        EXPECT_EQ(opening.outcomes.size(), 1U);
    }
}

TEST_F(file_test, draining_waits_for_files) {
    recorded opening(io::opcode::open_beneath, root_, "never there", io::open_read);
    backend().submit(opening);
    backend().drain();
    EXPECT_TRUE(opening.has_ended());
    backend_.reset();
}

}  // namespace
}  // namespace eddy::testing::file_test
