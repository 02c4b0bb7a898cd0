#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>

namespace eddy::test {

/// A folder that goes with the test.
class scratch_folder {
public:
    scratch_folder() {
        std::string name = (std::filesystem::temp_directory_path() / "eddy-test-XXXXXX").string();
        EXPECT_NE(::mkdtemp(name.data()), nullptr);
        root_ = name;
    }
    scratch_folder(const scratch_folder&) = delete;
    scratch_folder& operator=(const scratch_folder&) = delete;
    ~scratch_folder() {
        std::error_code ignored;
        std::filesystem::remove_all(root_, ignored);
    }

    [[nodiscard]] std::string root() const { return root_.string(); }
    [[nodiscard]] std::string at(std::string_view path) const { return (root_ / path).string(); }
    /// Makes or overwrites a file, with its folders.
    void write(std::string_view path, std::string_view content) const {
        std::filesystem::create_directories((root_ / path).parent_path());
        std::ofstream(at(path), std::ios::binary) << content;
    }
    [[nodiscard]] std::string read(std::string_view path) const {
        std::ifstream opened(at(path), std::ios::binary);
        return {std::istreambuf_iterator<char>(opened), {}};
    }
    /// How many entries the folder has, hidden ones included.
    [[nodiscard]] std::size_t count() const {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(root_), {}));
    }

private:
    std::filesystem::path root_;
};

}  // namespace eddy::test
