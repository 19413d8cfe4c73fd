// Every blocking collective, on communicators that are split, made of groups, and duplicated; in C++, with classes
// that own handles. mpirun -n 4 ./collectives [rounds]
#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <numeric>
#include <vector>

namespace {

class Communicator {
  public:
    explicit Communicator(MPI_Comm owned) : comm_(owned) {
        if (comm_ == MPI_COMM_NULL) return;
        MPI_Comm_rank(comm_, &rank);
        MPI_Comm_size(comm_, &size);
    }
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;
    ~Communicator() {
        if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
    }
    [[nodiscard]] MPI_Comm get() const { return comm_; }
    int rank = -1, size = 0;

  private:
    MPI_Comm comm_;
};

MPI_Comm split(MPI_Comm comm, int colour, int key) {
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Comm_split(comm, colour, key, &made);
    return made;
}

void keep_larger(void* in, void* inout, int* count, MPI_Datatype*) {
    const auto* from = static_cast<const int*>(in);
    auto* to = static_cast<int*>(inout);
    for (int i = 0; i < *count; ++i)
        if (from[i] > to[i]) to[i] = from[i];
}

bool check(const Communicator& all, MPI_Op larger) {
    const int n = all.size, me = all.rank;
    MPI_Comm comm = all.get();
    const auto count = static_cast<std::size_t>(n);
    std::vector<int> one(count, me), many(count), counts(count), places(count);
    bool right = true;
    MPI_Barrier(comm);
    int word = me == 0 ? 42 : 0;
    MPI_Bcast(&word, 1, MPI_INT, 0, comm);
    right = right && word == 42;
    MPI_Allgather(&me, 1, MPI_INT, many.data(), 1, MPI_INT, comm);
    right = right && many[count - 1] == n - 1;
    MPI_Gather(&me, 1, MPI_INT, many.data(), 1, MPI_INT, n - 1, comm);
    MPI_Scatter(many.data(), 1, MPI_INT, &word, 1, MPI_INT, n - 1, comm);
    right = right && word == me;
    MPI_Alltoall(one.data(), 1, MPI_INT, many.data(), 1, MPI_INT, comm);
    right = right && many[count - 1] == n - 1;
    int sum = 0;
    MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, comm);
    right = right && sum == n * (n - 1) / 2;
    MPI_Reduce(&me, &sum, 1, MPI_INT, larger, 0, comm);
    right = right && (me != 0 || sum == n - 1);
    MPI_Scan(&me, &sum, 1, MPI_INT, MPI_SUM, comm);
    right = right && sum == me * (me + 1) / 2;
    int before = 0;
    MPI_Exscan(&me, &before, 1, MPI_INT, MPI_SUM, comm);
    right = right && (me == 0 || before == me * (me - 1) / 2);
    MPI_Reduce_scatter_block(one.data(), &sum, 1, MPI_INT, MPI_SUM, comm);
    right = right && sum == n * (n - 1) / 2;
    for (std::size_t i = 0; i < count; ++i) counts[i] = static_cast<int>(i) + 1;
    std::partial_sum(counts.begin(), counts.end() - 1, places.begin() + 1);
    const int total = places.back() + counts.back();
    std::vector<int> mine(static_cast<std::size_t>(me) + 1, me),
        every(static_cast<std::size_t>(total));
    MPI_Allgatherv(mine.data(), me + 1, MPI_INT, every.data(), counts.data(), places.data(),
                   MPI_INT, comm);
    right = right && every.back() == n - 1;
    MPI_Gatherv(mine.data(), me + 1, MPI_INT, every.data(), counts.data(), places.data(), MPI_INT,
                0, comm);
    MPI_Scatterv(every.data(), counts.data(), places.data(), MPI_INT, mine.data(), me + 1, MPI_INT,
                 0, comm);
    right = right && mine.back() == me;
    std::vector<int> sends(count, me + 1), at(count), gets(count), to(count);
    for (std::size_t i = 0; i < count; ++i) {
        at[i] = static_cast<int>(i) * (me + 1);
        gets[i] = static_cast<int>(i) + 1;
        to[i] = places[i];
    }
    std::vector<int> from(count * static_cast<std::size_t>(me + 1), me),
        into(static_cast<std::size_t>(total));
    MPI_Alltoallv(from.data(), sends.data(), at.data(), MPI_INT, into.data(), gets.data(),
                  to.data(), MPI_INT, comm);
    right = right && into.back() == n - 1;
    std::vector<MPI_Datatype> types(count, MPI_INT);
    for (std::size_t i = 0; i < count; ++i)
        at[i] *= static_cast<int>(sizeof(int)), to[i] *= static_cast<int>(sizeof(int));
    MPI_Alltoallw(from.data(), sends.data(), at.data(), types.data(), into.data(), gets.data(),
                  to.data(), types.data(), comm);
    right = right && into.back() == n - 1;
    std::vector<int> parts(static_cast<std::size_t>(total), 1),
        part(static_cast<std::size_t>(me) + 1);
    MPI_Reduce_scatter(parts.data(), part.data(), counts.data(), MPI_INT, MPI_SUM, comm);
    return right && part.back() == n;
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 5;
    int me = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Op larger = MPI_OP_NULL;
    MPI_Op_create(keep_larger, 1, &larger);
    bool right = true;
    for (int round = 0; round < rounds; ++round) {
        MPI_Comm twin = MPI_COMM_NULL, even = MPI_COMM_NULL;
        MPI_Comm_dup(MPI_COMM_WORLD, &twin);
        const Communicator all(twin), half(split(MPI_COMM_WORLD, me % 2, -me));
        MPI_Group world = MPI_GROUP_NULL, first = MPI_GROUP_NULL;
        MPI_Comm_group(MPI_COMM_WORLD, &world);
        const int zero = 0;
        MPI_Group_incl(world, 1, &zero, &first);
        MPI_Comm_create(MPI_COMM_WORLD, first, &even);
        const Communicator alone(even);
        MPI_Group_free(&first);
        MPI_Group_free(&world);
        right =
            check(all, larger) && check(half, larger) && (me != 0 || check(alone, larger)) && right;
    }
    MPI_Op_free(&larger);
    int wrong = right ? 0 : 1;
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (me == 0) std::printf("collectives: %d rounds, %s\n", rounds, wrong ? "WRONG" : "right");
    MPI_Finalize();
    return wrong;
}
