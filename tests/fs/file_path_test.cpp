#include <eddy/fs/file_path.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace eddy::file_path_test {
namespace {

TEST(file_path, is_made_of_every_kind_of_text) {
    EXPECT_EQ(file_path("a/b").text(), "a/b");
    EXPECT_EQ(file_path(std::string("a/b")).text(), "a/b");
    EXPECT_EQ(file_path(std::string_view("a/b")).text(), "a/b");
    EXPECT_EQ(file_path(std::filesystem::path("a/b")).text(), "a/b");
}

TEST(file_path, refuses_a_nul_byte_and_says_so) {
    const file_path path(std::string_view("begin\0end", 9));
    try {
        static_cast<void>(path.checked());
        FAIL() << "a NUL byte was taken";
    } catch (const std::system_error& error) {
        EXPECT_EQ(error.code(), std::errc::invalid_argument);
        EXPECT_NE(std::string(error.what()).find("NUL byte after 'begin'"), std::string::npos)
            << error.what();
    }
    EXPECT_STREQ(file_path("\xff\n \t").checked(), "\xff\n \t");
}

TEST(file_path, knows_the_directory_in_which_it_is) {
    for (const auto& [path, parent] : {std::pair("a/b", "a"),
                                       {"a", "."},
                                       {"/a", "/"},
                                       {"/", "/"},
                                       {"", "."},
                                       {"a//b", "a"},
                                       {"a/b/", "a"},
                                       {"//a", "/"},
                                       {"/a/b", "/a"}})
        EXPECT_EQ(file_path(path).parent(), parent) << path;
}

}  // namespace
}  // namespace eddy::file_path_test
