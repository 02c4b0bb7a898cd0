#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace eddy::test {

/// A directory that goes with the test.
class scratch_directory {
public:
    scratch_directory() {
        std::string name = (std::filesystem::temp_directory_path() / "eddy-test-XXXXXX").string();
        EXPECT_NE(::mkdtemp(name.data()), nullptr);
        root_ = name;
    }
    scratch_directory(const scratch_directory&) = delete;
    scratch_directory& operator=(const scratch_directory&) = delete;
    ~scratch_directory() {
        std::error_code ignored;
        std::filesystem::remove_all(root_, ignored);
    }

    [[nodiscard]] std::string root() const { return root_.string(); }
    [[nodiscard]] std::string at(std::string_view path) const { return (root_ / path).string(); }
    /// Makes or overwrites a file, with its directories.
    void write(std::string_view path, std::string_view content) const {
        std::filesystem::create_directories((root_ / path).parent_path());
        std::ofstream(at(path), std::ios::binary) << content;
    }
    /// Makes directories one in the other, so deep that no path leads to the last of them: `levels` below `path`,
    /// with long names, and an empty file "bottom" in the last.
    void make_deep(std::string_view path, int levels) const {
        const std::string name(200, 'd');
        std::filesystem::create_directories(root_ / path);
        int directory = ::open(at(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        for (int level = 0; level < levels; ++level) {
            EXPECT_EQ(::mkdirat(directory, name.c_str(), 0700), 0);
            const int below = ::openat(directory, name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
            ::close(std::exchange(directory, below));
        }
        const int file = ::openat(directory, "bottom", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        EXPECT_GE(file, 0);
        ::close(file);
        ::close(directory);
    }
    [[nodiscard]] std::string read(std::string_view path) const {
        std::ifstream opened(at(path), std::ios::binary);
        return {std::istreambuf_iterator<char>(opened), {}};
    }
    /// How many entries the directory has, hidden ones included.
    [[nodiscard]] std::size_t count() const {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(root_), {}));
    }

private:
    std::filesystem::path root_;
};

}  // namespace eddy::test
