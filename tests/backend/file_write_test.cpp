#include "backend/backend_fixture.hpp"
#include "support/scratch_directory.hpp"

#include <array>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace eddy::testing::file_write_test {
namespace {

class file_write_test : public backend_test {
protected:
    int open(const std::string& path, std::uint64_t flags, std::uint64_t permissions = 0600) {
        recorded opening(io::opcode::open, -1, path.c_str(), flags);
        opening.offset = permissions;
        return run(opening);
    }
    int open_in_place(const char* path, std::uint64_t flags, std::uint64_t permissions = 0600) {
        return open(place_.at(path), flags, permissions);
    }
    int write(int descriptor, std::string_view text, std::uint64_t offset) {
        recorded writing(io::opcode::write_at, descriptor, text.data(), text.size());
        writing.offset = offset;
        return run(writing);
    }

    static constexpr std::uint64_t new_file = io::open_write | io::open_create;
    test::scratch_directory place_;
};

TEST_F(file_write_test, a_file_is_made_with_its_permissions_and_written_at_any_place) {
    const int descriptor = open_in_place("made", new_file, 0640);
    ASSERT_GE(descriptor, 0);
    EXPECT_EQ(write(descriptor, "world", 6), 5);
    EXPECT_EQ(write(descriptor, "hello ", 0), 6);
    backend().close(descriptor);
    backend().turn(duration::zero());
    EXPECT_EQ(place_.read("made"), "hello world");
    struct stat status{};
    ASSERT_EQ(::stat(place_.at("made").c_str(), &status), 0);
    const mode_t mask = ::umask(0);
    ::umask(mask);
    EXPECT_EQ(status.st_mode & 07777, 0640 & ~mask);
}

TEST_F(file_write_test, each_flag_of_opening_does_what_it_says) {
    place_.write("old", "content");
    std::filesystem::create_symlink("old", place_.at("link"));
    EXPECT_EQ(open_in_place("missing", io::open_write), -ENOENT);
    EXPECT_EQ(open_in_place("old", io::open_write | io::open_create_new), -EEXIST);
    EXPECT_EQ(open_in_place("old", io::open_directory), -ENOTDIR);
    EXPECT_EQ(open_in_place("link", io::open_no_follow), -ELOOP);
    const int appending = open_in_place("old", io::open_write | io::open_append);
    ASSERT_GE(appending, 0);
    EXPECT_EQ(write(appending, "+", 0), 1);
    EXPECT_EQ(place_.read("old"), "content+");
    backend().close(appending);
    const int writing = open_in_place("link", io::open_write | io::open_no_read | io::open_truncate);
    ASSERT_GE(writing, 0);
    EXPECT_EQ(place_.read("old"), "");
    std::array<char, 4> out{};
    recorded reading(io::opcode::read_at, writing, out.data(), out.size());
    EXPECT_EQ(run(reading), -EBADF);
    backend().close(writing);
    const int unnamed = open_in_place(".", io::open_write | io::open_unnamed);
    ASSERT_GE(unnamed, 0);
    EXPECT_EQ(write(unnamed, "text", 0), 4);
    EXPECT_EQ(place_.count(), 2U);
    backend().close(unnamed);
}

TEST_F(file_write_test, a_relative_path_begins_in_the_directory_that_is_given) {
    place_.write("inner/file", "content");
    const int directory = backend().system().descriptors->open_directory(place_.root().c_str());
    recorded opening(io::opcode::open, directory, "inner/../inner/file", io::open_read);
    const int descriptor = run(opening);
    EXPECT_GE(descriptor, 0);
    backend().close(descriptor);
    backend().close(directory);
}

TEST_F(file_write_test, several_buffers_are_written_and_read_in_their_order) {
    const int descriptor = open_in_place("vectors", new_file);
    ASSERT_GE(descriptor, 0);
    const std::array<const_buffer, 3> buffers = {const_buffer(std::string_view("one")), const_buffer(),
                                                 const_buffer(std::string_view("two"))};
    recorded writing(io::opcode::write_vectored_at, descriptor, buffers.data(), buffers.size());
    writing.offset = 2;
    EXPECT_EQ(run(writing), 6);
    EXPECT_EQ(place_.read("vectors"), std::string("\0\0onetwo", 8));
    std::string front(3, '.');
    std::string back(10, '.');
    const std::array<mutable_buffer, 2> room = {mutable_buffer(front.data(), front.size()),
                                                mutable_buffer(back.data(), back.size())};
    recorded reading(io::opcode::read_vectored_at, descriptor, room.data(), room.size());
    reading.offset = 2;
    EXPECT_EQ(run(reading), 6);
    EXPECT_EQ(front, "one");
    EXPECT_EQ(back, "two.......");
    backend().close(descriptor);
}

TEST_F(file_write_test, more_buffers_than_the_system_takes_are_cut_to_what_it_takes) {
    const int descriptor = open_in_place("many", new_file);
    ASSERT_GE(descriptor, 0);
    const std::vector<const_buffer> buffers(3000, const_buffer(std::string_view("x")));
    recorded writing(io::opcode::write_vectored_at, descriptor, buffers.data(), buffers.size());
    EXPECT_EQ(run(writing), 1024);
    backend().close(descriptor);
}

TEST_F(file_write_test, a_full_device_is_an_error) {
    const int descriptor = open("/dev/full", io::open_write);
    ASSERT_GE(descriptor, 0);
    backend().system().descriptors->make_blocking(descriptor);
    EXPECT_EQ(write(descriptor, "text", 0), -ENOSPC);
    backend().close(descriptor);
}

TEST_F(file_write_test, a_directory_is_not_written) {
    EXPECT_EQ(open(place_.root(), io::open_write), -EISDIR);
}

TEST_F(file_write_test, making_a_descriptor_blocking_leaves_its_other_flags) {
    const int descriptor = open_in_place("made", new_file | io::open_append);
    ASSERT_GE(descriptor, 0);
    backend().system().descriptors->make_blocking(descriptor);
    const int flags = ::fcntl(descriptor, F_GETFL);
    EXPECT_EQ(flags & (O_NONBLOCK | O_APPEND | O_ACCMODE), O_APPEND | O_RDWR);
    backend().close(descriptor);
}

TEST_F(file_write_test, a_write_taken_back_leaves_the_memory_alone) {
    const int descriptor = open_in_place("written", new_file);
    ASSERT_GE(descriptor, 0);
    for (int round = 0; round < 60; ++round) {
        const std::string text = numbered_text(64 * 1024);
        if (round % 3 == 0)
            executor_.hold();
        recorded writing(io::opcode::write_at, descriptor, text.data(), text.size());
        backend().submit(writing);
        if (round % 2 == 0)
            backend().turn(duration::zero());
        if (round % 3 == 1)
            executor_.settle();
        if (!writing.is_idle()) {
            const int result = backend().withdraw(writing);
            EXPECT_TRUE(result > 0 || result == -ECANCELED) << result;
            EXPECT_TRUE(writing.outcomes.empty());
        }
        executor_.abandon();
    }
    backend().close(descriptor);
}

}  // namespace
}  // namespace eddy::testing::file_write_test
