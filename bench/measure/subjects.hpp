#pragma once

#include "measure/benchmark.hpp"

#include <eddy/runtime/runtime_options.hpp>

#include <initializer_list>
#include <type_traits>

namespace bench {

// How a work, whose member `seconds` is the window, is done.
template <class Work>
struct named_way {
    std::string name;
    sample (*measure)(const Work& work);
};
template <class Work>
using eddy_way = sample (*)(eddy::backend_kind backend, const Work& work);

// Subjects that do the same work, each in its way, and eddy on either backend.
template <class Work>
std::vector<subject> subjects_of(Work work,
                                 std::initializer_list<std::type_identity_t<named_way<Work>>> others,
                                 std::type_identity_t<eddy_way<Work>> eddys = nullptr) {
    std::vector<subject> made;
    for (const named_way<Work>& way : others)
        made.push_back({way.name, [work, measure = way.measure](double seconds) mutable {
                            work.seconds = seconds;
                            return measure(work);
                        }});
    if (eddys)
        for (const auto& [name, backend] : {std::pair{"eddy_io_uring", eddy::backend_kind::io_uring},
                                            std::pair{"eddy_epoll", eddy::backend_kind::epoll}})
            made.push_back({name, [work, eddys, backend = backend](double seconds) mutable {
                                work.seconds = seconds;
                                return eddys(backend, work);
                            }});
    return made;
}

// A subject that measures with more than the seconds.
template <class Measure, class... Arguments>
subject subject_by(std::string name, Measure measure, Arguments... arguments) {
    return {std::move(name), [=](double seconds) { return measure(seconds, arguments...); }};
}

}  // namespace bench
