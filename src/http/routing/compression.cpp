#include "http/message/characters.hpp"
#include "http/message/coded_tag.hpp"

#include <eddy/http/message/detail/accept_encoding.hpp>
#include <eddy/http/message/detail/media_type.hpp>
#include <eddy/http/message/entity_tag.hpp>
#include <eddy/http/message/field_list.hpp>
#include <eddy/http/routing/compression.hpp>

#include <algorithm>
#include <array>
#include <optional>

namespace eddy::http {

namespace {

bool has_element(std::string_view list, std::string_view wanted) noexcept {
    while (!list.empty())
        if (equal_ignoring_case(take_element(list), wanted))
            return true;
    return false;
}

bool has_element(const field_list& fields, std::string_view name, std::string_view wanted) noexcept {
    return std::any_of(fields.begin(), fields.end(), [&](const field_list::line& one) {
        return equal_ignoring_case(one.name(), name) && has_element(one.value(), wanted);
    });
}

// One line stays one line.
void add_vary(field_list& fields) {
    if (has_element(fields, "Vary", "*") || has_element(fields, "Vary", "Accept-Encoding"))
        return;
    const auto there = fields.find("Vary");
    if (!there || there->empty())
        return fields.set("Vary", "Accept-Encoding");
    std::string all;
    for (const auto& one : fields)
        if (equal_ignoring_case(one.name(), "Vary"))
            all.append(one.value()).append(", ");
    fields.set("Vary", all + "Accept-Encoding");
}

// Each coding makes a representation of its own, which has a tag of its own (RFC 9110 section 8.8.3.3).
void set_coded_tag(field_list& fields, content_coding coding) {
    if (const auto tag = fields.find("ETag"); tag && parse_entity_tag(*tag))
        fields.set("ETag", coded_tag(*tag, coding));
}

bool asks_about(const request_head& request, std::string_view tag) {
    bool is_named = false;
    request.for_each(field::if_none_match, [&](std::string_view line) {
        const auto has = entity_tag_list_has(line, *parse_entity_tag(tag), tag_comparison::weak);
        is_named = is_named || has.value_or(false);
    });
    return is_named;
}

class compressing_filter final : public response_filter {
public:
    compressing_filter(const request_head& request, const compression_options& options)
        : options_(options), request_(request), accepted_(request) {}

    bool begin(status code, field_list& fields, std::optional<std::uint64_t> size) override {
        if (code == status::not_modified) {
            // What a 200 would have said of the form that the client has.
            add_vary(fields);
            name_form_again(fields);
            return false;
        }
        const auto type = fields.find("Content-Type");
        if (forbids_body(code) || !type || !options_.takes(*type) || fields.find("Content-Encoding") ||
            has_element(fields, "Cache-Control", "no-transform"))
            return false;
        add_vary(fields);
        if (code == status::partial_content || fields.find("Content-Range"))
            return false;
        if (size && (*size < options_.bytes_min() || *size > options_.bytes_max()))
            return false;
        // A client that excludes the plain form, and everything else, gets it all the same: there is no
        // better response.
        coding_ = negotiate_coding(accepted_, preferred_codings).value_or(content_coding::identity);
        if (coding_ == content_coding::identity)
            return false;
        size_ = size.value_or(0);
        fields.set("Content-Encoding", to_string(coding_));
        set_coded_tag(fields, coding_);
        for (const std::string_view name :
             {"Accept-Ranges", "Content-MD5", "Digest", "Content-Digest", "Repr-Digest"})
            fields.remove(name);
        return true;
    }

    void append(std::span<const std::byte> piece, std::string& out) override { made().append(piece, out); }
    void flush(std::string& out) override { made().flush(out); }
    void finish(std::string& out) override { made().finish(out); }

private:
    void name_form_again(field_list& fields) const {
        const auto tag = fields.find("ETag");
        if (!tag || !parse_entity_tag(*tag))
            return;
        for (const content_coding coding : codings_on_the_way)
            if (accepted_.accepts(coding) && asks_about(request_, coded_tag(*tag, coding)))
                return set_coded_tag(fields, coding);
    }
    content_encoder& made() {
        if (!encoder_)
            encoder_.emplace(coding_, content_encoder_options(options_.encoder()).size_hint(size_));
        return *encoder_;
    }

    const compression_options& options_;
    request_head request_;
    accepted_codings accepted_;
    content_coding coding_ = content_coding::identity;
    std::uint64_t size_ = 0;
    std::optional<content_encoder> encoder_;
};

}  // namespace

bool compression_options::takes(std::string_view content_type) const noexcept {
    const auto type = trim(content_type.substr(0, content_type.find(';')));
    return is_compressible(type) ||
           std::any_of(media_types_.begin(), media_types_.end(),
                       [&](const std::string& one) { return equal_ignoring_case(one, type); });
}

std::unique_ptr<response_filter> make_compression(const request_head& request,
                                                  const compression_options& options) {
    return std::make_unique<compressing_filter>(request, options);
}

ready_or_task<> compression::handle(exchange& ex, request_handler& next) {
    if (!ex.has_filter())
        ex.filter_response(make_compression(ex.request(), options_));
    return next.handle(ex);
}

}  // namespace eddy::http
