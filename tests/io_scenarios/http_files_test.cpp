// Static files: from memory and from disk, whole, in part, and not at all.

#include "http/temporary_site.hpp"
#include "io_scenarios/http_exchange.hpp"

#include <eddy/fs/directory.hpp>
#include <eddy/http/files/static_files.hpp>

#include <string>

namespace eddy::test::http_files_test {
namespace {

constexpr std::size_t large_bytes = 300'000;
constexpr std::size_t small_file_bytes_max = 1000;

std::string sample(std::size_t size) {
    std::string text(size, '\0');
    for (std::size_t at = 0; at < size; ++at)
        text[at] = static_cast<char>('a' + at % 26);
    return text;
}

/// The files of every run.
class sample_site {
public:
    sample_site() {
        site_.write("small.txt", "small");
        site_.write("index.html", "index");
        site_.write("large.txt", large_);
    }
    [[nodiscard]] directory open() const { return directory::open(root_); }
    [[nodiscard]] const std::string& large() const noexcept { return large_; }

private:
    http::test::temporary_site site_;
    std::string root_ = site_.root().string();
    std::string large_ = sample(large_bytes);
};
const sample_site site;

task<> get_small_twice(endpoint at) {
    auto client = co_await http_client::connect(at);
    for (int time = 0; time < 2; ++time) {
        const std::string body = co_await client.ask("GET /small.txt HTTP/1.1\r\nHost: t\r\n\r\n");
        require(body == "small", "another content");
    }
    const std::string index = co_await client.ask("GET / HTTP/1.1\r\nHost: t\r\n\r\n");
    require(index == "index", "another index");
}

task<> get_large(endpoint at) {
    auto client = co_await http_client::connect(at);
    const std::string body = co_await client.ask("GET /large.txt HTTP/1.1\r\nHost: t\r\n\r\n");
    require(body == site.large(), "another content");
}

task<> get_ranges(endpoint at) {
    auto client = co_await http_client::connect(at);
    const std::string disk =
        co_await client.ask("GET /large.txt HTTP/1.1\r\nHost: t\r\nRange: bytes=1000-1999\r\n\r\n", 206);
    require(disk == site.large().substr(1000, 1000), "another part of a large file");
    const std::string memory =
        co_await client.ask("GET /small.txt HTTP/1.1\r\nHost: t\r\nRange: bytes=-3\r\n\r\n", 206);
    require(memory == "all", "another part of a small file");
    static_cast<void>(
        co_await client.ask("GET /small.txt HTTP/1.1\r\nHost: t\r\nRange: bytes=9-\r\n\r\n", 416));
}

task<> get_unchanged(endpoint at) {
    auto client = co_await http_client::connect(at);
    const std::string none = co_await client.ask(
        "GET /small.txt HTTP/1.1\r\nHost: t\r\nIf-Modified-Since: Sun, 13 Sep 2020 12:26:40 GMT\r\n\r\n",
        304);
    require(none.empty(), "a body without content");
}

task<> get_missing(endpoint at) {
    auto client = co_await http_client::connect(at);
    static_cast<void>(co_await client.ask("GET /missing HTTP/1.1\r\nHost: t\r\n\r\n", 404));
    static_cast<void>(co_await client.ask("POST /small.txt HTTP/1.1\r\nHost: t\r\n\r\n", 405));
}

task<> get_together(endpoint at) {
    co_await when_all(get_small_twice(at), get_ranges(at), get_missing(at));
}

template <task<> (*Client)(endpoint)>
task<> served() {
    http::static_files files(site.open(),
                             http::file_cache_options().small_file_bytes_max(small_file_bytes_max));
    co_await serve_client(files, Client);
}

const scenario_suite listed({
    {"small_files", &served<&get_small_twice>},
    {"a_large_file", &served<&get_large>},
    {"ranges_of_files", &served<&get_ranges>},
    {"a_file_that_has_not_changed", &served<&get_unchanged>},
    {"files_that_are_missing", &served<&get_missing>},
    {"files_for_several_clients", &served<&get_together>, suite_options().stride(3)},
});

}  // namespace
}  // namespace eddy::test::http_files_test
