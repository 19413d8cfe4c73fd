/* The same in C. */
#include <refrain/inline_recogniser.h>
#include <stdio.h>

int main(void) {
    const uint64_t operations = 30000;
    uint64_t i, served = 0;
    refrain_inline_recogniser* recogniser = NULL;
    refrain_inline_finding found;
    char message[256];
    if (refrain_inline_create(NULL, &recogniser, message, sizeof message) != 0) {
        fprintf(stderr, "%s\n", message);
        return 1;
    }
    for (i = 0; i < operations; ++i) {
        const uint64_t words[2] = {i % 10, 1};
        if (refrain_inline_operation(recogniser, words, 2, &found) != REFRAIN_AUTOTRACE_OK)
            return 1;
        if (found.precedent != REFRAIN_INLINE_NONE && refrain_inline_is_proved(recogniser, 5))
            ++served;
    }
    refrain_inline_destroy(recogniser);
    printf("%llu of %llu operations served\n", (unsigned long long)served,
           (unsigned long long)operations);
    return served == operations - 14 ? 0 : 1;
}
