#include "backend/posix/tree_remover.hpp"

#include "backend/posix/directory_listing.hpp"

#include <eddy/core/clock.hpp>

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace eddy::backends {

namespace {

constexpr auto step_time = std::chrono::milliseconds(2);

// Directories are on a stack, by their paths from the topmost one. The one on top is emptied: its files are
// removed, and its directories put on the stack above it. When it is on top again it is empty, and removed from
// the directory above, which like all of them is opened without following a symbolic link.
class tree_remover final : public io::tree_removal {
public:
    explicit tree_remover(std::string path) : path_(std::move(path)) {}
    ~tree_remover() override {
        if (top_ >= 0)
            ::close(top_);
    }

    int step() override;
    std::uint64_t removed() const noexcept override { return removed_; }

private:
    // How often a directory is emptied in which another process keeps creating files.
    static constexpr int emptyings_max = 16;
    // How much is done before the clock is looked at.
    static constexpr int entries_at_once = 32;

    struct pending {
        std::string path;  // empty for the topmost
        int emptyings = 0;
        bool is_emptied = false;
    };

    [[nodiscard]] int begin();
    [[nodiscard]] int advance();
    [[nodiscard]] int begin_emptying(pending& directory);
    [[nodiscard]] int go_on_emptying();
    [[nodiscard]] int remove_entry(const directory_listing::entry& found);
    [[nodiscard]] int remove_emptied(pending& directory);
    [[nodiscard]] int remove_directory(const std::string& path);
    // Of the call that was made last.
    [[nodiscard]] int note(int result) noexcept;

    std::string path_;
    int top_ = -1;
    bool has_begun_ = false;
    std::uint64_t removed_ = 0;
    directory_listing listed_;
    std::string listed_path_;  // with a slash behind, or empty
    std::vector<pending> stack_;
};

int tree_remover::note(int result) noexcept {
    // Another process may have been faster.
    if (result < 0)
        return errno == ENOENT ? 0 : -errno;
    ++removed_;
    return 0;
}

int tree_remover::step() {
    const time_point end = clock::now() + step_time;
    do {
        const int result = has_begun_ ? advance() : begin();
        if (result < 0)
            return result;
        if (stack_.empty())
            return 0;
    } while (clock::now() < end);
    return 1;
}

int tree_remover::begin() {
    has_begun_ = true;
    const int result = listed_.open(path_.c_str(), false);
    if (result == -ENOTDIR || result == -ELOOP)
        return note(::unlink(path_.c_str()));
    if (result < 0)
        return result == -ENOENT ? 0 : result;
    stack_.push_back({});
    top_ = listed_.release();
    return 0;
}

int tree_remover::advance() {
    if (listed_.is_open())
        return go_on_emptying();
    pending& directory = stack_.back();
    return directory.is_emptied ? remove_emptied(directory) : begin_emptying(directory);
}

int tree_remover::begin_emptying(pending& directory) {
    if (++directory.emptyings > emptyings_max)
        return -ENOTEMPTY;
    directory.is_emptied = true;
    listed_path_ = directory.path.empty() ? std::string() : directory.path + '/';
    const int result = listed_.open_below(top_, directory.path.empty() ? "." : directory.path.c_str());
    // It has gone, or become something else, which its removal will see to.
    return result == -ENOENT || result == -ENOTDIR || result == -ELOOP ? 0 : result;
}

int tree_remover::go_on_emptying() {
    directory_listing::entry found{};
    for (int count = 0; count < entries_at_once; ++count) {
        int result = listed_.next(found);
        if (result <= 0) {
            listed_.close();
            return result;
        }
        result = remove_entry(found);
        if (result < 0)
            return result;
    }
    return 0;
}

int tree_remover::remove_entry(const directory_listing::entry& found) {
    if (found.kind != io::entry_kind::directory) {
        const int result = note(::unlinkat(listed_.descriptor(), found.name.data(), 0));
        if (result != -EISDIR)
            return result;
    }
    stack_.push_back({listed_path_ + std::string(found.name)});
    return 0;
}

int tree_remover::remove_emptied(pending& directory) {
    const int result = remove_directory(directory.path);
    if (result == -ENOTEMPTY || result == -EEXIST) {
        directory.is_emptied = false;
        return 0;
    }
    if (result >= 0)
        stack_.pop_back();
    return result;
}

int tree_remover::remove_directory(const std::string& path) {
    if (path.empty())
        return note(::rmdir(path_.c_str()));
    const auto slash = path.rfind('/');
    const bool is_direct = slash == std::string::npos;
    const int above = is_direct ? top_ : open_directory_below(top_, path.substr(0, slash).c_str());
    if (above < 0)
        return above == -ENOENT || above == -ENOTDIR || above == -ELOOP ? 0 : above;
    const char* const name = is_direct ? path.c_str() : path.c_str() + slash + 1;
    int result = note(::unlinkat(above, name, AT_REMOVEDIR));
    if (result == -ENOTDIR)
        result = note(::unlinkat(above, name, 0));
    if (!is_direct)
        ::close(above);
    return result;
}

}  // namespace

std::unique_ptr<io::tree_removal> make_tree_remover(std::string path) {
    return std::make_unique<tree_remover>(std::move(path));
}

}  // namespace eddy::backends
