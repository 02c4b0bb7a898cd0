// A program that knows nothing of eddy and loads a plugin that uses it, on a thread that it has already.
#include <cstdio>
#include <dlfcn.h>
#include <thread>

namespace {

int use(const char* path) {
    void* const plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (plugin == nullptr) {
        std::fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    const auto asks_itself = reinterpret_cast<bool (*)()>(dlsym(plugin, "plugin_asks_itself"));
    return asks_itself != nullptr && asks_itself() ? 0 : 1;
}

}  // namespace

int main(int, char** arguments) {
    int status = use(arguments[1]);
    std::thread another([&] { status += use(arguments[1]); });
    another.join();
    return status;
}
