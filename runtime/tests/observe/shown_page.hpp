/// Runs a program and reads the data of the page that is written about it.
#pragma once

#include "observe/programs.hpp"

#include <nlohmann/json.hpp>

namespace refrain {

/// The data in a page, parsed as by the page's script.
inline nlohmann::json data_of(const std::string& html) {
    const std::string opening = "<script type=\"application/json\" id=\"data\">";
    const std::size_t begin = html.find(opening);
    EXPECT_NE(begin, std::string::npos);
    const std::size_t end = html.find("</script>", begin);
    return nlohmann::json::parse(html.substr(begin + opening.size(), end - begin - opening.size()));
}

struct ShownPage {
    nlohmann::json data;
    std::string html;
    Statistics statistics;
};

/// The program waits for what it has launched, or takes its failures.
template <class Program>
ShownPage page_of(Options options, Program&& program) {
    const TemporaryFile file("page");
    options.observe.report = file.path();
    ShownPage result;
    {
        Runtime runtime(options);
        program(runtime);
        runtime.wait_all();
        result.statistics = runtime.statistics();
    }
    result.html = file.text();
    result.data = data_of(result.html);
    return result;
}

/// The number of a launch site in the page's data.
inline std::size_t site_in(const nlohmann::json& data, const std::string& name) {
    for (std::size_t i = 0; i < data["sites"].size(); ++i)
        if (data["sites"][i]["name"] == name) return i;
    ADD_FAILURE() << "no launch site '" << name << "'";
    return 0;
}

}  // namespace refrain
