// What an interposer must bear: a program that is not linked with MPI and loads a library that is; children by fork that end
// with exit or _exit, and one that becomes another program; exceptions of the program that pass through MPI.
//
//     mpicxx -DPLUGIN -shared -fPIC -o plugin.so guest.cpp; c++ -o guest guest.cpp -ldl
//     mpirun -n 2 ./guest ./plugin.so
#ifdef PLUGIN
#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

static void throw_error(MPI_Comm*, int*, ...) {
    throw std::runtime_error("MPI says no");
}

static int child_status(void (*end)()) {
    const pid_t child = fork();
    if (child == 0) end();
    int status = -1;
    waitpid(child, &status, 0);
    return status;
}

extern "C" int run_guest(int* argc, char*** argv) {
    int me, ranks, caught = 0, wrong = 0;
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Barrier(MPI_COMM_WORLD);
    // The children write no recording, and stop none.
    wrong += child_status([] { std::exit(0); }) != 0;
    wrong += child_status([] { _exit(0); }) != 0;
    wrong += child_status([] { execlp("true", "true", nullptr); }) != 0;
    for (int i = 0; i < 10; i++) {
        try {
            int sent = me, all;
            MPI_Allreduce(&sent, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
            if (i % 2 == 0) throw std::runtime_error("the program's own");
        } catch (const std::exception&) {
            ++caught;
        }
    }
    wrong += caught != 5;
    if (std::getenv("GUEST_THROWS") != nullptr) {
        MPI_Errhandler handler;
        MPI_Comm_create_errhandler(throw_error, &handler);
        MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
        try {
            MPI_Send(&me, 1, MPI_INT, 7, 1, MPI_COMM_SELF);  // there is no rank 7
            ++wrong;
        } catch (const std::exception&) {
            ++caught;
        }
        wrong += caught != 6;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0) std::printf("guest: %s\n", wrong == 0 ? "right" : "wrong");
    MPI_Finalize();
    return wrong != 0;
}
#else
#include <cstdio>
#include <dlfcn.h>

int main(int argc, char** argv) {
    void* const plugin = argc < 2 ? nullptr : dlopen(argv[1], RTLD_NOW);
    auto* const run = plugin == nullptr ? nullptr : dlsym(plugin, "run_guest");
    if (run == nullptr) return std::fprintf(stderr, "guest: %s\n", dlerror()), 2;
    return reinterpret_cast<int (*)(int*, char***)>(run)(&argc, &argv);
}
#endif
