/* All send modes, and all constructors of datatypes. mpirun -n 4 ./types */
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

struct Particle {
    double place[3];
    int kind;
    char name[8];
};

/* Sends one element of the type from `bytes` of memory around the ring, in every mode. */
static int around(MPI_Datatype type, size_t bytes, int me, int ranks) {
    const int right = (me + 1) % ranks, left = (me + ranks - 1) % ranks;
    char *out = malloc(bytes), *in = calloc(bytes, 1);
    int size, attached = 1 << 16, wrong;
    void* room = malloc((size_t)attached);
    MPI_Request request, buffered;
    MPI_Type_size(type, &size);
    for (size_t i = 0; i < bytes; i++) out[i] = (char)(me + 1);
    MPI_Sendrecv(out, 1, type, right, 1, in, 1, type, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_attach(room, attached);
    MPI_Bsend(out, 1, type, right, 2, MPI_COMM_WORLD);
    MPI_Recv(in, 1, type, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Ibsend(out, 1, type, right, 3, MPI_COMM_WORLD, &buffered);
    MPI_Recv(in, 1, type, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&buffered, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&room, &attached);
    MPI_Irecv(in, 1, type, left, 4, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Rsend(out, 1, type, right, 4, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Irecv(in, 1, type, left, 5, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Irsend(out, 1, type, right, 5, MPI_COMM_WORLD, &buffered);
    MPI_Wait(&buffered, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (me == 0) {
        MPI_Ssend(out, 1, type, right, 6, MPI_COMM_WORLD);
        MPI_Recv(in, 1, type, left, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(in, 1, type, left, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Ssend(out, 1, type, right, 6, MPI_COMM_WORLD);
    }
    MPI_Isend(out, 1, type, right, 7, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    MPI_Recv(in, 1, type, left, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(out, 1, type, right, 8, left, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    wrong = 1;
    for (size_t i = 0; i < bytes; i++)
        if (in[i] == (char)(left + 1)) wrong = 0;
    free(room);
    free(out);
    free(in);
    return wrong;
}

int main(int argc, char** argv) {
    int me, ranks, wrong = 0, made = 0;
    MPI_Datatype type[12], particle;
    int many_lengths[300], many_places[300];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int lengths[3] = {3, 1, 8}, places[3] = {0, 10, 20};
    const MPI_Aint bytes[3] = {offsetof(struct Particle, place), offsetof(struct Particle, kind),
                               offsetof(struct Particle, name)};
    const MPI_Datatype parts[3] = {MPI_DOUBLE, MPI_INT, MPI_CHAR};
    const int sizes[2] = {8, 8}, inner[2] = {3, 4}, starts[2] = {1, 2};
    const int distribution[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_NONE};
    const int defaults[2] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG};
    const int shared[2] = {2 * ranks, 8}; /* each rank has as much of it as its neighbours */
    int process_grid[2] = {ranks, 1};
    MPI_Type_contiguous(5, MPI_INT, &type[made++]);
    MPI_Type_vector(3, 2, 5, MPI_INT, &type[made++]);
    MPI_Type_create_hvector(3, 2, 64, MPI_INT, &type[made++]);
    MPI_Type_indexed(3, lengths, places, MPI_INT, &type[made++]);
    MPI_Type_create_hindexed(3, lengths, bytes, MPI_CHAR, &type[made++]);
    MPI_Type_create_indexed_block(3, 2, places, MPI_INT, &type[made++]);
    MPI_Type_create_hindexed_block(3, 1, bytes, MPI_INT, &type[made++]);
    MPI_Type_create_struct(3, lengths, bytes, parts, &particle);
    MPI_Type_create_resized(particle, 0, sizeof(struct Particle), &type[made++]);
    MPI_Type_free(&particle);
    MPI_Type_create_subarray(2, sizes, inner, starts, MPI_ORDER_C, MPI_INT, &type[made++]);
    MPI_Type_create_darray(ranks, me, 2, shared, distribution, defaults, process_grid,
                           MPI_ORDER_FORTRAN, MPI_INT, &type[made++]);
    MPI_Type_dup(type[0], &type[made++]);
    MPI_Datatype number, real, complex; /* what Fortran programs ask for; never freed */
    MPI_Type_create_f90_integer(9, &number);
    MPI_Type_create_f90_real(12, 100, &real);
    MPI_Type_create_f90_complex(12, 100, &complex);
    wrong |=
        around(number, 4, me, ranks) | around(real, 8, me, ranks) | around(complex, 16, me, ranks);
    for (int i = 0; i < 300; i++) many_lengths[i] = 1 + i % 2, many_places[i] = 3 * i;
    MPI_Type_indexed(300, many_lengths, many_places, MPI_INT, &type[made++]);
    for (int i = 0; i < made; i++) {
        MPI_Type_commit(&type[i]);
        wrong |= around(type[i], 4096, me, ranks);
    }
    for (int i = 0; i < made; i++) MPI_Type_free(&type[i]);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (me == 0) printf("types: %d, %s\n", made, wrong ? "WRONG" : "right");
    MPI_Finalize();
    return wrong;
}
