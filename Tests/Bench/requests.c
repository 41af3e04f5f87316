// Sends one HTTP request over and over on a few kept connections, and tells what each cost the
// server.
//
//     cc -O2 -o requests requests.c && ./requests PORT PID CONNECTIONS BODY
//
// Commands come on standard input, one a line; each is answered by one line of JSON:
//     run N      sends N requests, one in flight on each connection
//
// Every answer must have status 200 and be as long as the first. The cost is the CPU time of the
// server's process, all threads, in nanoseconds.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { CONNECTIONS_MAX = 256, READ_MAX = 65536, PATIENCE_MS = 20000 };

typedef struct {
    int fd;
    size_t count; // bytes of the answer that is coming
    char answer[READ_MAX];
} connection;

static connection connections[CONNECTIONS_MAX];
static char request[READ_MAX];
static size_t request_count, answer_count;
static long asked, answered, wanted;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static int64_t read_clock(clockid_t id) {
    struct timespec time;
    if (clock_gettime(id, &time)) fail("clock_gettime");
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void ask(connection *c) {
    if (asked == wanted) return;
    asked++;
    c->count = 0;
    if (write(c->fd, request, request_count) != (ssize_t)request_count) fail("write");
}

// The whole length of the answer, or 0 while its head is not there.
static size_t length(const connection *c) {
    char *end = memmem(c->answer, c->count, "\r\n\r\n", 4);
    if (!end) return 0;
    char *field = strcasestr(c->answer, "\r\ncontent-length:");
    if (strncmp(c->answer, "HTTP/1.1 200", 12) || !field || field > end) {
        fprintf(stderr, "requests: unexpected answer: %.*s\n", (int)c->count, c->answer);
        exit(1);
    }
    return (size_t)(end - c->answer) + 4 + (size_t)atol(field + 17);
}

static void take(connection *c) {
    ssize_t count = read(c->fd, c->answer + c->count, READ_MAX - 1 - c->count);
    if (count <= 0) fail("read");
    c->count += (size_t)count;
    c->answer[c->count] = 0;
    size_t whole = length(c);
    if (!whole || c->count < whole) return;
    if (!answer_count) answer_count = whole;
    if (c->count != whole || whole != answer_count) {
        fprintf(stderr, "requests: an answer of %zu bytes instead of %zu\n", c->count, answer_count);
        exit(1);
    }
    answered++;
    ask(c);
}

static connection *open_at(int index, int port, int poller) {
    connection *c = &connections[index];
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int on = 1;
    c->fd = socket(AF_INET, SOCK_STREAM, 0);
    if (c->fd < 0 || connect(c->fd, (struct sockaddr *)&to, sizeof to)) fail("connect");
    setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, c->fd, &event)) fail("epoll_ctl");
    return c;
}

int main(int count, char **words) {
    if (count != 5) return fprintf(stderr, "usage: requests PORT PID CONNECTIONS BODY\n"), 64;
    int port = atoi(words[1]), open = atoi(words[3]), poller = epoll_create1(0);
    if (open < 1 || open > CONNECTIONS_MAX) return 64;
    clockid_t server;
    if (clock_getcpuclockid(atoi(words[2]), &server)) fail("clock_getcpuclockid");
    request_count = (size_t)snprintf(
        request, sizeof request,
        "POST /graphql HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\n"
        "Accept: application/json\r\nContent-Length: %zu\r\n\r\n%s",
        port, strlen(words[4]), words[4]);
    for (int index = 0; index < open; index++) open_at(index, port, poller);
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "run %ld", &wanted) != 1) return 64;
        asked = answered = 0;
        int64_t start = read_clock(server), began = read_clock(CLOCK_MONOTONIC);
        for (int index = 0; index < open; index++) ask(&connections[index]);
        while (answered < wanted) {
            struct epoll_event events[64];
            int ready = epoll_wait(poller, events, 64, PATIENCE_MS);
            if (ready <= 0) return fprintf(stderr, "requests: no answer for 20 s\n"), 1;
            for (int index = 0; index < ready; index++) take(events[index].data.ptr);
        }
        printf("{\"answered\": %ld, \"cpu\": %lld, \"time\": %lld, \"bytes\": %zu}\n", answered,
               (long long)(read_clock(server) - start),
               (long long)(read_clock(CLOCK_MONOTONIC) - began), answer_count);
        fflush(stdout);
    }
    return 0;
}
