#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace eddy::apps {

/// Cuts what arrives into the server's answers: heads with a Content-Length, and their bodies.
class answer_reader {
public:
    struct answer {
        unsigned status = 0;
        std::string_view body;
    };

    /// Calls take(answer) for each that is whole by now; its body is valid meanwhile. Throws
    /// std::system_error with bad_message for what is no such response.
    template <class Function>
    void read(std::span<const std::byte> arrived, Function&& take) {
        received_.append(reinterpret_cast<const char*>(arrived.data()), arrived.size());
        std::string_view rest = received_;
        while (const std::size_t size = find(rest)) {
            take(found_);
            rest.remove_prefix(size);
        }
        received_.erase(0, received_.size() - rest.size());
    }

private:
    /// Parses the response that the bytes begin with, into found_. Returns its size, or 0 if it is not whole.
    [[nodiscard]] std::size_t find(std::string_view bytes);

    std::string received_;
    answer found_;
};

}  // namespace eddy::apps
