// Loaded into a program by LD_PRELOAD, counts its allocations and those of all that descend from it, in the
// first eight bytes of the file that EDDY_BENCH_ALLOCATIONS names. The file must be there.
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

// What glibc's own functions are called beside their public names.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace {

using counter = std::atomic<std::uint64_t>;
static_assert(counter::is_always_lock_free && sizeof(counter) == sizeof(std::uint64_t));

counter not_shared{0};  // until the file is mapped
std::atomic<counter*> count{&not_shared};

void count_one() {
    count.load(std::memory_order_relaxed)->fetch_add(1, std::memory_order_relaxed);
}

[[gnu::constructor]] void map_the_file() {
    const char* name = std::getenv("EDDY_BENCH_ALLOCATIONS");
    const int file = name ? open(name, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0)
        return;
    void* mapped = mmap(nullptr, sizeof(counter), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (mapped != MAP_FAILED)
        count.store(static_cast<counter*>(mapped), std::memory_order_relaxed);
}

}  // namespace

extern "C" {

void* malloc(std::size_t size) {
    count_one();
    return __libc_malloc(size);
}

void* calloc(std::size_t number, std::size_t size) {
    count_one();
    return __libc_calloc(number, size);
}

void* realloc(void* old, std::size_t size) {
    count_one();
    return __libc_realloc(old, size);
}

void* memalign(std::size_t alignment, std::size_t size) {
    count_one();
    return __libc_memalign(alignment, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
    return memalign(alignment, size);
}

int posix_memalign(void** result, std::size_t alignment, std::size_t size) {
    void* made = memalign(alignment, size);
    if (!made)
        return ENOMEM;
    *result = made;
    return 0;
}

}  // extern "C"
