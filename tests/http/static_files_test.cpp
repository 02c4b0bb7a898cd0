#include "http/blocking_client.hpp"
#include "http/served.hpp"
#include "http/temporary_site.hpp"

#include <eddy/http/files/static_files.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace eddy::http::test::static_files_test {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view long_ago_date = "Sun, 13 Sep 2020 12:26:40 GMT";

/// A site that is looked at for each request.
class static_files_of_a_site : public testing::Test {
protected:
    static_files_of_a_site() {
        site.write("index.html", "<p>home</p>");
        site.write("a.txt", "0123456789");
        site.write("directory/index.html", "<p>directory</p>");
        site.write("bare/file.css", "p {}");
    }

    response_seen ask(std::string_view request) {
        auto response = client.ask(request);
        EXPECT_TRUE(response) << request;
        return std::move(response).value_or(response_seen());
    }
    int status_of(std::string_view path) { return ask(get(path)).status; }

    temporary_site site;
    served server{[this] {
        return std::make_unique<static_files>(directory::open(site.root()),
                                              file_cache_options().validity(0s));
    }};
    blocking_client client{server.port()};
};

TEST_F(static_files_of_a_site, gives_a_file_with_its_type_tag_and_date) {
    const auto response = ask(get("/a.txt"));
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.body, "0123456789");
    EXPECT_EQ(response.field("Content-Type"), "text/plain; charset=utf-8");
    EXPECT_EQ(response.field("Last-Modified"), long_ago_date);
    EXPECT_EQ(response.field("Accept-Ranges"), "bytes");
    EXPECT_TRUE(response.field("ETag").starts_with('"')) << response.field("ETag");
    EXPECT_EQ(ask(get("/bare/file.css")).field("Content-Type"), "text/css; charset=utf-8");
}

TEST_F(static_files_of_a_site, gives_head_the_same_without_the_content) {
    const auto response = ask("HEAD /a.txt HTTP/1.1\r\nHost: a\r\n\r\n");
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.field("Content-Length"), "10");
    EXPECT_EQ(response.field("ETag"), ask(get("/a.txt")).field("ETag"));
}

TEST_F(static_files_of_a_site, gives_the_index_of_a_directory) {
    EXPECT_EQ(ask(get("/")).body, "<p>home</p>");
    EXPECT_EQ(ask(get("/?query")).body, "<p>home</p>");
    EXPECT_EQ(ask(get("/directory/")).body, "<p>directory</p>");
    EXPECT_EQ(ask(get("/directory/./")).body, "<p>directory</p>");
    EXPECT_EQ(ask(get("/directory/..")).body, "<p>home</p>");
    EXPECT_EQ(status_of("/bare/"), 404);
}

TEST_F(static_files_of_a_site, redirects_a_directory_to_its_slash) {
    const auto response = ask(get("/directory"));
    EXPECT_EQ(response.status, 301);
    EXPECT_EQ(response.field("Location"), "/directory/");
    EXPECT_EQ(ask(get("/directory?a=b&c")).field("Location"), "/directory/?a=b&c");
    EXPECT_EQ(ask(get("/bare/../directory")).field("Location"), "/directory/");
}

TEST_F(static_files_of_a_site, redirects_to_no_other_host) {
    std::filesystem::create_directories(site.at("evil.example"));
    std::filesystem::create_directories(site.at("\\evil.example"));
    std::filesystem::create_directories(site.at("a\r\nX-Forged: b"));
    for (const char* const target :
         {"//evil.example", "///evil.example", "/.//evil.example", "/a/..//evil.example",
          "/%2e//evil.example", "http://test//evil.example"})
        EXPECT_EQ(ask(get(target)).field("Location"), "/evil.example/") << target;
    EXPECT_EQ(ask(get("/%5Cevil.example")).field("Location"), "/%5Cevil.example/");
    const auto split = ask(get("/a%0D%0AX-Forged:%20b"));
    EXPECT_EQ(split.field("Location"), "/a%0D%0AX-Forged%3A%20b/");
    EXPECT_FALSE(split.fields.contains("X-Forged"));
}

TEST_F(static_files_of_a_site, does_not_redirect_a_directory_to_itself) {
    std::filesystem::create_directories(site.at("odd/index.html"));
    EXPECT_EQ(status_of("/odd/"), 404);
    EXPECT_EQ(ask(get("/odd/index.html")).field("Location"), "/odd/index.html/");
}

