#pragma once

#include "http/message/string_memory.hpp"

#include <eddy/http/message/attributes.hpp>
#include <eddy/http/message/field_block.hpp>
#include <eddy/http/message/field_list.hpp>
#include <eddy/http/message/path_parameters.hpp>
#include <eddy/http/server/request_body.hpp>
#include <eddy/http/server/response_filter.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace eddy::http {

/// What only some requests need. Recycled with the active_request.
class exchange_parts {
public:
    std::optional<request_body> body;
    path_parameters parameters;
    attributes handed_on;
    field_block added;
    field_block trailers;

    std::unique_ptr<response_filter> filter;
    field_list filtered_fields;
    std::vector<response_field> filtered_lines;
    std::string filtered;  // bytes that the filter gave and that are being sent

    /// Ready for another request.
    void clear() noexcept {
        body.reset();
        parameters.clear();
        handed_on.clear();
        added.clear();
        trailers.clear();
        filter.reset();
        filtered_fields.clear();
        filtered_lines.clear();
        clear_keeping(filtered, filtered_bytes_kept);
    }

private:
    static constexpr std::size_t filtered_bytes_kept = 8192;
};

}  // namespace eddy::http
