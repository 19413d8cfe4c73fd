#include "library/builtin.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>

/// What documents show is run by check_documents.
namespace refrain::script::documents_test {

TEST(Documents, the_reference_lists_each_function_of_the_library) {
    std::ifstream file(std::string(REFRAIN_SCRIPT_DIR) + "/docs/reference.md");
    const std::string text(std::istreambuf_iterator<char>(file), {});
    for (const Module& module : modules())
        for (const Builtin& each : module.functions)
            EXPECT_TRUE(std::string_view(module.name) == "operators" ||
                        declared_name(each.declaration).starts_with('_') ||  // a module's own
                        text.find("\n" + std::string(each.declaration) + "\n") != std::string::npos)
                << module.name << ": " << each.declaration;
}

}  // namespace refrain::script::documents_test