TEST_F(static_files_of_a_site, answers_a_redirection_that_would_be_too_long_without_failing) {
    const auto response = ask(get("/directory?" + std::string(8150, 'q')));
    EXPECT_EQ(response.status, 414);
    EXPECT_EQ(response.field("Connection"), "");
}

TEST_F(static_files_of_a_site, decodes_percent_encodings) {
    site.write("with space.txt", "space");
    site.write("gr\xC3\xBC\xC3\x9F.txt", "greeting");
    site.write("odd \x01\xFF%41+.txt", "odd");
    EXPECT_EQ(ask(get("/with%20space.txt")).body, "space");
    EXPECT_EQ(ask(get("/gr%C3%BC%c3%9f.txt")).body, "greeting");
    EXPECT_EQ(ask(get("/odd%20%01%FF%2541+.txt")).body, "odd");
    EXPECT_EQ(ask(get("/%61.txt")).body, "0123456789");
    EXPECT_EQ(status_of("/a.txt%00"), 400);
    EXPECT_EQ(status_of("/directory%2Findex.html"), 400);
    EXPECT_EQ(status_of("/%zz"), 400);
    EXPECT_EQ(status_of("/a.txt/"), 404);
}

TEST_F(static_files_of_a_site, never_leaves_its_directory) {
    const temporary_site outside;
    outside.write("secret", "secret");
    std::filesystem::create_symlink(outside.at("secret"), site.at("link"));
    std::filesystem::create_directory_symlink(outside.root(), site.at("directory_link"));
    const std::string up = "../" + outside.root().filename().string() + "/secret";
    std::filesystem::create_symlink(up, site.at("relative_link"));
    EXPECT_EQ(status_of("/" + up), 400);
    EXPECT_EQ(status_of("/directory/../" + up), 400);
    EXPECT_EQ(status_of("/%2e%2e/" + up.substr(3)), 400);
    EXPECT_EQ(status_of("/.%2E/" + up.substr(3)), 400);
    EXPECT_EQ(status_of("/..%5C" + up.substr(3)), 404);
    EXPECT_EQ(status_of("//" + outside.at("secret")), 404);
    EXPECT_EQ(status_of("/link"), 404);
    EXPECT_EQ(status_of("/relative_link"), 404);
    EXPECT_EQ(status_of("/directory_link/secret"), 404);
    EXPECT_EQ(status_of("/directory_link/"), 404);
}

TEST_F(static_files_of_a_site, follows_links_inside_its_directory) {
    std::filesystem::create_symlink("a.txt", site.at("link"));
    std::filesystem::create_symlink("../a.txt", site.at("directory/up"));
    std::filesystem::create_directory_symlink("directory", site.at("directory_link"));
    std::filesystem::create_symlink("circle", site.at("circle"));
    EXPECT_EQ(ask(get("/link")).body, "0123456789");
    EXPECT_EQ(ask(get("/directory/up")).body, "0123456789");
    EXPECT_EQ(ask(get("/directory_link/")).body, "<p>directory</p>");
    EXPECT_EQ(status_of("/circle"), 404);
    EXPECT_EQ(status_of("/dangling"), 404);
}

