#include "backend/posix/elf_symbols.hpp"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <span>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace eddy::io {

namespace {

using header = ElfW(Ehdr);
using section = ElfW(Shdr);
using symbol = ElfW(Sym);

struct closing {
    int descriptor;
    explicit closing(int opened) noexcept : descriptor(opened) {}
    closing(const closing&) = delete;
    closing& operator=(const closing&) = delete;
    ~closing() {
        if (descriptor >= 0)
            ::close(descriptor);
    }
};

bool is_function(const symbol& candidate) noexcept {
    return (candidate.st_info & 0xf) == STT_FUNC && candidate.st_value != 0;
}

}  // namespace

void elf_symbols::unmapping::operator()(const std::byte* mapped) const noexcept {
    ::munmap(const_cast<std::byte*>(mapped), size);
}

// What a damaged file says leads nowhere: null if it is not all inside of the file.
template <class T>
const T* elf_symbols::read(std::uint64_t offset, std::uint64_t count) const noexcept {
    const std::size_t size = file_.get_deleter().size;
    if (offset > size || count > (size - offset) / sizeof(T) || offset % alignof(T) != 0)
        return nullptr;
    return reinterpret_cast<const T*>(file_.get() + offset);
}

elf_symbols::elf_symbols(const char* path) noexcept {
    const closing file(::open(path, O_RDONLY | O_CLOEXEC));
    struct stat status{};
    if (file.descriptor < 0 || ::fstat(file.descriptor, &status) != 0 || status.st_size == 0)
        return;
    const auto size = static_cast<std::size_t>(status.st_size);
    void* const mapped = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.descriptor, 0);
    if (mapped == MAP_FAILED)
        return;
    file_ = {static_cast<const std::byte*>(mapped), unmapping{size}};

    const auto* const head = read<header>(0);
    if (head == nullptr ||
        std::string_view(reinterpret_cast<const char*>(head->e_ident), SELFMAG) != ELFMAG ||
        head->e_ident[EI_CLASS] != (sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32))
        return;
    const auto* const sections = read<section>(head->e_shoff, head->e_shnum);
    if (sections == nullptr)
        return;
    for (const section& each : std::span(sections, head->e_shnum)) {
        if (each.sh_type != SHT_SYMTAB || each.sh_link >= head->e_shnum)
            continue;
        const section& strings = sections[each.sh_link];
        names_ = read<char>(strings.sh_offset, strings.sh_size);
        names_size_ = strings.sh_size;
        symbols_count_ = each.sh_size / sizeof(symbol);
        symbols_ = read<symbol>(each.sh_offset, symbols_count_);
    }
    // The names end with a zero, so that each of them does.
    if (symbols_ == nullptr || names_ == nullptr || names_size_ == 0 || names_[names_size_ - 1] != '\0')
        symbols_count_ = 0;
}

elf_symbols::found elf_symbols::at(std::uint64_t address) const noexcept {
    for (const symbol& each : std::span(static_cast<const symbol*>(symbols_), symbols_count_))
        if (is_function(each) && address >= each.st_value && address - each.st_value < each.st_size &&
            each.st_name < names_size_)
            return {names_ + each.st_name, each.st_value};
    return {};
}

}  // namespace eddy::io
