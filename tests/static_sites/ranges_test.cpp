// Several ranges of one file.

#include "http/served_site.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace eddy::http::test::ranges_test {
namespace {

class site_with_ranges : public served_site {
protected:
    site_with_ranges() {
        for (int i = 0; large.size() < 400'000; ++i)
            large += std::to_string(i) + " ";
        site.write("small.txt", large.substr(0, 1000));
        site.write("large.txt", large);
        serve(static_files_options());
    }

    /// The body that several ranges should have, by the boundary that the response names.
    std::string expected(const response_seen& response, std::initializer_list<std::pair<int, int>> parts,
                         std::size_t size) {
        const std::string type = response.field("Content-Type");
        const std::string boundary = type.substr(type.find("boundary=") + 9);
        std::string body;
        for (const auto& [first, last] : parts) {
            body += (body.empty() ? "--" : "\r\n--") + boundary +
                    "\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Range: bytes " +
                    std::to_string(first) + "-" + std::to_string(last) + "/" + std::to_string(size) +
                    "\r\n\r\n" +
                    large.substr(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first + 1));
        }
        return body + "\r\n--" + boundary + "--\r\n";
    }

    std::string large;
};

TEST_F(site_with_ranges, gives_several_as_a_multipart_body) {
    const auto response = ask(get("/small.txt", "Range: bytes=0-4,500-509,-3\r\n"));
    EXPECT_EQ(response.status, 206);
    EXPECT_TRUE(response.field("Content-Type").starts_with("multipart/byteranges; boundary="));
    EXPECT_EQ(response.field("Content-Range"), "");
    EXPECT_EQ(response.body, expected(response, {{0, 4}, {500, 509}, {997, 999}}, 1000));
    EXPECT_EQ(response.field("ETag"), ask(get("/small.txt")).field("ETag"));
}

TEST_F(site_with_ranges, gives_several_of_a_file_on_disk) {
    const auto response = ask(get("/large.txt", "Range: bytes=300000-399999,0-270000\r\n"));
    EXPECT_EQ(response.status, 206);
    EXPECT_TRUE(response.body == expected(response, {{300'000, 399'999}, {0, 270'000}}, large.size()));
}

TEST_F(site_with_ranges, gives_one_range_where_several_become_one) {
    const auto response = ask(get("/small.txt", "Range: bytes=0-9,5-19,20-29\r\n"));
    EXPECT_EQ(response.status, 206);
    EXPECT_EQ(response.field("Content-Range"), "bytes 0-29/1000");
    EXPECT_EQ(response.body, large.substr(0, 30));
    const auto one_left = ask(get("/small.txt", "Range: bytes=2000-,5-6\r\n"));
    EXPECT_EQ(one_left.field("Content-Range"), "bytes 5-6/1000");
}

TEST_F(site_with_ranges, answers_416_if_none_can_be_satisfied) {
    const auto response = ask(get("/small.txt", "Range: bytes=2000-,3000-\r\n"));
    EXPECT_EQ(response.status, 416);
    EXPECT_EQ(response.field("Content-Range"), "bytes */1000");
}

TEST_F(site_with_ranges, gives_the_whole_where_there_are_too_many_or_another_version_is_meant) {
    std::string many = "Range: bytes=0-0";
    for (int i = 1; i <= 16; ++i)
        many += "," + std::to_string(i * 60) + "-" + std::to_string(i * 60);
    EXPECT_EQ(ask(get("/large.txt", many + "\r\n")).status, 200);
    EXPECT_EQ(ask(get("/small.txt", "Range: bytes=0-0,500-500\r\nIf-Range: \"other\"\r\n")).status, 200);
    const std::string tag = ask(get("/small.txt")).field("ETag");
    EXPECT_EQ(ask(get("/small.txt", "Range: bytes=0-0,500-500\r\nIf-Range: " + tag + "\r\n")).status, 206);
    EXPECT_EQ(ask(get("/small.txt", "Range: bytes=0-0,500-500\r\nIf-Range: W/" + tag + "\r\n")).status, 200);
}

TEST_F(site_with_ranges, names_another_boundary_each_time) {
    const auto first = ask(get("/small.txt", "Range: bytes=0-0,500-500\r\n"));
    const auto second = ask(get("/small.txt", "Range: bytes=0-0,500-500\r\n"));
    EXPECT_NE(first.field("Content-Type"), second.field("Content-Type"));
    EXPECT_EQ(first.body.size(), std::stoul(first.field("Content-Length")));
}

}  // namespace
}  // namespace eddy::http::test::ranges_test
