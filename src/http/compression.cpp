#include "http/characters.hpp"

#include <eddy/http/accept_encoding.hpp>
#include <eddy/http/compression.hpp>
#include <eddy/http/field_list.hpp>
#include <eddy/http/media_type.hpp>

#include <algorithm>
#include <array>
#include <optional>

namespace eddy::http {

namespace {

// The best first.
constexpr std::array codings = {content_coding::brotli, content_coding::gzip, content_coding::identity};

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

void weaken_tag(field_list& fields) {
    if (const auto tag = fields.find("ETag"); tag && !tag->starts_with("W/"))
        fields.set("ETag", "W/" + std::string(*tag));
}

class compressing_filter final : public answer_filter {
public:
    compressing_filter(const request_head& request, const compression_options& options)
        : options_(options), accepted_(request) {}

    bool begin(status code, field_list& fields, std::optional<std::uint64_t> size) override {
        if (code == status::not_modified) {
            // What a 200 would have said of the form that the client has.
            add_vary(fields);
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
        // A client that excludes the plain form, and everything else, gets it all the same: nobody else could
        // answer better.
        coding_ = negotiate_coding(accepted_, codings).value_or(content_coding::identity);
        if (coding_ == content_coding::identity)
            return false;
        size_ = size.value_or(0);
        fields.set("Content-Encoding", to_string(coding_));
        weaken_tag(fields);
        for (const std::string_view name :
             {"Accept-Ranges", "Content-MD5", "Digest", "Content-Digest", "Repr-Digest"})
            fields.remove(name);
        return true;
    }

    void append(std::span<const std::byte> piece, std::string& out) override { made().append(piece, out); }
    void flush(std::string& out) override { made().flush(out); }
    void finish(std::string& out) override { made().finish(out); }

private:
    content_encoder& made() {
        if (!encoder_)
            encoder_.emplace(coding_, content_encoder_options(options_.encoder()).size_hint(size_));
        return *encoder_;
    }

    const compression_options& options_;
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

std::unique_ptr<answer_filter> make_compression(const request_head& request,
                                                const compression_options& options) {
    return std::make_unique<compressing_filter>(request, options);
}

prompt_task<> compression::handle(exchange& asked, request_handler& next) {
    if (!asked.has_filter())
        asked.filter_answer(make_compression(asked.request(), options_));
    return next.handle(asked);
}

}  // namespace eddy::http
