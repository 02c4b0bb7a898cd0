// Measures eddy's reads of files against the same loop written on liburing, and its walk of a tree against
// find(1).
//   eddy-bench-files --file-mib 4096 --contest sequential --repeat 9
#include "contest/run_suite.hpp"
#include "files/contests.hpp"

#include <cstdlib>
#include <string_view>
#include <vector>

namespace {

constexpr std::uint64_t file_mib_default = 256;

// Takes the suite's own option out of the others.
std::uint64_t take_file_mib(std::vector<char*>& arguments) {
    for (std::size_t at = 1; at + 1 < arguments.size(); ++at)
        if (std::string_view(arguments[at]) == "--file-mib") {
            const std::uint64_t mib = std::strtoull(arguments[at + 1], nullptr, 10);
            arguments.erase(arguments.begin() + static_cast<std::ptrdiff_t>(at),
                            arguments.begin() + static_cast<std::ptrdiff_t>(at) + 2);
            return mib;
        }
    return file_mib_default;
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<char*> arguments(argv, argv + argc);
    const std::uint64_t mib = take_file_mib(arguments);
    const bench::samples_on_disk samples(mib << 20);
    return bench::run_suite(bench::files_suite(samples), static_cast<int>(arguments.size()),
                            arguments.data());
}
