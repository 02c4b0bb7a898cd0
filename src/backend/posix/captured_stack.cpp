#include "backend/posix/elf_symbols.hpp"

#include <eddy/io/captured_stack.hpp>

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cxxabi.h>
#include <dlfcn.h>
#include <link.h>
#include <map>
#include <string_view>
#include <utility>

namespace eddy::io {

namespace {

std::string in_hexadecimal(std::uint64_t number) {
    std::array<char, 16> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16).ptr;
    return "0x" + std::string(digits.data(), end);
}

std::string demangled(const char* name) {
    int status = 0;
    char* const words = abi::__cxa_demangle(name, nullptr, nullptr, &status);
    std::string text = words != nullptr ? words : name;
    std::free(words);
    return text;
}

std::string last_part(std::string_view path) {
    return std::string(path.substr(path.rfind('/') + 1));
}

/// The files of a process, each opened when first met.
class opened_files {
public:
    [[nodiscard]] const elf_symbols& of(const link_map& loaded) {
        // The program itself has no name there.
        const char* const path = loaded.l_name[0] != '\0' ? loaded.l_name : "/proc/self/exe";
        return files_.try_emplace(loaded.l_addr, path).first->second;
    }

private:
    std::map<std::uintptr_t, elf_symbols> files_;
};

std::string in_words(const void* place, const void* looked_up, opened_files& files) {
    const auto address = reinterpret_cast<std::uintptr_t>(place);
    Dl_info exported{};
    link_map* loaded = nullptr;
    if (::dladdr1(looked_up, &exported, reinterpret_cast<void**>(&loaded), RTLD_DL_LINKMAP) == 0 ||
        loaded == nullptr)
        return in_hexadecimal(address);
    const std::string file = last_part(exported.dli_fname);
    const auto found = files.of(*loaded).at(reinterpret_cast<std::uintptr_t>(looked_up) - loaded->l_addr);
    if (found.name != nullptr)
        return demangled(found.name) + " + " + in_hexadecimal(address - loaded->l_addr - found.begin) + " (" +
               file + ')';
    if (exported.dli_sname != nullptr)
        return demangled(exported.dli_sname) + " + " +
               in_hexadecimal(address - reinterpret_cast<std::uintptr_t>(exported.dli_saddr)) + " (" + file +
               ')';
    return file + " + " + in_hexadecimal(address - loaded->l_addr);
}

}  // namespace

std::vector<std::string> symbolised(const captured_stack& stack) {
    opened_files files;
    std::vector<std::string> words;
    for (std::size_t at = stack.inner; at < stack.depth; ++at) {
        const auto* const place = static_cast<const std::byte*>(stack.places[at]);
        // All but the interrupted place are where a call returns to, which may be another function's first
        // instruction.
        const bool is_interrupted = at == stack.inner && stack.inner != 0;
        words.push_back(in_words(place, is_interrupted ? place : place - 1, files));
    }
    return words;
}

}  // namespace eddy::io
