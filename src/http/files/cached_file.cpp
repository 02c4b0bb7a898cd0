#include <eddy/http/files/detail/cached_file.hpp>
#include <eddy/http/message/date.hpp>

#include <span>

namespace eddy::http {

namespace {

std::string date_text(std::int64_t unix_seconds) {
    std::array<char, date_size> text{};
    format_date(unix_seconds, text);
    return {text.data(), text.size()};
}

// Each coding is a representation of its own, so that it has a tag of its own.
char tag_mark(content_coding coding) noexcept {
    return coding == content_coding::identity ? '\0' : to_string(coding).front();
}

}  // namespace

cached_file::cached_file(const io::file_status& status, bool is_fresh, const origin& from)
    : status_(status),
      is_fresh_(is_fresh),
      is_made_(from.is_made),
      has_codings_(is_regular() && from.description->has_codings(from.path)),
      coding_(from.coding),
      tag_(is_fresh || from.is_made
               ? entity_tag::weak(status.modified_ns, status.size, tag_mark(from.coding))
               : entity_tag::strong(status.modified_ns, status.size, tag_mark(from.coding))),
      media_type_(from.description->media_type(from.path)),
      last_modified_(date_text(modified_seconds())) {
    validator_fields_.add("ETag", tag_.text()).add("Last-Modified", last_modified_);
    if (has_codings_)
        validator_fields_.add("Vary", "Accept-Encoding");
    from.description->add_fields(from.path, validator_fields_);
    fields_.add("Content-Type", media_type_);
    if (coding_ != content_coding::identity)
        fields_.add("Content-Encoding", to_string(coding_));
    fields_.add("Accept-Ranges", "bytes").add(validator_fields_);
}

bool cached_file::is_same_version(const io::file_status& now) const noexcept {
    return status_.device == now.device && status_.inode == now.inode && status_.size == now.size &&
           status_.modified_ns == now.modified_ns && status_.kind == now.kind;
}

std::size_t cached_file::memory_bytes() const noexcept {
    std::size_t bytes = content_ ? content_->size() : 0;
    for (const encoded_form& one : encoded_)
        bytes += one.form ? one.form->memory_bytes() : 0;
    return bytes;
}

}  // namespace eddy::http
