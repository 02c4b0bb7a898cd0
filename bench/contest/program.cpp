#include "contest/program.hpp"

#include "driver/errors.hpp"

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <sstream>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace bench {
namespace {

[[noreturn]] void become(std::vector<std::string>& words, int output) {
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(output, STDOUT_FILENO);
    execv(pointers[0], pointers.data());
    _exit(127);
}

std::string read_to_end(int descriptor) {
    std::string text;
    char bytes[512];
    for (ssize_t count; (count = read(descriptor, bytes, sizeof bytes)) > 0;)
        text.append(bytes, static_cast<std::size_t>(count));
    return text;
}

// What it prints.
std::string output_of(std::vector<std::string> words) {
    int ends[2];
    if (pipe(ends) != 0)
        throw failure("no pipe for " + words[0]);
    const pid_t child = fork();
    if (child == 0)
        become(words, ends[1]);
    close(ends[1]);
    const std::string text = read_to_end(ends[0]);
    close(ends[0]);
    int status = 1;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        throw failure(words[0] + " has failed");
    return text;
}

}  // namespace

std::string program_beside(const std::string& name) {
    std::error_code error;
    const auto path = std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / name;
    return std::filesystem::exists(path, error) ? path.string() : "";
}

sample run_program(const std::string& path, const std::string& arguments) {
    std::vector<std::string> words{path};
    std::istringstream each(arguments);
    for (std::string word; each >> word;)
        words.push_back(word);
    std::istringstream line(output_of(words));
    sample result;
    line >> result.items >> result.seconds >> result.cpu_seconds >> result.peak_memory_bytes;
    if (!line || result.items <= 0 || result.seconds <= 0 || result.cpu_seconds <= 0)
        throw failure(path + " printed no sample");
    return result;
}

}  // namespace bench
