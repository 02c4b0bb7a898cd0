#include "driver/temporary_directory.hpp"

#include "driver/errors.hpp"

#include <cstddef>
#include <fstream>
#include <random>
#include <stdlib.h>
#include <string>

namespace bench {
namespace fs = std::filesystem;
namespace {

void write_random(const fs::path& path, std::size_t size) {
    std::string body(size, '\0');
    std::minstd_rand random(1);
    for (char& byte : body)
        byte = static_cast<char>(random() >> 8);
    std::ofstream file(path, std::ios::binary);
    if (!file.write(body.data(), static_cast<std::streamsize>(body.size())).flush())
        throw failure("cannot write " + path.string());
}

}  // namespace

temporary_directory::temporary_directory() {
    std::string pattern = fs::temp_directory_path() / "eddy-bench-XXXXXX";
    if (!mkdtemp(pattern.data()))
        throw failure("cannot make a temporary directory");
    path_ = pattern;
    // nginx reads its files as another user.
    fs::permissions(path_, fs::perms::others_read | fs::perms::others_exec, fs::perm_options::add);
}

temporary_directory::~temporary_directory() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

void write_resources(const fs::path& directory) {
    std::ofstream(directory / "hello") << "Hello, World!";
    write_random(directory / "1k.bin", 1024);
    write_random(directory / "1m.bin", std::size_t{1} << 20);
}

}  // namespace bench
