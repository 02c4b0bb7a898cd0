// A shared object that contains the library where that is a static one.
#include "web.hpp"

extern "C" [[gnu::visibility("default")]] bool plugin_asks_itself() {
    return eddy::run(ask_itself());
}
