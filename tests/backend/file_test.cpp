#include "backend/backend_fixture.hpp"

#include <eddy/io/host.hpp>

#include <array>
#include <atomic>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
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

// The system would wait for the device whatever it is told.
TEST_F(file_test, a_read_past_the_page_cache_is_not_made_by_who_asks_for_it) {
    write_file(top_ / "root/large", numbered_text(1 << 16));
    const int descriptor = ::open((top_ / "root/large").c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC);
    if (descriptor < 0)
        GTEST_SKIP() << "[direct-io] this file system has no direct reads";
    EXPECT_EQ(::fsync(descriptor), 0);  // what is not written yet is read with the same patience
    alignas(4096) std::array<char, 4096> memory{};
    recorded reading(io::opcode::read_at, descriptor, memory.data(), memory.size());
    reading.offset = 4096;
    backend().submit(reading);
    EXPECT_EQ(reading.state, io::operation::progress::in_flight);
    turn_until([&] { return reading.is_idle(); });
    EXPECT_EQ(reading.result(), 4096);
    EXPECT_EQ(std::string_view(memory.data(), memory.size()), numbered_text(1 << 16).substr(4096, 4096));
    backend().close(descriptor);
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