TEST_F(static_files_of_a_site, refuses_what_is_neither_file_nor_directory) {
    ASSERT_EQ(::mkfifo(site.at("pipe").c_str(), 0666), 0);
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    site.at("socket").copy(address.sun_path, sizeof(address.sun_path) - 1);
    ASSERT_EQ(::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    EXPECT_EQ(status_of("/pipe"), 403);
    EXPECT_EQ(status_of("/socket"), 403);
    ::close(socket);
}

TEST_F(static_files_of_a_site, refuses_what_it_may_not_read) {
    ::chmod(site.at("a.txt").c_str(), 0);
    ::chmod(site.at("bare").c_str(), 0);
    ::chmod(site.root().c_str(), 0755);
    // The file system asks for a thread's own user, so that the test's thread keeps its rights.
    server.call([] { ::syscall(SYS_setfsuid, 65534); });
    EXPECT_EQ(status_of("/a.txt"), 403);
    EXPECT_EQ(status_of("/bare/file.css"), 403);
    EXPECT_EQ(status_of("/directory/"), 200);
}

TEST_F(static_files_of_a_site, says_what_methods_there_are) {
    EXPECT_EQ(ask("OPTIONS /a.txt HTTP/1.1\r\nHost: a\r\n\r\n").field("Allow"), "GET, HEAD, OPTIONS");
    EXPECT_EQ(ask("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n").status, 204);
    const auto refused = ask("DELETE /a.txt HTTP/1.1\r\nHost: a\r\n\r\n");
    EXPECT_EQ(refused.status, 405);
    EXPECT_EQ(refused.field("Allow"), "GET, HEAD, OPTIONS");
    EXPECT_EQ(ask("BREW /pot HTTP/1.1\r\nHost: a\r\n\r\n").status, 501);
    EXPECT_EQ(ask("POST /a.txt HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody").status, 405);
    EXPECT_EQ(status_of("/a.txt"), 200);
}

TEST_F(static_files_of_a_site, answers_304_when_the_client_has_the_file) {
    const std::string tag = ask(get("/a.txt")).field("ETag");
    const auto by_tag = ask(get("/a.txt", "If-None-Match: \"other\", " + tag + "\r\n"));
    EXPECT_EQ(by_tag.status, 304);
    EXPECT_EQ(by_tag.field("ETag"), tag);
    EXPECT_EQ(ask(get("/a.txt", "If-None-Match: *\r\n")).status, 304);
    EXPECT_EQ(ask(get("/a.txt", "If-None-Match: \"other\"\r\n")).status, 200);
    const std::string date(long_ago_date);
    EXPECT_EQ(ask(get("/a.txt", "If-Modified-Since: " + date + "\r\n")).status, 304);
    EXPECT_EQ(ask(get("/a.txt", "If-Modified-Since: Sun, 13 Sep 2020 12:26:39 GMT\r\n")).status, 200);
    EXPECT_EQ(ask(get("/a.txt", "If-None-Match: \"other\"\r\nIf-Modified-Since: " + date + "\r\n")).status,
              200);
}

TEST_F(static_files_of_a_site, answers_412_when_the_file_is_not_what_the_client_expects) {
    const std::string tag = ask(get("/a.txt")).field("ETag");
    EXPECT_EQ(ask(get("/a.txt", "If-Match: " + tag + "\r\n")).status, 200);
    EXPECT_EQ(ask(get("/a.txt", "If-Match: \"other\"\r\n")).status, 412);
    EXPECT_EQ(ask(get("/a.txt", "If-Unmodified-Since: Sun, 13 Sep 2020 12:26:39 GMT\r\n")).status, 412);
}

TEST_F(static_files_of_a_site, gives_ranges) {
    const auto range = [this](std::string_view wanted) {
        return ask(get("/a.txt", "Range: bytes=" + std::string(wanted) + "\r\n"));
    };
    const auto middle = range("2-4");
    EXPECT_EQ(middle.status, 206);
    EXPECT_EQ(middle.body, "234");
    EXPECT_EQ(middle.field("Content-Range"), "bytes 2-4/10");
    EXPECT_EQ(range("7-").body, "789");
    EXPECT_EQ(range("-3").body, "789");
    EXPECT_EQ(range("-300").body, "0123456789");
    EXPECT_EQ(range("0-99").body, "0123456789");
    const auto beyond = range("10-");
    EXPECT_EQ(beyond.status, 416);
    EXPECT_EQ(beyond.field("Content-Range"), "bytes */10");
    EXPECT_EQ(range("nonsense").status, 200);
    EXPECT_EQ(range("4-2").status, 200);
}

TEST_F(static_files_of_a_site, gives_a_range_only_of_the_version_that_the_client_means) {
    const std::string tag = ask(get("/a.txt")).field("ETag");
    const std::string date(long_ago_date);
    const auto status = [this](const std::string& condition) {
        return ask(get("/a.txt", "Range: bytes=0-1\r\nIf-Range: " + condition + "\r\n")).status;
    };
    EXPECT_EQ(status(tag), 206);
    EXPECT_EQ(status(date), 206);
    EXPECT_EQ(status("\"other\""), 200);
    EXPECT_EQ(status("Sun, 13 Sep 2020 12:26:41 GMT"), 200);
}

TEST_F(static_files_of_a_site, gives_an_empty_file) {
    site.write("empty", "");
    const auto response = ask(get("/empty"));
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.field("Content-Length"), "0");
    EXPECT_EQ(ask(get("/empty", "Range: bytes=0-\r\n")).status, 416);
    EXPECT_EQ(status_of("/a.txt"), 200);
}

