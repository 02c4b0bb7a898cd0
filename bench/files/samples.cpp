#include "files/samples.hpp"

#include "measure/sample.hpp"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
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

// Below TMPDIR, whole or not at all.
template <class Make>
std::filesystem::path made_once(const char* name, Make make) {
    const auto root = std::filesystem::temp_directory_path() / "eddy-bench-files";
    if (!std::filesystem::exists(root / name)) {
        std::filesystem::remove_all(root / "growing");
        std::filesystem::create_directories(root);
        make(root / "growing");
        std::filesystem::rename(root / "growing", root / name);
    }
    return root / name;
}

}  // namespace

std::uint64_t sample_file_bytes() {
    const char* const mib = std::getenv("EDDY_BENCH_FILE_MIB");
    return (mib ? std::strtoull(mib, nullptr, 10) : 256) << 20;
}

std::string sample_file() {
    const auto path = made_once("large", [](const auto& at) { write_file(at, sample_file_bytes()); });
    read_file(path);
    return path;
}

std::string sample_tree() {
    return made_once("tree", make_tree);
}

}  // namespace bench
