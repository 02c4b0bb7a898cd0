// Files that are made and changed: writing, whole files, names, trees, copies, locks and temporaries.

#include "support/scenario_suite.hpp"
#include "support/scratch_directory.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/fs/directory_walk.hpp>
#include <eddy/fs/directory_watch.hpp>
#include <eddy/fs/file_lock.hpp>
#include <eddy/fs/names.hpp>
#include <eddy/fs/temporary.hpp>
#include <eddy/fs/whole_file.hpp>
#include <eddy/io/buffer.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <system_error>

namespace eddy::test::file_work_test {
namespace {

/// What every run works in. A run that was dropped leaves things there, which the next puts up with.
const scratch_directory place;

task<> writes_and_reads() {
    file made = co_await fs::open(place.at("written"), open_options().read().write().create().truncate());
    co_await made.write_all_at(as_bytes("0123456789"), 0);
    const std::array<const_buffer, 2> parts = {const_buffer(std::string_view("ab")),
                                               const_buffer(std::string_view("cd"))};
    const std::size_t written = co_await made.write_at(parts, 2);
    require(written == 4, "another number of bytes");
    std::array<std::byte, 6> out{};
    const std::size_t count = co_await made.read(out);
    require(count == 6 && as_text(out) == "01abcd", "another text");
    co_await made.write(as_bytes("ef"));
    require(made.position() == 8 && made.size() == 10, "another place");
}

task<> changes_a_file() {
    const file made = co_await fs::open(place.at("changed"), open_options().write().create());
    co_await when_all(made.allocate(0, 5000), made.sync_data());
    co_await made.truncate(100);
    co_await made.sync();
    require(made.size() == 100, "another size");
}

task<> replaces_a_file() {
    co_await fs::replace_file(place.at("replaced"), "new content");
    const std::string found = co_await fs::read_file(place.at("replaced"));
    require(found == "new content", "another content");
    co_await fs::write_file(place.at("replaced"), "newer");
    const auto too_large = co_await as_result(fs::read_file(place.at("replaced"), 4));
    require_error(too_large, std::errc::file_too_large, "more than the limit was read");
}

task<> changes_names() {
    co_await fs::remove_all(place.at("names"));
    co_await fs::create_directories(place.at("names/a/b"));
    co_await fs::write_file(place.at("names/a/one"), "one");
    co_await fs::rename(place.at("names/a/one"), place.at("names/a/b/two"));
    co_await when_all(fs::link(place.at("names/a/b/two"), place.at("names/hard")),
                      fs::symlink("a/b/two", place.at("names/soft")));
    const io::file_status status = co_await fs::status(place.at("names/soft"));
    require(status.size == 3 && status.links == 2, "another file");
    const std::string target = co_await fs::read_link(place.at("names/soft"));
    require(target == "a/b/two", "another target");
    const auto none = co_await as_result(fs::remove(place.at("names/missing")));
    require_error(none, std::errc::no_such_file_or_directory, "what is not there was removed");
    const std::uint64_t removed = co_await fs::remove_all(place.at("names"));
    require(removed == 6, "more or less was removed");
}

void make_tree() {
    for (const char* const path : {"tree/a/1", "tree/a/2", "tree/b/c/3"})
        place.write(path, "");
}

task<> walks_a_tree() {
    make_tree();
    std::size_t count = 0;
    directory_walk walk = fs::walk(place.at("tree"));
    while (const auto entry = co_await walk.next())
        ++count;
    require(count == 6, "more or less was found");
    directory_walk listed = fs::entries(place.at("tree"));
    while (const auto entry = co_await listed.next())
        ++count;
    require(count == 8, "more or less was listed");
    directory_walk none = fs::walk(place.at("missing"));
    const auto first = co_await as_result(none.next());
    require_error(first, std::errc::no_such_file_or_directory, "what is not there was walked");
}

task<> copies_a_file() {
    place.write("original", "content");
    const std::uint64_t bytes = co_await fs::copy_file(place.at("original"), place.at("copy"));
    require(bytes == 7 && place.read("copy") == "content", "another copy");
    const auto kept = co_await as_result(fs::copy_file_new(place.at("original"), place.at("copy")));
    require_error(kept, std::errc::file_exists, "a file was overwritten");
}

task<> locks_a_file() {
    place.write("locked", "");
    const file first = co_await fs::open(place.at("locked"));
    const file second = co_await fs::open(place.at("locked"));
    {
        const file_lock held = co_await fs::lock(first);
        const auto late = co_await as_result(with_timeout(fs::lock(second), std::chrono::milliseconds(2)));
        require_error(late, std::errc::timed_out, "both have the lock");
    }
    const file_lock mine = co_await fs::lock(second);
}

task<> watches_a_tree() {
    co_await fs::remove_all(place.at("watched"));
    co_await fs::create_directories(place.at("watched/below"));
    directory_watch watch = co_await fs::watch(place.at("watched"), watch_options().recursive());
    place.write("watched/below/file", "");
    std::filesystem::rename(place.at("watched/below"), place.at("watched/renamed"));
    place.write("watched/renamed/other", "");
    while (const auto change = co_await watch.next())
        if (change->path == "renamed/other")
            co_return;
}

task<> uses_temporaries() {
    temporary_directory made = co_await fs::make_temporary_directory(place.root());
    co_await fs::write_file(made.at("file"), "content");
    file unnamed = co_await fs::make_temporary_file(place.root());
    co_await unnamed.write(as_bytes("content"));
    co_await made.remove();
}

const scenario_suite listed({
    {"a_file_written_and_read", &writes_and_reads},
    {"a_file_changed", &changes_a_file},
    {"a_file_replaced", &replaces_a_file},
    {"names_changed", &changes_names},
    {"a_tree_walked", &walks_a_tree},
    {"a_file_copied", &copies_a_file},
    {"a_file_locked", &locks_a_file},
    {"a_tree_watched", &watches_a_tree},
    {"temporaries", &uses_temporaries},
});

}  // namespace
}  // namespace eddy::test::file_work_test
