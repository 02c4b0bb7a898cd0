#include <eddy/http/server/response.hpp>
#include <eddy/io/buffer.hpp>

#include <optional>

namespace eddy::http {

namespace {

class file_body final : public response_content {
public:
    file_body(file content, std::uint64_t offset, std::uint64_t size) noexcept
        : content_(std::move(content)), offset_(offset), size_(size) {}
    task<> respond(exchange& ex, http::status code, response_fields fields) override {
        co_await ex.respond_with_file(code, fields, content_, offset_, size_);
    }

private:
    file content_;
    std::uint64_t offset_;
    std::uint64_t size_;
};

class streamed_body final : public response_content {
public:
    explicit streamed_body(async_generator<std::string> pieces) noexcept : pieces_(std::move(pieces)) {}
    task<> respond(exchange& ex, http::status code, response_fields fields) override {
        co_await ex.begin_response(code, fields);
        while (ex.wants_body()) {
            const std::optional<std::string> piece = co_await pieces_.next();
            if (!piece)
                break;
            co_await ex.write(as_bytes(*piece));
            co_await ex.flush();
        }
    }

private:
    async_generator<std::string> pieces_;
};

}  // namespace

response response::plain(http::status code) {
    return plain(code, reason_phrase(code));
}

response response::plain(http::status code, std::string_view words) {
    response made = text(std::string(words));
    made.body_ += '\n';
    made.status_ = code;
    return made;
}

response response::redirect(std::string_view location, http::status code) {
    return response(code).header("Location", location);
}

response response::file(eddy::file content, std::string_view content_type) {
    const std::uint64_t size = content.size();
    return file(std::move(content), 0, size, content_type);
}

response response::file(eddy::file content, std::uint64_t offset, std::uint64_t size,
                        std::string_view content_type) {
    response made = of(std::make_unique<file_body>(std::move(content), offset, size));
    made.type_ = typed(content_type);
    return made;
}

response response::stream(async_generator<std::string> pieces, std::string_view content_type) {
    response made = of(std::make_unique<streamed_body>(std::move(pieces)));
    made.type_ = typed(content_type);
    return made;
}

response response::of(std::unique_ptr<response_content> body) {
    response made;
    made.stream_ = std::move(body);
    return made;
}

response& response::content_type(std::string_view type) & {
    type_ = typed({});
    return header(type_name, type);
}

ready_or_task<> response::send(exchange& ex, response answered) {
    if (!answered.stream_) [[likely]] {
        if (ex.try_respond(answered.status_, answered.fields(), answered.body_)) [[likely]]
            return {};
    }
    return send_slowly(ex, std::move(answered));
}

task<> response::send_slowly(exchange& ex, response answered) {
    if (answered.stream_)
        co_await answered.stream_->respond(ex, answered.status_, answered.fields());
    else
        co_await ex.respond(answered.status_, answered.fields(), answered.body_);
}

}  // namespace eddy::http
