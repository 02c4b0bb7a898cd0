#include <eddy/etcd/key_range.hpp>

namespace eddy::etcd {

// The end is the first key behind: the last byte one higher, without those that are the highest.
key_range key_range::prefix(std::string begin) {
    std::string end = begin;
    while (!end.empty() && end.back() == '\xff')
        end.pop_back();
    if (end.empty())
        return from(begin.empty() ? std::string(1, '\0') : std::move(begin));
    end.back() = static_cast<char>(end.back() + 1);
    return key_range(std::move(begin), std::move(end));
}

}  // namespace eddy::etcd
