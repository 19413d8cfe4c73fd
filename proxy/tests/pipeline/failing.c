/* Calls that MPI refuses, in a program that goes on: what they would give keeps what it had, here values that no call gives.
 * mpirun -n 2 ./failing */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int refused;

static void expect_refused(int result) {
    refused += result != MPI_SUCCESS;
}

#define FILLED(Type, name) \
    Type name;             \
    memset(&name, 0x5a, sizeof name)

static void complete_below_zero(void) {
    MPI_Request requests[1] = {MPI_REQUEST_NULL};
    MPI_Status statuses[1];
    int count = 1 << 30, index = 1 << 30, indices[1] = {1 << 30}, flag = 1;
    expect_refused(MPI_Waitsome(-1, requests, &count, indices, statuses));
    expect_refused(MPI_Testsome(-1, requests, &count, indices, statuses));
    expect_refused(MPI_Waitany(-1, requests, &index, statuses));
    expect_refused(MPI_Testany(-1, requests, &index, &flag, statuses));
    expect_refused(MPI_Waitall(-1, requests, statuses));
}

static void make_nothing(void) {
    FILLED(MPI_Comm, comm);
    FILLED(MPI_Datatype, type);
    FILLED(MPI_Group, none);
    int dimension = 1000, once = 0;
    MPI_Group all;
    expect_refused(MPI_Comm_split(MPI_COMM_WORLD, -7, 0, &comm));
    expect_refused(MPI_Cart_create(MPI_COMM_WORLD, 1, &dimension, &once, 0, &comm));
    expect_refused(MPI_Type_indexed(-1, &dimension, &once, MPI_INT, &type));
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    expect_refused(MPI_Group_incl(all, -1, &once, &none));
    MPI_Group_free(&all);
}

static void send_to_nobody(void) {
    FILLED(MPI_Request, request);
    int one = 1;
    expect_refused(MPI_Isend(&one, 1, MPI_INT, 99, 0, MPI_COMM_WORLD, &request));
    expect_refused(MPI_Send_init(&one, 1, MPI_INT, 99, 0, MPI_COMM_WORLD, &request));
    expect_refused(MPI_Send(&one, 1, MPI_INT, 0, 0, MPI_COMM_NULL));
}

int main(int argc, char** argv) {
    int me = 0, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    complete_below_zero();
    make_nothing();
    send_to_nobody();
    MPI_Allreduce(&refused, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (me == 0) printf("failing: %d refused\n", sum);
    MPI_Finalize();
    return 0;
}
