/* The wall clock of a process, moved by as many seconds as a file says: eight bytes, a whole number of this machine.
   Loaded before the C library (LD_PRELOAD). All processes that map the file see a jump at the same moment; clocks
   that only count on are left alone, as on a real machine whose time is set. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>

static const volatile int64_t *ahead;
static int (*real_clock_gettime)(clockid_t, struct timespec *);

static void begin(void) {
    if (real_clock_gettime)
        return;
    const char *name = getenv("CLOCK_AHEAD");
    int file = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
    if (file >= 0) {
        void *page = mmap(NULL, sizeof *ahead, PROT_READ, MAP_SHARED, file, 0);
        ahead = page == MAP_FAILED ? NULL : page;
    }
    *(void **)&real_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    begin();
    int status = real_clock_gettime(clock, now);
    if (!status && ahead && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        now->tv_sec += *ahead;
    return status;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    (void)zone;
    struct timespec precise;
    int status = clock_gettime(CLOCK_REALTIME, &precise);
    now->tv_sec = precise.tv_sec;
    now->tv_usec = precise.tv_nsec / 1000;
    return status;
}

time_t time(time_t *store) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (store)
        *store = now.tv_sec;
    return now.tv_sec;
}
