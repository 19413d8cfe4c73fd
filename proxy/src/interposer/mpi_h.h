/* What an MPI declares: its mpi.h, and Open MPI's extensions. */
#pragma once

#include <mpi.h>

#if defined(OPEN_MPI) && defined(__has_include)
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#endif
