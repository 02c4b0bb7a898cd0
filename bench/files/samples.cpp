#include "files/samples.hpp"

#include "driver/errors.hpp"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace bench {
namespace {

void write_file(const std::string& path, std::uint64_t size) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    const std::vector<char> block(1 << 20, 'b');
    for (std::uint64_t written = 0; written < size;) {
        const auto more = ::write(file, block.data(), std::min<std::uint64_t>(block.size(), size - written));
        if (more <= 0)
            throw failure("cannot write " + path);
        written += static_cast<std::uint64_t>(more);
    }
    ::fsync(file);
    ::close(file);
}

void read_file(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    std::vector<char> block(1 << 20);
    while (::read(file, block.data(), block.size()) > 0) {
    }
    ::close(file);
}

void make_tree(const std::filesystem::path& root) {
    for (int outer = 0; outer < 100; ++outer)
        for (int inner = 0; inner < 10; ++inner) {
            const auto directory = root / std::to_string(outer) / std::to_string(inner);
            std::filesystem::create_directories(directory);
            for (int number = 0; number < 100; ++number)
                std::ofstream(directory / ("file-" + std::to_string(number)));
        }
}

}  // namespace

samples_on_disk::samples_on_disk(std::uint64_t file_bytes) : file_bytes_(file_bytes) {
    std::string name = (std::filesystem::temp_directory_path() / "eddy-bench-files-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
        throw failure("cannot make a directory in " + name);
    root_ = name;
}

samples_on_disk::~samples_on_disk() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
}

std::string samples_on_disk::file() const {
    const auto path = root_ / "large";
    if (!std::filesystem::exists(path)) {
        write_file((root_ / "growing").string(), file_bytes_);
        std::filesystem::rename(root_ / "growing", path);
    }
    read_file(path.string());
    return path.string();
}

std::string samples_on_disk::tree() const {
    const auto path = root_ / "tree";
    if (!std::filesystem::exists(path)) {
        make_tree(root_ / "growing-tree");
        std::filesystem::rename(root_ / "growing-tree", path);
    }
    return path.string();
}

}  // namespace bench
