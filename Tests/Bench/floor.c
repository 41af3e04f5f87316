// The floor: the least that a WebSocket broadcast can cost on this machine, as bare C on epoll.
//
// It knows nothing of GraphQL, limits or slow peers. A benchmark runs it beside the hub, in the
// same minute and with the same load, and reports the ratio: absolute figures of one machine
// change with its mood, the ratio does not.
//
//     cc -O2 -o floor floor.c && ./floor PORT        (0: any port; the port is printed)
//
// After a canned answer to the WebSocket upgrade, text messages mean, by their first letter:
//     S...   subscribe the sender under the 36 bytes that follow; answered with the same text
//     B...   broadcast what follows to all subscribers, after each one's own 36 bytes, as
//            GraphQL's events carry each subscriber's own id; the sender gets "ok"
//     E...   echo the same text
// All frames of one turn leave by one send per connection, as in the hub.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { READ_MAX = 64 * 1024, FRAME_MAX = 60 * 1024, EVENTS = 512, BATCH_MAX = 4 << 20 };
enum { ID = 36, HEAD_MAX = 4, BATCH_FRAMES_MAX = 4096 };

typedef struct {
    int fd;
    int subscriber; // place in the list of subscribers + 1; 0: none
    int upgraded;
    int touched;
    unsigned char id[ID];
    unsigned char *rest; // a frame that has not come whole
    size_t rest_count;
    unsigned char *own; // this turn's bytes for this connection alone
    size_t own_count, own_capacity;
} connection;

static connection **subscribers;
static int subscriber_count, subscriber_capacity;
static connection **touched;
static int touched_count, touched_capacity;
static unsigned char batch[BATCH_MAX]; // this turn's bytes for all subscribers
static size_t batch_count;
static size_t ids[BATCH_FRAMES_MAX]; // where in the batch each frame has room for an id
static int id_count;
static int poller;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void *grown(void *list, int count, int *capacity) {
    if (count < *capacity) return list;
    *capacity = *capacity ? *capacity * 2 : 64;
    list = realloc(list, (size_t)*capacity * sizeof(void *));
    if (!list) fail("realloc");
    return list;
}

static size_t frame_head(unsigned char *out, size_t count) {
    out[0] = 0x81;
    if (count < 126) {
        out[1] = (unsigned char)count;
    } else {
        out[1] = 126;
        out[2] = (unsigned char)(count >> 8);
        out[3] = (unsigned char)count;
    }
    return count < 126 ? 2 : HEAD_MAX;
}

// A peer that is too slow for its socket is dropped: the floor measures the fast path.
static int send_all(connection *c, const void *bytes, size_t count) {
    return send(c->fd, bytes, count, MSG_NOSIGNAL) == (ssize_t)count;
}

static void give(connection *c, const void *bytes, size_t count) {
    if (c->own_count + count > c->own_capacity) {
        c->own_capacity = (c->own_count + count) * 2;
        c->own = realloc(c->own, c->own_capacity);
        if (!c->own) fail("realloc");
    }
    memcpy(c->own + c->own_count, bytes, count);
    c->own_count += count;
    if (!c->touched) {
        touched = grown(touched, touched_count, &touched_capacity);
        touched[touched_count++] = c;
        c->touched = 1;
    }
}

static void give_frame(connection *c, const void *payload, size_t count) {
    unsigned char head[HEAD_MAX];
    give(c, head, frame_head(head, count));
    give(c, payload, count);
}

static void give_all(const unsigned char *payload, size_t count) {
    batch_count += frame_head(batch + batch_count, ID + count);
    ids[id_count++] = batch_count;
    memcpy(batch + batch_count + ID, payload, count);
    batch_count += ID + count;
}

static void flush(void) {
    if (batch_count) {
        for (int i = 0; i < subscriber_count; i++) {
            connection *c = subscribers[i];
            for (int k = 0; k < id_count; k++) memcpy(batch + ids[k], c->id, ID);
            if (!send_all(c, batch, batch_count)) shutdown(c->fd, SHUT_RDWR);
        }
        batch_count = 0;
        id_count = 0;
    }
    for (int i = 0; i < touched_count; i++) {
        connection *c = touched[i];
        c->touched = 0;
        if (c->own_count && !send_all(c, c->own, c->own_count)) shutdown(c->fd, SHUT_RDWR);
        c->own_count = 0;
    }
    touched_count = 0;
}

