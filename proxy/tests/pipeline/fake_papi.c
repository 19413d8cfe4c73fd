/* What the recorder calls of PAPI's library, with numbers that are the same in every run: each reading is further from the
 * one before it than that was, by as much as the metric's place says. */
#include <stdlib.h>
#include <string.h>

enum { VERSION = 7 << 24, OPTION_VERSION = 21, NO_EVENT = -7, DISABLED = -25 };
static int added, running;
static long long readings;

int PAPI_get_opt(int option, void* value) {
    (void)value;
    return option == OPTION_VERSION ? VERSION + 0x0102 : -1;
}
int PAPI_library_init(int version) {
    return version == VERSION ? version : -1;
}
int PAPI_create_eventset(int* events) {
    *events = 3;
    return 0;
}
int PAPI_add_named_event(int events, const char* name) {
    if (getenv("FAKE_PAPI_DISABLED")) return DISABLED;
    if (events != 3 || !strcmp(name, "PAPI_BR_CN") || strstr(name, "P_OPS")) return NO_EVENT;
    added++;
    return 0;
}
int PAPI_start(int events) {
    running = events == 3;
    return 0;
}
int PAPI_stop(int events, long long* values) {
    (void)values;
    running = 0;
    return events == 3 ? 0 : -1;
}
int PAPI_cleanup_eventset(int events) {
    return events == 3 ? 0 : -1;
}
int PAPI_destroy_eventset(int* events) {
    *events = -1;
    return 0;
}
int PAPI_read(int events, long long* values) {
    if (events != 3 || !running) return -1;
    readings++;
    for (int i = 0; i < added; i++) values[i] = readings * readings * (i + 1);
    return 0;
}
const char* PAPI_strerror(int error) {
    return error == DISABLED ? "Component containing event is disabled" : "Event does not exist";
}
