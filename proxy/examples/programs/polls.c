/* Work while messages are on their way: tests, probes, a request that is cancelled, matched probes.
 * mpirun -n 4 ./polls [rounds] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    int ranks, me, flag, count, index, wrong = 0;
    const int rounds = argc > 1 ? atoi(argv[1]) : 20;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int right = (me + 1) % ranks, left = (me + ranks - 1) % ranks;
    for (int round = 0; round < rounds; round++) {
        int in[4] = {0, 0, 0, 0}, out[4] = {me, me + 1, me + 2, me + 3}, indices[4];
        MPI_Request requests[8], extra;
        MPI_Status status, statuses[4];
        MPI_Message message;
        /* One message at a time, with polls between. */
        MPI_Irecv(&in[0], 1, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(&out[0], 1, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[1]);
#ifndef SMPI_H /* which looks for other messages there */
        for (flag = 0; !flag;) MPI_Request_get_status(requests[0], &flag, MPI_STATUS_IGNORE);
#endif
        for (flag = 0; !flag;) MPI_Test(&requests[0], &flag, &status);
        for (flag = 0; !flag;) MPI_Testall(1, &requests[1], &flag, MPI_STATUSES_IGNORE);
        if (in[0] != left || status.MPI_SOURCE != left) wrong = 1;
        /* Of several, whichever is there. */
        for (int i = 0; i < 4; i++) {
            MPI_Irecv(&in[i], 1, MPI_INT, left, 2 + i, MPI_COMM_WORLD, &requests[i]);
            MPI_Issend(&out[i], 1, MPI_INT, right, 2 + i, MPI_COMM_WORLD, &requests[4 + i]);
        }
        for (int left_over = 4; left_over > 0; left_over -= count) {
            MPI_Testsome(4, requests, &count, indices, statuses);
            if (count == 0) MPI_Waitsome(4, requests, &count, indices, MPI_STATUSES_IGNORE);
        }
        for (int i = 0; i < 4;) {
            MPI_Testany(4, requests + 4, &index, &flag, MPI_STATUS_IGNORE);
            if (flag && index != MPI_UNDEFINED) i++;
        }
        for (int i = 0; i < 4; i++) wrong |= in[i] != left + i;
        /* Probes: of unknown length; matched. */
        MPI_Isend(out, 1 + me % 4, MPI_INT, right, 6, MPI_COMM_WORLD, &extra);
        for (flag = 0; !flag;) MPI_Iprobe(MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &flag, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        if (count != 1 + left % 4) wrong = 1;
        MPI_Recv(in, count, MPI_INT, status.MPI_SOURCE, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&extra, MPI_STATUS_IGNORE);
#ifndef SMPI_H /* which has no matched probes */
        MPI_Isend(out, 2, MPI_INT, right, 7, MPI_COMM_WORLD, &extra);
        MPI_Mprobe(left, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
        MPI_Mrecv(in, 2, MPI_INT, &message, MPI_STATUS_IGNORE);
        MPI_Wait(&extra, MPI_STATUS_IGNORE);
        MPI_Isend(out, 2, MPI_INT, right, 8, MPI_COMM_WORLD, &extra);
        for (flag = 0; !flag;) MPI_Improbe(left, 8, MPI_COMM_WORLD, &flag, &message, &status);
        MPI_Imrecv(in, 2, MPI_INT, &message, &requests[0]);
        MPI_Wait(&requests[0], &status);
        MPI_Wait(&extra, MPI_STATUS_IGNORE);
        wrong |= in[1] != left + 1;
#endif
        /* Nobody sends this. */
        MPI_Irecv(in, 1, MPI_INT, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &extra);
        MPI_Cancel(&extra);
        MPI_Wait(&extra, &status);
        MPI_Test_cancelled(&status, &flag);
        wrong |= !flag;
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (me == 0) printf("polls: %s\n", wrong ? "WRONG" : "right");
    MPI_Finalize();
    return wrong;
}