static void message(connection *c, const unsigned char *text, size_t count) {
    switch (count ? text[0] : 0) {
    case 'S':
        if (!c->subscriber && count == 1 + ID) {
            memcpy(c->id, text + 1, ID);
            subscribers = grown(subscribers, subscriber_count, &subscriber_capacity);
            subscribers[subscriber_count++] = c;
            c->subscriber = subscriber_count;
        }
        give_frame(c, text, count);
        break;
    case 'B':
        if (batch_count + HEAD_MAX + ID + count > BATCH_MAX || id_count == BATCH_FRAMES_MAX)
            flush();
        give_all(text + 1, count - 1);
        give_frame(c, "ok", 2);
        break;
    case 'E':
        give_frame(c, text, count);
        break;
    }
}

// Returns how many bytes were used, or -1 if the peer speaks something else.
static ssize_t take(connection *c, unsigned char *bytes, size_t count) {
    size_t used = 0;
    if (!c->upgraded) {
        unsigned char *end = memmem(bytes, count, "\r\n\r\n", 4);
        if (!end) return 0;
        static const char answer[] = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                                     "Connection: Upgrade\r\n"
                                     "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";
        give(c, answer, sizeof answer - 1);
        c->upgraded = 1;
        used = (size_t)(end + 4 - bytes);
    }
    while (count - used >= 2) {
        unsigned char *at = bytes + used;
        size_t length = at[1] & 127, head = length == 126 ? 8 : 6;
        if (!(at[1] & 128) || length == 127) return -1;
        if (count - used < head) break;
        if (length == 126) length = (size_t)at[2] << 8 | at[3];
        if (length > FRAME_MAX) return -1;
        if (count - used < head + length) break;
        if ((at[0] & 15) == 8) return -1;
        for (size_t i = 0; i < length; i++) at[head + i] ^= at[head - 4 + (i & 3)];
        if ((at[0] & 15) == 1) message(c, at + head, length);
        used += head + length;
    }
    return (ssize_t)used;
}

static void end(connection *c) {
    if (c->subscriber) {
        connection *last = subscribers[--subscriber_count];
        subscribers[c->subscriber - 1] = last;
        last->subscriber = c->subscriber;
    }
    for (int i = 0; c->touched && i < touched_count; i++)
        if (touched[i] == c) {
            touched[i] = touched[--touched_count];
            break;
        }
    close(c->fd);
    free(c->rest);
    free(c->own);
    free(c);
}

static void readable(connection *c) {
    static unsigned char buffer[READ_MAX * 2];
    size_t had = c->rest_count;
    if (had) memcpy(buffer, c->rest, had);
    ssize_t got = recv(c->fd, buffer + had, READ_MAX, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) {
        end(c);
        return;
    }
    size_t count = had + (size_t)got;
    ssize_t used = take(c, buffer, count);
    if (used < 0 || count - (size_t)used > READ_MAX) {
        end(c);
        return;
    }
    c->rest_count = count - (size_t)used;
    if (c->rest_count) {
        c->rest = realloc(c->rest, c->rest_count);
        if (!c->rest) fail("realloc");
        memcpy(c->rest, buffer + used, c->rest_count);
    }
}

static void acceptable(int listener) {
    for (int i = 0; i < 64; i++) {
        int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) return;
        connection *c = calloc(1, sizeof *c);
        if (!c) fail("calloc");
        c->fd = fd;
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
        if (epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event)) fail("epoll_ctl");
    }
}

int main(int count, char **words) {
    if (count != 2) {
        fprintf(stderr, "usage: floor PORT\n");
        return 64;
    }
    signal(SIGPIPE, SIG_IGN);
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    setsockopt(listener, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)atoi(words[1])),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    if (bind(listener, (struct sockaddr *)&address, length)) fail("bind");
    if (listen(listener, 4096)) fail("listen");
    getsockname(listener, (struct sockaddr *)&address, &length);
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    poller = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL}, events[EVENTS];
    if (epoll_ctl(poller, EPOLL_CTL_ADD, listener, &event)) fail("epoll_ctl");
    for (;;) {
        int ready = epoll_wait(poller, events, EVENTS, -1);
        for (int i = 0; i < ready; i++) {
            if (events[i].data.ptr)
                readable(events[i].data.ptr);
            else
                acceptable(listener);
        }
        flush();
    }
}
