#pragma once

#include <eddy/rpc/status.hpp>

#include <cstddef>
#include <cstdint>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace eddy::rpc::detail {

/// The fields of ServerReflectionRequest, of which one besides the host is set; the field's number is the kind.
struct reflection_request {
    static constexpr int file_by_filename = 3;
    static constexpr int file_containing_symbol = 4;
    static constexpr int file_containing_extension = 5;
    static constexpr int all_extension_numbers_of_type = 6;
    static constexpr int list_services = 7;

    std::string host;
    int kind = 0;
    std::string text;  // name, symbol, type
    int extension = 0;
};

/// Reads the value of a field behind its tag: a text or a number, or else skips it. False for what is malformed.
inline bool read_value(google::protobuf::io::CodedInputStream& in, std::uint32_t tag, std::string& text,
                       std::uint64_t& number) {
    std::uint32_t size = 0;
    switch (tag & 7U) {
        case 0:
            return in.ReadVarint64(&number);
        case 1:
            return in.Skip(8);
        case 2:
            return in.ReadVarint32(&size) && in.ReadString(&text, static_cast<int>(size));
        case 5:
            return in.Skip(4);
        default:
            return false;
    }
}

/// Calls field(number, text, value) for each field. False for what is malformed.
template <class Field>
bool for_each_field(std::string_view bytes, Field field) {
    google::protobuf::io::CodedInputStream in(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                              static_cast<int>(bytes.size()));
    while (const std::uint32_t tag = in.ReadTag()) {
        std::string text;
        std::uint64_t value = 0;
        if (!read_value(in, tag, text, value))
            return false;
        field(static_cast<int>(tag >> 3U), text, value);
    }
    return in.ConsumedEntireMessage();
}

inline reflection_request read_reflection_request(std::string_view bytes) {
    reflection_request request;
    bool is_well_formed =
        for_each_field(bytes, [&request](int number, const std::string& text, std::uint64_t) {
            if (number == 1)
                request.host = text;
            if (number < reflection_request::file_by_filename || number > reflection_request::list_services)
                return;
            request.kind = number;
            request.text = text;
        });
    if (request.kind == reflection_request::file_containing_extension) {
        const std::string asked = request.text;
        is_well_formed &=
            for_each_field(asked, [&request](int number, const std::string& text, std::uint64_t value) {
                if (number == 1)
                    request.text = text;
                else if (number == 2)
                    request.extension = static_cast<int>(value);
            });
    }
    if (!is_well_formed)
        throw error(status_code::internal, "what has arrived is no ServerReflectionRequest");
    return request;
}

inline void add_text_field(std::string& out, int number, std::string_view text) {
    google::protobuf::io::StringOutputStream stream(&out);
    google::protobuf::io::CodedOutputStream to(&stream);
    to.WriteTag(static_cast<std::uint32_t>(number) << 3U | 2U);
    to.WriteVarint32(static_cast<std::uint32_t>(text.size()));
    to.WriteRaw(text.data(), static_cast<int>(text.size()));
}

inline void add_number_field(std::string& out, int number, int value) {
    google::protobuf::io::StringOutputStream stream(&out);
    google::protobuf::io::CodedOutputStream to(&stream);
    to.WriteTag(static_cast<std::uint32_t>(number) << 3U);
    to.WriteVarint32SignExtended(value);
}

/// A FileDescriptorResponse of a file and all that it imports.
inline void add_files(std::string& out, const google::protobuf::FileDescriptor& file,
                      std::set<const google::protobuf::FileDescriptor*>& added) {
    if (!added.insert(&file).second)
        return;
    google::protobuf::FileDescriptorProto described;
    file.CopyTo(&described);
    add_text_field(out, 1, described.SerializeAsString());
    for (int i = 0; i < file.dependency_count(); ++i)
        add_files(out, *file.dependency(i), added);
}

/// What a request asks for, of the files that are linked into the program; null where that is not there.
inline const google::protobuf::FileDescriptor* find_file(const reflection_request& request) {
    const auto& pool = *google::protobuf::DescriptorPool::generated_pool();
    if (request.kind == reflection_request::file_by_filename)
        return pool.FindFileByName(request.text);
    if (request.kind == reflection_request::file_containing_symbol)
        return pool.FindFileContainingSymbol(request.text);
    const auto* type = pool.FindMessageTypeByName(request.text);
    const auto* extension = type == nullptr ? nullptr : pool.FindExtensionByNumber(type, request.extension);
    return extension == nullptr ? nullptr : extension->file();
}

inline void add_reflection_error(std::string& response, status_code code, std::string_view message) {
    std::string failure;
    add_number_field(failure, 1, static_cast<int>(code));
    add_text_field(failure, 2, message);
    add_text_field(response, 7, failure);
}

inline void add_reflected_file(std::string& response, const reflection_request& request) {
    const auto* file = find_file(request);
    if (file == nullptr)
        return add_reflection_error(response, status_code::not_found, "not found: " + request.text);
    std::string files;
    std::set<const google::protobuf::FileDescriptor*> added;
    add_files(files, *file, added);
    add_text_field(response, 4, files);
}

inline void add_reflected_extensions(std::string& response, const reflection_request& request) {
    const auto& pool = *google::protobuf::DescriptorPool::generated_pool();
    const auto* type = pool.FindMessageTypeByName(request.text);
    if (type == nullptr)
        return add_reflection_error(response, status_code::not_found, "not found: " + request.text);
    std::vector<const google::protobuf::FieldDescriptor*> extensions;
    pool.FindAllExtensions(type, &extensions);
    std::string numbers;
    add_text_field(numbers, 1, request.text);
    for (const auto* extension : extensions)
        add_number_field(numbers, 2, extension->number());
    add_text_field(response, 5, numbers);
}

/// The ServerReflectionResponse to a request, both in protobuf's format. Throws rpc::error for one that is malformed.
inline std::string reflection_response(const std::string& asked, const std::vector<std::string>& services) {
    const reflection_request request = read_reflection_request(asked);
    std::string response;
    add_text_field(response, 1, request.host);
    add_text_field(response, 2, asked);
    if (request.kind == reflection_request::list_services) {
        std::string list;
        for (const auto& name : services) {
            std::string entry;
            add_text_field(entry, 1, name);
            add_text_field(list, 1, entry);
        }
        add_text_field(response, 6, list);
    } else if (request.kind == reflection_request::all_extension_numbers_of_type) {
        add_reflected_extensions(response, request);
    } else if (request.kind != 0) {
        add_reflected_file(response, request);
    } else {
        add_reflection_error(response, status_code::invalid_argument, "a request for nothing");
    }
    return response;
}

}  // namespace eddy::rpc::detail
