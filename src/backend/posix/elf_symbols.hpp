#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace eddy::io {

/// The functions of an executable file or shared object, by its full symbol table, in which static functions
/// and coroutines stand as well. Holds the file mapped while it lives.
class elf_symbols {
public:
    /// A file that cannot be read, or holds no such table, has no names.
    explicit elf_symbols(const char* path) noexcept;

    struct found {
        const char* name = nullptr;  // null: none. Lives as long as the file is mapped.
        std::uint64_t begin = 0;
    };
    /// The function at an address, counted as the file does.
    [[nodiscard]] found at(std::uint64_t address) const noexcept;

private:
    struct unmapping {
        std::size_t size;
        void operator()(const std::byte* mapped) const noexcept;
    };
    template <class T>
    [[nodiscard]] const T* read(std::uint64_t offset, std::uint64_t count = 1) const noexcept;

    std::unique_ptr<const std::byte, unmapping> file_{nullptr, unmapping{0}};
    const void* symbols_ = nullptr;
    std::size_t symbols_count_ = 0;
    const char* names_ = nullptr;
    std::size_t names_size_ = 0;
};

}  // namespace eddy::io
