#include "script_command/messages_json.hpp"

#include "page/json.hpp"

namespace refrain::script {
namespace {

using page::JsonWriter;

void write(JsonWriter& json, const Message::Range& is) {
    json.key("file").value(is.file).key("line").value(is.line);
    json.key("column").value(is.column).key("endColumn").value(is.end_column);
}
void write(JsonWriter& json, const std::vector<Message::Note>& notes) {
    json.begin_array();
    for (const Message::Note& each : notes) {
        json.begin_object();
        write(json, each.at);
        json.key("text").value(each.text).end_object();
    }
    json.end_array();
}

}  // namespace

std::string messages_json(const std::vector<Message>& messages) {
    JsonWriter json;
    json.begin_object().key("messages").begin_array();
    for (const Message& each : messages) {
        json.begin_object();
        write(json, each.at);
        json.key("severity").value(each.warning ? "warning" : "error");
        json.key("code").value(each.code);
        json.key("text").value(each.text).key("help").value(each.help);
        json.key("related");
        write(json, each.related);
        json.key("fixes");
        write(json, each.fixes);
        json.end_object();
    }
    json.end_array().end_object();
    return json.take() + "\n";
}

}  // namespace refrain::script
