// Files as a whole and in parts, trees, locks, and what happens in a directory.
//
//     build/release/examples/files
//
// It prints:
//
//     replaced: second
//     read at 4: nd
//     3 files in the tree
//     locked once
//     created: new.txt

#include <eddy/eddy.hpp>

#include <array>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>

namespace fs = eddy::fs;

// [snippet: whole]
eddy::task<std::string> save_and_load(eddy::file_path path) {
    co_await fs::replace_file(path, "first");
    co_await fs::replace_file(path, "second");  // atomically: readers find one or the other
    co_return co_await fs::read_file(path, 1'000'000);
}
// [/snippet]

// [snippet: parts]
eddy::task<std::string> read_two_bytes(eddy::file_path path) {
    const eddy::file opened = co_await fs::open(std::move(path));
    std::array<std::byte, 2> memory;
    const std::size_t count = co_await opened.read_at(memory, 4);
    co_return std::string(eddy::as_text(std::span(memory).first(count)));
}
// [/snippet]

// [snippet: walk]
eddy::task<std::size_t> count_files(eddy::file_path below) {
    std::size_t count = 0;
    auto found = fs::walk(std::move(below));
    while (const auto entry = co_await found.next())
        if (entry->kind() == eddy::io::entry_kind::regular)
            ++count;
    co_return count;
}
// [/snippet]

// [snippet: lock]
eddy::task<> lock_once(eddy::file_path path) {
    const eddy::file first = co_await fs::open(path);
    const eddy::file second = co_await fs::open(path);
    const eddy::file_lock held = co_await fs::lock(first);
    const std::optional<eddy::file_lock> refused = co_await fs::try_lock(second);
    if (!refused)
        std::puts("locked once");
}
// [/snippet]

// [snippet: watch]
eddy::task<> tell_what_is_made(const eddy::temporary_directory& in) {
    auto changes = co_await fs::watch(in.path(), eddy::watch_options().recursive());
    co_await fs::write_file(in.at("new.txt"), "text");
    while (const auto change = co_await changes.next())
        if (change->kind == eddy::directory_change::change_kind::created) {
            std::printf("created: %s\n", change->path.c_str());
            co_return;
        }
}
// [/snippet]

eddy::task<> run_all() {
    const auto scratch = co_await fs::make_temporary_directory();
    const std::string text = co_await save_and_load(scratch.at("a.txt"));
    std::printf("replaced: %s\n", text.c_str());
    const std::string part = co_await read_two_bytes(scratch.at("a.txt"));
    std::printf("read at 4: %s\n", part.c_str());
    co_await fs::create_directories(scratch.at("deep/er"));
    co_await fs::write_file(scratch.at("deep/b.txt"), "b");
    co_await fs::write_file(scratch.at("deep/er/c.txt"), "c");
    const std::size_t files = co_await count_files(scratch.path());
    std::printf("%zu files in the tree\n", files);
    co_await lock_once(scratch.at("a.txt"));
    co_await tell_what_is_made(scratch);
}

int main() {
    try {
        eddy::run(run_all());
    } catch (const std::system_error& error) {
        std::fprintf(stderr, "files: %s\n", error.what());
        return 1;
    }
}
