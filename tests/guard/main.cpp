// Makes a hot path some times, for tools that count what it does.
//   hot_path NAME TIMES    makes it so many times after a warm-up; prints how often that allocated
//   hot_path               names all
#include "guard/hot_path.hpp"
#include "support/allocation_counter.hpp"

#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>
#include <time.h>

namespace {

// One time for all clocks, of this program's own. What a deadline costs depends on where in the wheel of
// timers it falls: near the end of a wide slot it is a tenth of a request more.
constexpr std::int64_t now_s = 1'800'000'000;
std::atomic<std::int64_t> now_ns = 0;  // of that second, which does not end
constexpr std::int64_t step_ns = 1000;

void run(const eddy::guard::hot_path& path, std::uint64_t times) {
    constexpr std::uint64_t warm_up = 200;
    path.run(warm_up);
    const std::uint64_t before = eddy::test::allocations();
    path.run(times);
    std::printf("allocations %" PRIu64 "\n", eddy::test::allocations() - before);
}

}  // namespace

// Instead of the C library's: every look at a clock finds it a little later than the one before.
extern "C" int clock_gettime(clockid_t, timespec* now) noexcept {
    *now = {now_s, now_ns.fetch_add(step_ns, std::memory_order_relaxed)};
    return 0;
}

int main(int argc, char** argv) {
    for (const auto paths : {eddy::guard::task_paths(), eddy::guard::waiting_paths(), eddy::guard::io_paths(),
                             eddy::guard::http2_paths()})
        for (const eddy::guard::hot_path& path : paths) {
            if (argc < 3) {
                std::printf("%.*s\n", static_cast<int>(path.name.size()), path.name.data());
            } else if (path.name == argv[1]) {
                run(path, std::strtoull(argv[2], nullptr, 10));
                return EXIT_SUCCESS;
            }
        }
    return argc < 3 ? EXIT_SUCCESS : EXIT_FAILURE;
}
