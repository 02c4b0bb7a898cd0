#include "driver/process_tree.hpp"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

namespace bench {
namespace {

namespace fs = std::filesystem;

// The fourth field of /proc/PID/stat; the name in the second may hold anything but ends at the last ')'.
pid_t parent_of(const fs::path& directory) {
    std::ifstream file(directory / "stat");
    std::string line, state;
    std::getline(file, line);
    std::istringstream fields(line.substr(line.rfind(')') + 1));
    pid_t parent = 0;
    fields >> state >> parent;
    return parent;
}

std::multimap<pid_t, pid_t> children_by_parent() {
    std::multimap<pid_t, pid_t> children;
    for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
        const std::string name = entry.path().filename();
        pid_t id = 0;
        if (std::from_chars(name.data(), name.data() + name.size(), id).ec == std::errc{})
            children.emplace(parent_of(entry.path()), id);
    }
    return children;
}

}  // namespace

std::vector<pid_t> processes_below(pid_t root) {
    const std::multimap<pid_t, pid_t> children = children_by_parent();
    std::vector<pid_t> family{root};
    for (std::size_t i = 0; i < family.size(); ++i)
        for (auto [child, end] = children.equal_range(family[i]); child != end; ++child)
            family.push_back(child->second);
    return family;
}

}  // namespace bench