TEST_F(static_files_of_a_site, notices_changes) {
    EXPECT_EQ(ask(get("/a.txt")).body, "0123456789");
    site.write("a.txt", "changed", temporary_site::long_ago + 5);
    const auto changed = ask(get("/a.txt"));
    EXPECT_EQ(changed.body, "changed");
    EXPECT_EQ(changed.field("Last-Modified"), "Sun, 13 Sep 2020 12:26:45 GMT");
    site.write("other", "renamed");
    std::filesystem::rename(site.at("other"), site.at("a.txt"));
    EXPECT_EQ(ask(get("/a.txt")).body, "renamed");
    std::filesystem::remove(site.at("a.txt"));
    EXPECT_EQ(status_of("/a.txt"), 404);
    std::filesystem::create_directory(site.at("a.txt"));
    EXPECT_EQ(status_of("/a.txt"), 301);
}

std::string pattern(std::size_t size) {
    std::string content(size, '\0');
    for (std::size_t at = 0; at < size; ++at)
        content[at] = static_cast<char>((at * 2654435761U) >> 11);
    return content;
}

TEST_F(static_files_of_a_site, gives_ten_mebibytes_byte_for_byte) {
    const std::string content = pattern(10 << 20);
    site.write("large.bin", content);
    for (int time = 0; time < 2; ++time)
        EXPECT_TRUE(ask(get("/large.bin")).body == content);
    const auto part = ask(get("/large.bin", "Range: bytes=5000000-5999999\r\n"));
    EXPECT_TRUE(part.body == content.substr(5'000'000, 1'000'000));
    EXPECT_EQ(part.field("Content-Range"), "bytes 5000000-5999999/10485760");
}

TEST_F(static_files_of_a_site, gives_the_end_of_a_file_of_three_gibibytes) {
    site.write("huge", "");
    constexpr std::uint64_t size = std::uint64_t{3} << 30;
    std::filesystem::resize_file(site.at("huge"), size - 4);
    std::ofstream(site.at("huge"), std::ios::binary | std::ios::app) << "tail";
    site.touch("huge", temporary_site::long_ago);
    EXPECT_EQ(ask(get("/huge", "Range: bytes=-4\r\n")).body, "tail");
    const auto part = ask(get("/huge", "Range: bytes=3221225470-\r\n"));
    EXPECT_EQ(part.body, "il");
    EXPECT_EQ(part.field("Content-Range"), "bytes 3221225470-3221225471/3221225472");
    EXPECT_EQ(ask("HEAD /huge HTTP/1.1\r\nHost: a\r\n\r\n").field("Content-Length"), "3221225472");
}

TEST_F(static_files_of_a_site, shows_that_a_file_became_shorter_while_it_was_sent) {
    site.write("shrinking", std::string(30'000'000, 's'));
    blocking_client slow(server.port(), 4096);
    ASSERT_TRUE(slow.send(get("/shrinking")));
    ASSERT_TRUE(slow.receive());
    std::filesystem::resize_file(site.at("shrinking"), 1000);
    EXPECT_FALSE(slow.read_response()) << "cut short, so not whole";
    EXPECT_EQ(slow.error(), 0) << "and in good order";
    EXPECT_EQ(status_of("/a.txt"), 200);
}

TEST_F(static_files_of_a_site, gives_a_growing_or_removed_or_replaced_file_as_it_was_when_it_began) {
    const std::string content = pattern(20'000'000);
    using change = void (*)(const temporary_site&);
    for (const change changing :
         {change([](const temporary_site& changed) {
              std::ofstream(changed.at("file"), std::ios::app | std::ios::binary) << "more";
          }),
          change([](const temporary_site& changed) { std::filesystem::remove(changed.at("file")); }),
          change([](const temporary_site& changed) {
              changed.write("replacement", "short");
              std::filesystem::rename(changed.at("replacement"), changed.at("file"));
          })}) {
        site.write("file", content);
        blocking_client slow(server.port(), 4096);
        ASSERT_TRUE(slow.send(get("/file")));
        ASSERT_TRUE(slow.receive());
        changing(site);
        const auto response = slow.read_response();
        ASSERT_TRUE(response);
        EXPECT_TRUE(response->body == content);
    }
}

}  // namespace
}  // namespace eddy::http::test::static_files_test
