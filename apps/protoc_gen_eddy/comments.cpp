#include "protoc_gen_eddy/comments.hpp"

#include <google/protobuf/descriptor.h>
#include <sstream>
#include <string>
#include <vector>

namespace eddy::protoc_gen {
namespace {

/// With one space at least in front, as behind `//`, and nothing behind.
std::string trimmed(std::string line) {
    line.erase(line.find_last_not_of(" \t\r\\") + 1);
    if (!line.empty() && line.front() != ' ')
        line.insert(0, 1, ' ');
    return line;
}

std::vector<std::string> lines_of(const std::string& comment) {
    std::vector<std::string> lines;
    std::istringstream text(comment);
    for (std::string line; std::getline(text, line);)
        lines.push_back(trimmed(line));
    while (!lines.empty() && lines.back().empty())
        lines.pop_back();
    return lines;
}

template <class Descriptor>
std::vector<std::string> comment_of_declaration(const Descriptor& declaration) {
    google::protobuf::SourceLocation location;
    if (!declaration.GetSourceLocation(&location))
        return {};
    auto lines = lines_of(location.leading_comments);
    return lines.empty() ? lines_of(location.trailing_comments) : lines;
}

}  // namespace

std::vector<std::string> comment_of(const google::protobuf::ServiceDescriptor& service) {
    return comment_of_declaration(service);
}

std::vector<std::string> comment_of(const google::protobuf::MethodDescriptor& method) {
    return comment_of_declaration(method);
}

}  // namespace eddy::protoc_gen
