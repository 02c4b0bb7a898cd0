#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <sys/stat.h>

namespace eddy::http::test {

/// A directory for the files of one test, which goes with it.
class temporary_site {
public:
    temporary_site() {
        std::string name = (std::filesystem::temp_directory_path() / "eddy-site-XXXXXX").string();
        EXPECT_NE(::mkdtemp(name.data()), nullptr);
        root_ = name;
    }
    temporary_site(const temporary_site&) = delete;
    temporary_site& operator=(const temporary_site&) = delete;
    ~temporary_site() {
        std::error_code ignored;
        std::filesystem::remove_all(root_, ignored);
    }

    [[nodiscard]] const std::filesystem::path& root() const noexcept { return root_; }
    [[nodiscard]] std::string at(std::string_view path) const { return (root_ / path).string(); }

    /// Makes or overwrites a file, with its directories. It was last changed at `modified`, long ago.
    void write(std::string_view path, std::string_view content, std::int64_t modified = long_ago) const {
        std::filesystem::create_directories((root_ / path).parent_path());
        std::ofstream(at(path), std::ios::binary) << content;
        touch(path, modified);
    }
    void touch(std::string_view path, std::int64_t modified) const {
        const timespec times[2] = {{modified, 0}, {modified, 0}};
        EXPECT_EQ(::utimensat(AT_FDCWD, at(path).c_str(), times, 0), 0);
    }

    static constexpr std::int64_t long_ago = 1'600'000'000;  // Sun, 13 Sep 2020 12:26:40 GMT

private:
    std::filesystem::path root_;
};

}  // namespace eddy::http::test
