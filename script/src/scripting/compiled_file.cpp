#include "scripting/compiled_file.hpp"

#include "base/hash.hpp"
#include "ir/parse.hpp"
#include "ir/print.hpp"
#include "ir/verify.hpp"
#include "refrain/error.hpp"
#include "values/format.hpp"
#include "values/text.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstring>

namespace refrain::script {
namespace {

/// The second number grows whenever the text of the file, or the meaning of an operation, changes.
constexpr std::string_view version = "version " REFRAIN_VERSION ", format 2";

std::string checksum(std::string_view text) {
    base::Hasher hasher;
    hasher.add(text.size());
    for (std::size_t at = 0; at < text.size(); at += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, text.data() + at, std::min(sizeof word, text.size() - at));
        hasher.add(word);
    }
    return printed("%016" PRIx64, hasher.finish().low);
}

std::string line(const char* key, const std::vector<std::string>& values) {
    std::string text = key;
    for (const std::string& each : values) text += " " + in_quotes(each);
    return text + "\n";
}

/// The lines before the code.
class Header {
  public:
    explicit Header(std::string_view text) : text_(text) {}

    std::vector<std::string> values(std::string_view key) {
        std::vector<std::string> all;
        if (!text_.substr(at_).starts_with(key)) throw UsageError("it lacks " + std::string(key));
        for (at_ += key.size(); at_ < text_.size() && text_[at_] == ' ';) {
            ++at_;
            all.push_back(unquoted(text_, at_));
        }
        ++at_;
        return all;
    }
    [[nodiscard]] std::string rest() const { return std::string(text_.substr(at_)); }

  private:
    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

bool is_compiled(std::string_view text) {
    return text.starts_with(compiled_mark);
}

std::string compiled_text(const CompiledScript& script) {
    std::string body = line("folder", {script.folder}) + line("libraries", script.libraries) +
                       line("sources", script.sources) + line("arguments", script.arguments) +
                       line("passes", script.passes) + ir::print_all(script.program);
    return std::string(compiled_mark) + std::string(version) + "\n# Checksum " + checksum(body) +
           "\n" + body;
}

CompiledScript read_compiled(const std::string& name, const std::string& text) {
    const std::size_t first = text.find('\n');
    const std::string made_by =
        text.substr(compiled_mark.size(),
                    first == std::string::npos ? std::string::npos : first - compiled_mark.size());
    if (made_by != version)
        throw UsageError("'" + name + "' was compiled by " + made_by + "; this is " +
                         std::string(version) + ": compile the script again");
    const std::size_t second = std::min(text.find('\n', first + 1), text.size() - 1);
    const std::string body = text.substr(second + 1);
    if (text.substr(first + 1, second - first - 1) != "# Checksum " + checksum(body))
        throw UsageError("'" + name + "' is damaged: compile the script again");
    CompiledScript made;
    Header header(body);
    made.folder = header.values("folder").at(0);
    made.libraries = header.values("libraries");
    made.sources = header.values("sources");
    made.arguments = header.values("arguments");
    made.passes = header.values("passes");
    made.program = ir::parse_program(header.rest());
    if (const std::string fault = ir::fault_of(made.program); !fault.empty())
        throw UsageError("'" + name + "' is damaged: " + fault);
    return made;
}

}  // namespace refrain::script
