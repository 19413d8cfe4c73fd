#include "refrain/script/leaf_functions.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "run_script.hpp"

/// Programs that scripts have mpiexec start; a shell script stands for mpiexec and prints its words into a file.
namespace refrain::script::launch_test {

TEST(Launch, the_launcher_gets_options_ranks_interposer_environment_and_program) {
    const std::string folder =
        std::filesystem::temp_directory_path() / ("refrain-launch-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    std::ofstream(folder + "/mpiexec")
        << "#!/bin/sh\necho \"$PMI_RANK$OMPI_MCA_ess$OMPI_MCA_orte_base_help_aggregate|$@\" >> " +
               folder + "/said\nexit $3\n";
    std::filesystem::permissions(folder + "/mpiexec", std::filesystem::perms::owner_all);
    setenv("TURBINE_LAUNCHER", (folder + "/mpiexec").c_str(), 1);
    setenv("TURBINE_LAUNCH_OPTIONS", "-q", 1);
    setenv("TURBINE_INTERPOSER", "nice -n 3", 1);
    setenv("OMPI_MCA_ess", "^singleton", 1);
    setenv("OMPI_MCA_orte_base_help_aggregate", "0", 1);  // the user's own
    EXPECT_EQ(run_script("import launch; trace(@par=3 launch(\"first\", []));").lines,
              std::vector<std::string>{"trace: 3"});
    setenv("PMI_RANK", "5", 1);  // as if mpirun had started this process
    const Ran ran = run_script(R"(import launch; import sys;
string words[] = ["a b", "c"];
int first = @par=4 launch("model", words);
wait (first) { trace(first, @par=(argc() + 1) launch_envs("other", [""], ["A=1"])); }
)");
    for (const char* each : {"TURBINE_LAUNCHER", "TURBINE_LAUNCH_OPTIONS", "TURBINE_INTERPOSER",
                             "PMI_RANK", "OMPI_MCA_ess", "OMPI_MCA_orte_base_help_aggregate"})
        unsetenv(each);
    EXPECT_EQ(ran.result.messages, "");
    EXPECT_EQ(ran.lines, (std::vector<std::string>{"trace: 4,1"}));
    std::ifstream said(folder + "/said");
    std::string alone, first, second;
    std::getline(said, alone);
    std::getline(said, first);
    std::getline(said, second);
    EXPECT_EQ(alone, "^singleton0|-q -n 3 nice -n 3 first");
    EXPECT_EQ(first, "0|-q -n 4 nice -n 3 model a b c");
    EXPECT_EQ(second, "0|-q -n 1 nice -n 3 env A=1 other ");
    std::filesystem::remove_all(folder);
}

TEST(Launch, a_team_is_said_for_parallel_functions_only) {
    EXPECT_NE(refusal_of("import sys;\ntrace(@par=2 argc());").find("is no parallel function"),
              std::string::npos);
    EXPECT_NE(refusal_of("@par (int o) f(int i) \"native\" \"1\" \"f\";\ntrace(f(1));")
                  .find("does not say by how many"),
              std::string::npos);
    EXPECT_NE(refusal_of("@par (int o) f(int i) { o = i; }\ntrace(@par=2 f(1));")
                  .find("is no function of another language"),
              std::string::npos);
    EXPECT_NE(refusal_of("@par @retries=2 (int o) f(int i) \"native\" \"1\" \"f\";\ntrace(1);")
                  .find("@par does not go with"),
              std::string::npos);
    EXPECT_NE(run_script("import launch;\ntrace(@par=0 launch(\"true\", [\"\"]));")
                  .result.messages.find("@par is 0; it is at least 1"),
              std::string::npos);
}

std::int64_t size_of_team(std::int64_t x) {
    return x + team().size;
}
REFRAIN_SCRIPT_FUNCTION(size_of_team)

TEST(Launch, threads_have_teams_of_one_only) {
    const std::string text =
        "@par (int o) size_of_team(int x) \"native\" \"1\" \"size_of_team\";\n";
    for (const bool sequential : {false, true}) {
        EXPECT_EQ(run_script(text + "trace(@par=1 size_of_team(2));", 2, sequential).lines,
                  std::vector<std::string>{"trace: 3"});
        EXPECT_NE(run_script(text + "trace(@par=3 size_of_team(2));", 2, sequential)
                      .result.messages.find("start the script by mpirun -n 3, or more"),
                  std::string::npos);
        EXPECT_NE(run_script(text + "trace(@par=0 size_of_team(2));", 2, sequential)
                      .result.messages.find("@par is 0; it is at least 1"),
                  std::string::npos);
    }
}

}  // namespace refrain::script::launch_test
