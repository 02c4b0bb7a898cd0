// Files and directories: opening, reading by both ways, and what is not there.

#include "http/temporary_site.hpp"
#include "support/numbered_bytes.hpp"
#include "support/scenario_suite.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/combine/when_all.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/fs/directory.hpp>
#include <eddy/fs/file.hpp>
#include <eddy/io/owned_bytes.hpp>
#include <eddy/runtime/sleep.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>

namespace eddy::test::file_test {
namespace {

constexpr std::size_t file_bytes = 10'000;

std::string numbered_text() {
    std::string text(file_bytes, '\0');
    fill_numbered(std::as_writable_bytes(std::span(text)), 0);
    return text;
}

/// The files of every run.
class sample_files {
public:
    sample_files() {
        site_.write("numbered", numbered_text());
        site_.write("empty", {});
        site_.write("below/inner", "inner");
    }
    [[nodiscard]] directory open() const { return directory::open(root_); }

private:
    http::test::temporary_site site_;
    std::string root_ = site_.root().string();
};
const sample_files samples;

task<> opens_a_file() {
    directory root = samples.open();
    const file opened = co_await root.open_file("numbered");
    require(opened.status().size == file_bytes, "another size");
}

task<> opens_what_is_not_there() {
    directory root = samples.open();
    const auto missing = co_await as_result(root.open_file("below/missing"));
    require_error(missing, std::errc::no_such_file_or_directory, "a missing file was opened");
    const auto outside = co_await as_result(root.open_file("../outside"));
    require_error(outside, std::errc::cross_device_link, "a file outside was opened");
}

task<> opens_several_at_once() {
    directory root = samples.open();
    const auto opened = co_await when_all(root.open_file("numbered"), root.open_file("below/inner"));
    require(std::get<0>(opened).status().size == file_bytes && std::get<1>(opened).status().size == 5,
            "other sizes");
}

task<> opens_in_time() {
    directory root = samples.open();
    const file opened = co_await with_timeout(root.open_file("empty"), std::chrono::seconds(30));
    require(opened.status().size == 0, "another size");
}

task<> reads_into_borrowed_memory() {
    directory root = samples.open();
    const file opened = co_await root.open_file("numbered");
    std::array<std::byte, 4096> out{};
    std::size_t place = 0;
    for (;;) {
        const std::size_t count = co_await opened.read_at(out, place);
        if (count == 0)
            break;
        require(count_numbered(std::span(out).first(count), place) == count, "bytes out of place");
        place += count;
    }
    require(place == file_bytes, "another size");
}

task<> reads_into_memory_of_its_own() {
    directory root = samples.open();
    const file opened = co_await root.open_file("numbered");
    const owned_bytes whole = co_await opened.read_owned_at(0, 2 * file_bytes);
    require(whole.size() == file_bytes && count_numbered(whole.bytes(), 0) == file_bytes, "another content");
    const owned_bytes after_end = co_await opened.read_owned_at(file_bytes, 100);
    require(after_end.empty(), "bytes after the end");
}

task<> reads_at_several_places_at_once() {
    directory root = samples.open();
    const file opened = co_await root.open_file("numbered");
    std::array<std::byte, 1000> front{};
    std::array<std::byte, 1000> back{};
    const auto read = co_await when_all(opened.read_at(front, 0), opened.read_at(back, 9000),
                                        opened.read_owned_at(std::size_t{5000}, 1000));
    require(std::get<0>(read) == 1000 && count_numbered(front, 0) == 1000, "another front");
    require(std::get<1>(read) == 1000 && count_numbered(back, 9000) == 1000, "another back");
    require(count_numbered(std::get<2>(read).bytes(), 5000) == 1000, "another middle");
}

task<> races_a_read_and_a_timer() {
    directory root = samples.open();
    const file opened = co_await root.open_file("numbered");
    std::array<std::byte, 1000> out{};
    const auto won = co_await race(opened.read_at(out, 0), sleep_for(std::chrono::seconds(30)));
    require(won.index() == 0, "half a minute was not enough");
    // Either may win here.
    co_await race(opened.read_at(out, 0), sleep_for(std::chrono::microseconds(1)));
    co_await race(opened.read_owned_at(std::size_t{0}, 1000), sleep_for(std::chrono::microseconds(1)));
}

task<> reads_a_directory() {
    directory root = samples.open();
    const file below = co_await root.open_file("below");
    std::array<std::byte, 10> out{};
    const auto nothing = co_await as_result(below.read_at(out, 0));
    require_error(nothing, std::errc::is_a_directory, "a directory was read");
}

const scenario_suite listed({
    {"an_open_file", &opens_a_file},
    {"missing_files", &opens_what_is_not_there},
    {"several_files_opened_at_once", &opens_several_at_once},
    {"a_file_opened_in_time", &opens_in_time},
    {"borrowed_reads_of_a_file", &reads_into_borrowed_memory},
    {"owned_reads_of_a_file", &reads_into_memory_of_its_own},
    {"reads_at_several_places", &reads_at_several_places_at_once},
    {"a_race_of_a_file_and_a_timer", &races_a_read_and_a_timer},
    {"a_directory_read_as_a_file", &reads_a_directory},
});

}  // namespace
}  // namespace eddy::test::file_test
