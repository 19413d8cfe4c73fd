/* A master and its workers: jobs of different lengths go to whoever is free, results come from any source.
 * mpirun -n 4 ./farm [jobs] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { JOB = 1, RESULT = 2, STOP = 3 };

static double compute(double x, int turns) {
    for (int i = 0; i < turns; i++) x = 0.5 * (x + 2.0 / x);
    return x;
}

static double master(int jobs, int ranks) {
    double sum = 0, result;
    int sent = 0, done = 0;
    MPI_Status status;
    for (int worker = 1; worker < ranks && sent < jobs; worker++, sent++) {
        double job = 1.0 + sent;
        MPI_Send(&job, 1, MPI_DOUBLE, worker, JOB, MPI_COMM_WORLD);
    }
    while (done < sent) {
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Recv(&result, 1, MPI_DOUBLE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
                 &status);
        sum += result;
        done++;
        if (sent < jobs) {
            double job = 1.0 + sent++;
            MPI_Send(&job, 1, MPI_DOUBLE, status.MPI_SOURCE, JOB, MPI_COMM_WORLD);
        }
    }
    for (int worker = 1; worker < ranks; worker++)
        MPI_Send(NULL, 0, MPI_DOUBLE, worker, STOP, MPI_COMM_WORLD);
    return sum;
}

static void work(void) {
    double job, result;
    MPI_Status status;
    for (;;) {
        MPI_Recv(&job, 1, MPI_DOUBLE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == STOP) return;
        result = compute(job, 2000 * (1 + (int)job % 5));
        MPI_Send(&result, 1, MPI_DOUBLE, 0, RESULT, MPI_COMM_WORLD);
    }
}

/* All workers report at the end, in whatever order, to receives that wait for anybody. */
static double collect(int me, int ranks) {
    enum { MOST = 64 };
    double reports[MOST], sum = 0, mine = me;
    MPI_Request requests[MOST];
    if (me != 0) {
        MPI_Send(&mine, 1, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD);
        return 0;
    }
    for (int i = 0; i < ranks - 1; i++)
        MPI_Irecv(&reports[i], 1, MPI_DOUBLE, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < ranks - 1; i++) {
        int index;
        MPI_Waitany(ranks - 1, requests, &index, MPI_STATUS_IGNORE);
        sum += reports[index];
    }
    return sum;
}

int main(int argc, char** argv) {
    int ranks, me, wrong = 0;
    const int jobs = argc > 1 ? atoi(argv[1]) : 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (me == 0) {
        const double sum = master(jobs, ranks);
        printf("farm: %d jobs, sum %.4f\n", jobs, sum);
        wrong = sum < 1.41 * jobs || sum > 1.42 * jobs;
    } else {
        work();
    }
    const double reports = collect(me, ranks);
    if (me == 0 && reports != ranks * (ranks - 1) / 2) wrong = 1;
    MPI_Finalize();
    return wrong;
}
