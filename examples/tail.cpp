// Prints the last lines of files, then what is added to them, as it is written. A file is followed by its
// name: through being removed, replaced by another (rotated) and cut off, and one that is not there yet is
// waited for. A signal ends it.
//
//     build/release/examples/tail -n 5 /var/log/syslog /var/log/auth.log
//     build/release/examples/tail ./out.log
//
// What comes from another file than the line before is headed by "==> NAME <==", if there are several.

#include <eddy/combine/race.hpp>
#include <eddy/combine/task_set.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/fs/directory_watch.hpp>
#include <eddy/fs/file.hpp>
#include <eddy/fs/names.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/os/signals.hpp>
#include <eddy/os/standard_streams.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/sync/mutex.hpp>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace {

constexpr std::size_t block_bytes = 65'536;

/// The standard output, which the files share.
class printer {
public:
    explicit printer(bool has_several) : has_several_(has_several) {}

    eddy::task<> print(const std::string& name, std::string_view bytes) {
        const auto turn = co_await writing_.lock();
        if (has_several_ && name != last_) {
            const std::string heading = (last_.empty() ? "" : "\n") + ("==> " + name + " <==\n");
            co_await output_.write_all(eddy::as_bytes(heading));
            last_ = name;
        }
        co_await output_.write_all(eddy::as_bytes(bytes));
    }

private:
    eddy::output_stream output_ = eddy::standard_output();
    eddy::mutex writing_;
    std::string last_;
    bool has_several_;
};

/// Where the last `lines` lines begin. One that has no end yet counts too.
eddy::task<std::uint64_t> begin_of_last(const eddy::file& in, std::uint64_t size, std::size_t lines) {
    std::string block(block_bytes, '\0');
    std::size_t found = 0;
    for (std::uint64_t end = size; end > 0 && lines != 0;) {
        const std::uint64_t begin = end > block_bytes ? end - block_bytes : 0;
        const std::size_t wanted = static_cast<std::size_t>(end - begin);
        const std::size_t count =
            co_await in.read_at(std::as_writable_bytes(std::span(block).first(wanted)), begin);
        for (std::size_t at = count; at-- > 0;)
            if (block[at] == '\n' && begin + at + 1 != size && ++found == lines)
                co_return begin + at + 1;
        end = begin;
    }
    co_return lines == 0 ? size : 0;
}

/// One file, by its name.
class follower {
public:
    follower(std::string name, printer& out) : name_(std::move(name)), out_(out) {}

    eddy::task<> follow(std::size_t lines) {
        const std::filesystem::path path(name_);
        const std::string directory = path.has_parent_path() ? path.parent_path().string() : ".";
        // Watched first, so that nothing is missed in between.
        auto changes = co_await eddy::fs::watch(directory);
        const bool is_there = co_await open();
        if (is_there) {
            const auto status = file_->status();
            place_ = co_await begin_of_last(*file_, status.size, lines);
        }
        co_await catch_up();
        for (;;) {
            const auto change = co_await changes.next();
            if (!change)
                throw std::runtime_error("the directory of " + name_ + " is gone");
            const bool is_ours = change->path == path.filename() || change->from == path.filename();
            if (is_ours || change->kind == eddy::directory_change::change_kind::overflow)
                co_await catch_up();
        }
    }

private:
    eddy::task<bool> open() {
        auto opened = co_await eddy::as_result(eddy::fs::open(name_));
        if (!opened && opened.error() != std::errc::no_such_file_or_directory)
            throw std::system_error(opened.error(), name_);
        if (!opened)
            co_return false;
        file_.emplace(std::move(*opened));
        place_ = 0;
        co_return true;
    }

    eddy::task<> catch_up() {
        if (file_) {
            const auto status = file_->status();
            if (status.size < place_)
                place_ = 0;  // cut off, and perhaps written anew
            co_await print_rest();
            const bool is_named_so = co_await is_still_there(status);
            if (is_named_so)
                co_return;
            co_await print_rest();  // what came before it was renamed
            file_.reset();
        }
        const bool is_there = co_await open();
        if (is_there)
            co_await print_rest();
    }

    eddy::task<bool> is_still_there(eddy::io::file_status open) {
        const auto named = co_await eddy::as_result(eddy::fs::status(name_));
        co_return named && named->inode == open.inode && named->device == open.device;
    }

    eddy::task<> print_rest() {
        std::string block(block_bytes, '\0');
        for (;;) {
            const std::size_t count =
                co_await file_->read_at(std::as_writable_bytes(std::span(block)), place_);
            if (count == 0)
                co_return;
            place_ += count;
            co_await out_.print(name_, std::string_view(block).substr(0, count));
        }
    }

    std::string name_;
    printer& out_;
    std::optional<eddy::file> file_;
    std::uint64_t place_ = 0;
};

eddy::task<> follow_one(std::string name, printer& out, std::size_t lines) {
    follower one(std::move(name), out);
    co_await one.follow(lines);
}

eddy::task<> follow_all(std::vector<std::string> names, std::size_t lines) {
    eddy::signal_set ending({SIGINT, SIGTERM});
    printer out(names.size() > 1);
    eddy::task_set files([](std::exception_ptr error) {
        try {
            std::rethrow_exception(error);
        } catch (const std::exception& thrown) {
            std::fprintf(stderr, "tail: %s\n", thrown.what());
        }
    });
    for (std::string& name : names)
        files.spawn(follow_one(std::move(name), out, lines), "file");
    co_await eddy::race(files.join(), ending.wait());
}

}  // namespace

int main(int count, char** arguments) {
    std::vector<std::string> names(arguments + 1, arguments + count);
    std::size_t lines = 10;
    if (names.size() >= 2 && names[0] == "-n") {
        const std::string& text = names[1];
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), lines);
        if (error != std::errc() || end != text.data() + text.size())
            names.clear();
        else
            names.erase(names.begin(), names.begin() + 2);
    }
    if (names.empty()) {
        std::fputs("usage: tail [-n LINES] FILE...\n", stderr);
        return 2;
    }
    try {
        eddy::run(follow_all(std::move(names), lines));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "tail: %s\n", error.what());
        return 1;
    }
}
