#pragma once

#include <cstddef>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

namespace bench {

// HTTP as far as a benchmark's lower limit needs it: a request ends at the empty line, its first letter
// says which of two prepared replies it gets. Nothing else is looked at.
class unparsed_http {
public:
    // `root` may be empty, then only /hello is served.
    explicit unparsed_http(const std::string& root) : hello_(reply_with("text/plain", "Hello, World!")) {
        if (root.empty())
            return;
        std::ifstream file(root + "/1k.bin", std::ios::binary);
        if (!file)
            throw std::runtime_error("cannot read " + root + "/1k.bin");
        file_ = reply_with("application/octet-stream", {std::istreambuf_iterator<char>(file), {}});
    }

    // The length of the first whole request in `bytes`, 0 when there is none.
    static std::size_t request_length(std::string_view bytes) {
        const std::size_t end = bytes.find("\r\n\r\n");
        return end == bytes.npos ? 0 : end + 4;
    }

    // The reply to a whole request, good for the life of this object.
    std::string_view reply_to(std::string_view request) const {
        return request.starts_with("GET /h") ? hello_ : file_;
    }

    // Sends the reply to each whole request; what is no whole one yet is kept in `unparsed` until more comes.
    // False when the connection is lost, or too much has come.
    template <class Send>
    bool answer_all(std::string& unparsed, std::string_view bytes, Send send) const {
        if (!unparsed.empty())
            bytes = unparsed += bytes;
        while (const std::size_t length = request_length(bytes)) {
            if (!send(reply_to(bytes.substr(0, length))))
                return false;
            bytes.remove_prefix(length);
        }
        if (!bytes.empty() || !unparsed.empty())
            unparsed = std::string(bytes);
        return unparsed.size() < 65536;
    }

private:
    static std::string reply_with(const std::string& type, const std::string& body) {
        return "HTTP/1.1 200 OK\r\nContent-Type: " + type +
               "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    }

    std::string hello_;
    std::string file_;
};

}  // namespace bench
