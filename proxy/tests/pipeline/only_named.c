/* What is recorded by its name only: an extension of Open MPI, or a program of sessions, which never calls MPI_Init.
 * mpirun -n 2 ./only_named */
#include <mpi.h>
#include <stdio.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

int main(int argc, char** argv) {
    int me = -1, one = 1, sum = 0;
#ifdef OPEN_MPI
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPIX_Allreduce_init(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Finalize();
#else
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "refrain", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Comm_rank(comm, &me);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Comm_free(&comm);
    MPI_Group_free(&group);
    if (argc > 1) MPI_Init(&argc, &argv), MPI_Barrier(MPI_COMM_WORLD), MPI_Finalize();
    MPI_Session_finalize(&session);
#endif
    if (me == 0) printf("only_named: %d\n", sum);
    return 0;
}
