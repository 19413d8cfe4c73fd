/* A program that leaves its recorder no memory: calls that are all different, and an allocation limit just above what is in
 * use. MPI itself needs none for them. */
#include <mpi.h>
#include <stdio.h>
#include <sys/resource.h>

enum { CALLS = 100000 };

static long kilobytes_in_use(void) {
    char line[200];
    long size = 0;
    FILE* status = fopen("/proc/self/status", "r");
    while (status != NULL && fgets(line, sizeof line, status) != NULL)
        if (sscanf(line, "VmSize: %ld", &size) == 1) break;
    if (status != NULL) fclose(status);
    return size;
}

int main(int argc, char** argv) {
    int flag, found = 0, sum = 0, one = 1;
    struct rlimit limit, low;
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Iprobe(0, 0, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
    getrlimit(RLIMIT_AS, &limit);
    low = limit;
    low.rlim_cur = (rlim_t)(kilobytes_in_use() + 4096) * 1024;
    setrlimit(RLIMIT_AS, &low);
    for (int i = 0; i < CALLS; i++) {
        MPI_Iprobe(0, i % 30000, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
        found += flag;
    }
    setrlimit(RLIMIT_AS, &limit);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf("starved: %d ranks, %d found\n", sum, found);
    MPI_Finalize();
    return found != 0;
}
