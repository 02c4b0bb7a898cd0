#include "exchange.hpp"

#include "status_details.pb.h"

#include <openssl/evp.h>

#include <array>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

namespace eddy::conformance {
namespace {

constexpr std::string_view binary_suffix = "-bin";

std::string to_base64(const std::string& bytes) {
    std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');
    const int size =
        EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                        reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
    text.resize(static_cast<std::size_t>(size));
    while (text.ends_with('='))
        text.pop_back();
    return text;
}

std::string from_base64(std::string text) {
    const std::size_t size = text.size() * 3 / 4;
    text.resize((text.size() + 3) / 4 * 4, '=');
    std::string bytes(text.size(), '\0');
    if (EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                        reinterpret_cast<const unsigned char*>(text.data()),
                        static_cast<int>(text.size())) < 0)
        throw std::runtime_error("a binary value that is not in base64");
    bytes.resize(size);
    return bytes;
}

}  // namespace

bool read_message(google::protobuf::MessageLite& into) {
    std::array<unsigned char, 4> prefix{};
    const std::size_t count = std::fread(prefix.data(), 1, prefix.size(), stdin);
    if (count == 0)
        return false;
    std::string bytes((std::size_t{prefix[0]} << 24) + (std::size_t{prefix[1]} << 16) +
                          (std::size_t{prefix[2]} << 8) + prefix[3],
                      '\0');
    if (count != prefix.size() || std::fread(bytes.data(), 1, bytes.size(), stdin) != bytes.size() ||
        !into.ParseFromString(bytes))
        throw std::runtime_error("no message on standard input");
    return true;
}

void write_message(const google::protobuf::MessageLite& said) {
    const std::string bytes = said.SerializeAsString();
    const auto size = static_cast<std::uint32_t>(bytes.size());
    const std::string prefix = {static_cast<char>(size >> 24), static_cast<char>(size >> 16),
                                static_cast<char>(size >> 8), static_cast<char>(size)};
    std::fwrite(prefix.data(), 1, prefix.size(), stdout);
    std::fwrite(bytes.data(), 1, bytes.size(), stdout);
    if (std::fflush(stdout) != 0)
        throw std::runtime_error("standard output cannot be written");
}

void put_metadata(headers& out, const rpc::metadata& shown) {
    std::map<std::string, proto::Header*> known;
    for (const auto& [name, value] : shown) {
        proto::Header*& header = known[name];
        if (header == nullptr) {
            header = out.Add();
            header->set_name(name);
        }
        header->add_value(name.ends_with(binary_suffix) ? to_base64(value) : value);
    }
}

void for_each_header(const headers& shown,
                     const std::function<void(const std::string& name, std::string value)>& use) {
    for (const proto::Header& header : shown)
        for (const std::string& value : header.value())
            use(header.name(), header.name().ends_with(binary_suffix) ? from_base64(value) : value);
}

rpc::status status_from(const proto::Error& error) {
    StatusDetails details;
    details.set_code(error.code());
    details.set_message(error.message());
    *details.mutable_details() = error.details();
    return rpc::status(static_cast<rpc::status_code>(error.code()), error.message(),
                       error.details().empty() ? std::string() : details.SerializeAsString());
}

proto::Error error_from(const rpc::status& end) {
    proto::Error error;
    error.set_code(static_cast<proto::Code>(end.code()));
    error.set_message(end.message());
    StatusDetails details;
    if (!details.ParseFromString(end.details()))
        throw std::runtime_error("details of a status that are no google.rpc.Status");
    *error.mutable_details() = details.details();
    return error;
}

}  // namespace eddy::conformance
