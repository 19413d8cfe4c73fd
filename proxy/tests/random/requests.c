/* Requests that statements leave behind, and all ways to complete them. */
#include "model.h"

static struct Pending {
    int ints;
    void* memory[3];
} pending[PENDING_MAX];
static MPI_Request requests[PENDING_MAX];
static int count;

static void done(int i, MPI_Status* status) {
    int ints;
    if (pending[i].ints >= 0) {
        MPI_Get_count(status, MPI_INT, &ints);
        expect(ints == pending[i].ints, "what a request received");
    }
    for (int k = 0; k < 3; k++) free(pending[i].memory[k]);
    requests[i] = MPI_REQUEST_NULL;
}

/* What is null comes out of the list: the others move. */
static void close_gaps(void) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
        if (requests[i] == MPI_REQUEST_NULL) continue;
        requests[kept] = requests[i];
        pending[kept++] = pending[i];
    }
    count = kept;
}

void leave(MPI_Request request, int ints, void* memory, void* more, void* most) {
    if (request == MPI_REQUEST_NULL) {  // SMPI broadcasts to nobody so
        free(memory), free(more), free(most);
        return;
    }
    if (count == PENDING_MAX) settle_all();
    requests[count] = request;
    pending[count++] = (struct Pending){ints, {memory, more, most}};
}

static void one_by_one(int first, int n, int by_tests) {
    MPI_Status status;
    for (int i = first + n - 1; i >= first; i--) {
        int flag = !by_tests;
        if (!by_tests) MPI_Wait(&requests[i], &status);
        while (!flag) MPI_Test(&requests[i], &flag, &status);
        done(i, &status);
    }
}

static void together(int first, int n, int by_tests) {
    MPI_Status statuses[PENDING_MAX];
    int flag = !by_tests;
    if (!by_tests) MPI_Waitall(n, requests + first, statuses);
    while (!flag) MPI_Testall(n, requests + first, &flag, statuses);
    for (int i = 0; i < n; i++) done(first + i, &statuses[i]);
}

static void one_of_all(int first, int n, int by_tests) {
    MPI_Status status;
    for (int left = n; left > 0; left--) {
        int index = MPI_UNDEFINED, flag = 0;
        if (!by_tests) MPI_Waitany(n, requests + first, &index, &status);
        while (by_tests && !flag) MPI_Testany(n, requests + first, &index, &flag, &status);
        expect(index != MPI_UNDEFINED, "the index of a request");
        if (index == MPI_UNDEFINED) return;
        done(first + index, &status);
    }
}

static void some_of_all(int first, int n, int by_tests) {
    MPI_Status statuses[PENDING_MAX];
    int indices[PENDING_MAX];
    for (int left = n, some; left > 0; left -= some) {
        some = 0;
        if (!by_tests) MPI_Waitsome(n, requests + first, &some, indices, statuses);
        while (by_tests && some == 0) MPI_Testsome(n, requests + first, &some, indices, statuses);
        for (int i = 0; i < some; i++) done(first + indices[i], &statuses[i]);
    }
}

void settle(void) {
    static void (*const ways[])(int, int, int) = {one_by_one, together, one_of_all, some_of_all};
    if (count == 0) return;
    const int n = 1 + draw(&local, count), first = draw(&local, count - n + 1);
    const int way = draw(&local, 4);
    int by_tests = draw(&local, 2), others = 0;
    for (int i = first; i < first + n; i++) others += pending[i].ints < 0;
    if (way == 1 && n > 1 && lacks(lack_testall_of_several)) by_tests = 0;
    if (way == 2 && others > 0 && lacks(lack_testany_of_others)) by_tests = 0;
    ways[way](first, n, by_tests);
    close_gaps();
}

void settle_all(void) {
    if (count != 0) together(0, count, 0);
    close_gaps();
}
