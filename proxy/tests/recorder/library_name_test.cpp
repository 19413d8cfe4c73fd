#include "recorder/library_name.hpp"

#include <gtest/gtest.h>

namespace refrain::proxy {
namespace {

TEST(LibraryName, is_name_and_version_of_what_an_mpi_says_of_itself) {
    EXPECT_EQ(library_name("Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4, repo rev: "
                           "v4.1.4, May 26, 2022"),
              "Open MPI 4.1.4");
    EXPECT_EQ(library_name("MPICH Version:\t4.0.2\nMPICH Release date:\tThu Apr  7 2022"),
              "MPICH 4.0.2");
    EXPECT_EQ(library_name("SMPI Version 3.32. Copyright The SimGrid Team 2007-2022"), "SMPI 3.32");
    EXPECT_EQ(library_name("Intel(R) MPI Library 2021.9 for Linux* OS\n"),
              "Intel(R) MPI Library 2021.9");
}

TEST(LibraryName, is_the_line_where_there_is_no_version) {
    EXPECT_EQ(library_name("Test MPI"), "Test MPI");
    EXPECT_EQ(library_name("An MPI, of somebody"), "An MPI");
    EXPECT_EQ(library_name("4.0"), "4.0");
    EXPECT_EQ(library_name(" \t"), " \t");
    EXPECT_EQ(library_name(""), "");
}

}  // namespace
}  // namespace refrain::proxy
