// The load of the benchmark: opens subscribers, publishes, counts what arrives and reads what it
// cost the server. Speaks graphql-transport-ws and HTTP to the hub, and to the floor its letters.
//
//     cc -O2 -o driver driver.c && ./driver hub|floor PORT PID
//
// Commands come on standard input, one a line; each is answered by one line of JSON:
//     open N TOPICS        opens N more subscribers; the i-th of all listens to topic i % TOPICS
//     publish N TOPIC W    publishes N messages of 200 bytes, at most W of them in flight
//     size BYTES           floor only: how long a delivered message is, so that it equals the hub's
//     rss                  reads the server's resident bytes
//     idle MILLISECONDS    is silent that long, and tells what the server did meanwhile
//
// A message is in flight until the publisher has its answer and every subscriber of the topic has
// its copy. Costs are the CPU time of the server's process, all threads, in nanoseconds.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <linux/tcp.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { READ_MAX = 256 * 1024, AT_ONCE = 128, ID = 36, BODY = 200, PUBLISHERS_MAX = 64 };
enum { PATIENCE_MS = 20000, MESSAGES_MAX = 1 << 16, CONNECTIONS_MAX = 19000 };

typedef enum { CLOSED, CONNECTING, UPGRADING, GREETING, SUBSCRIBING, LIVE, PUBLISHER } stage;

typedef struct {
    int fd;
    stage stage;
    int number;          // subscriber: its place among all
    int busy;            // publisher: waits for an answer
    char id[ID + 1];     // subscriber: the operation's id
    unsigned char *rest; // bytes of a message that has not come whole
    size_t rest_count;
    uint64_t *seen;      // one bit for each message of this round
    uint64_t last;       // the last message's number
} connection;

static int is_floor, port, poller;
static clockid_t server_clock;
static long server_pid;
static connection *subscribers, publishers[PUBLISHERS_MAX];
static int subscriber_count, topics = 1;
static size_t delivered_size = 300; // of one event's payload
static int live, failed;            // while opening
static uint64_t next_number = 1, round_first, round_count;
static uint64_t answered, delivered, duplicates, disordered, strays, faults, reads;
static unsigned char out[128 * 1024];

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static int64_t read_clock(clockid_t id) {
    struct timespec time;
    if (clock_gettime(id, &time)) fail("clock_gettime");
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int64_t now(void) { return read_clock(CLOCK_MONOTONIC); }
static int64_t server_cpu(void) { return read_clock(server_clock); }

// MARK: Saying

static void drop(connection *c) {
    if (c->stage == LIVE || c->stage == PUBLISHER) faults++;
    if (c->stage < LIVE) failed++;
    close(c->fd);
    c->stage = CLOSED;
}

static void say(connection *c, const void *bytes, size_t count) {
    // A request is far smaller than the socket's buffer.
    if (send(c->fd, bytes, count, MSG_NOSIGNAL) != (ssize_t)count) drop(c);
}

// Appends one masked frame (RFC 6455 section 5.2); returns the new end.
static size_t put_frame_of(int opcode, size_t at, const char *text, size_t count) {
    static const unsigned char key[4] = {0x37, 0xfa, 0x21, 0x3d};
    out[at++] = (unsigned char)(0x80 | opcode);
    if (count < 126) {
        out[at++] = (unsigned char)(0x80 | count);
    } else {
        out[at++] = 0x80 | 126;
        out[at++] = (unsigned char)(count >> 8);
        out[at++] = (unsigned char)count;
    }
    memcpy(out + at, key, 4);
    at += 4;
    for (size_t i = 0; i < count; i++) out[at + i] = (unsigned char)text[i] ^ key[i & 3];
    return at + count;
}

static size_t put_frame(size_t at, const char *text, size_t count) {
    return put_frame_of(1, at, text, count);
}

static void say_upgrade(connection *c) {
    static const char request[] =
        "GET /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n";
    c->stage = UPGRADING;
    say(c, request, sizeof request - 1);
}

static void say_greeting(connection *c) {
    static const char greeting[] = "{\"type\":\"connection_init\"}";
    c->stage = GREETING;
    say(c, out, put_frame(0, greeting, sizeof greeting - 1));
}

// The pong that follows is the proof that the subscription is live: the protocol has no other.
static void say_subscription(connection *c) {
    static const char ping[] = "{\"type\":\"ping\"}";
    char text[512];
    int count = snprintf(
        text, sizeof text, is_floor ? "S%s" :
        "{\"id\":\"%s\",\"type\":\"subscribe\",\"payload\":{\"query\":\"subscription($t: ID!) "
        "{ onCreateMessage(messageThreadId: $t) { id messageThreadId body } }\","
        "\"variables\":{\"t\":\"t%d\"}}}", c->id, c->number % topics);
    size_t end = put_frame(0, text, (size_t)count);
    if (!is_floor) end = put_frame(end, ping, sizeof ping - 1);
    c->stage = SUBSCRIBING;
    say(c, out, end);
}

// A message's body: a mark, its number, and letters up to the size.
static void write_body(char *body, size_t size, uint64_t number) {
    memset(body, 'x', size);
    int count = sprintf(body, "~%016llx", (unsigned long long)number);
    body[count] = 'x';
}

static void say_message(connection *c, int topic) {
    char text[4096], request[4096];
    size_t count;
    c->busy = 1;
    if (is_floor) {
        text[0] = 'B';
        write_body(text + 1, delivered_size - ID, next_number++);
        say(c, out, put_frame(0, text, 1 + delivered_size - ID));
        return;
    }
    count = (size_t)sprintf(
        text, "{\"query\":\"mutation($t: ID!, $b: String!) { createMessage(input: "
        "{messageThreadId: $t, messageAuthorId: \\\"u1\\\", body: $b}) { id } }\","
        "\"variables\":{\"t\":\"t%d\",\"b\":\"", topic);
    write_body(text + count, BODY, next_number++);
    strcpy(text + count + BODY, "\"}}");
    count += BODY + 3;
    int head = sprintf(
        request, "POST /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        "Accept: application/json\r\nContent-Length: %zu\r\n\r\n", count);
    memcpy(request + head, text, count);
    say(c, request, (size_t)head + count);
}

// MARK: Hearing

static void heard_event(connection *c, const unsigned char *text, size_t count) {
    const unsigned char *mark = memchr(text, '~', count);
    if (!mark || !memmem(text, (size_t)(mark - text), c->id, ID)) {
        strays++;
        return;
    }
    uint64_t number = strtoull((const char *)mark + 1, NULL, 16), place = number - round_first;
    if (place >= round_count || !c->seen) {
        strays++;
    } else if (c->seen[place / 64] >> (place & 63) & 1) {
        duplicates++;
    } else {
        c->seen[place / 64] |= 1ull << (place & 63);
        if (number != c->last + 1) disordered++;
        c->last = number;
        delivered++;
        delivered_size = count;
    }
}

static void heard_text(connection *c, const unsigned char *text, size_t count) {
    switch (c->stage) {
    case GREETING:
        if (!memmem(text, count, "connection_ack", 14)) drop(c);
        else say_subscription(c);
        break;
    case SUBSCRIBING:
        if (is_floor ? text[0] != 'S' : !memmem(text, count, "\"pong\"", 6)) {
            drop(c);
        } else {
            c->stage = LIVE;
            live++;
        }
        break;
    case LIVE: heard_event(c, text, count); break;
    case PUBLISHER: // of the floor
        c->busy = 0;
        answered++;
        break;
    default: drop(c);
    }
}

static size_t heard_upgrade(connection *c, const unsigned char *bytes, size_t count) {
    const unsigned char *end = memmem(bytes, count, "\r\n\r\n", 4);
    if (!end) return 0;
    if (memcmp(bytes, "HTTP/1.1 101", 12)) drop(c);
    else if (c->number < 0) c->stage = PUBLISHER;
    else if (is_floor) say_subscription(c);
    else say_greeting(c);
    return (size_t)(end + 4 - bytes);
}

static size_t heard_answer(connection *c, const unsigned char *bytes, size_t count) {
    const unsigned char *end = memmem(bytes, count, "\r\n\r\n", 4);
    if (!end) return 0;
    const char *length = memmem(bytes, (size_t)(end - bytes), "Content-Length: ", 16);
    size_t body = length ? strtoul(length + 16, NULL, 10) : 0;
    if ((size_t)(end + 4 - bytes) + body > count) return 0;
    if (memcmp(bytes, "HTTP/1.1 200", 12) || memmem(end, body + 4, "\"errors\"", 8)) faults++;
    c->busy = 0;
    answered++;
    return (size_t)(end + 4 - bytes) + body;
}

// Reads one frame of the server; returns how many bytes it took, 0 if it is not whole.
static size_t heard_frame(connection *c, const unsigned char *bytes, size_t count) {
    if (count < 2) return 0;
    size_t length = bytes[1], head = 2;
    if (length == 126) {
        if (count < 4) return 0;
        length = (size_t)bytes[2] << 8 | bytes[3];
        head = 4;
    }
    if (bytes[1] > 126) {
        drop(c);
        return count;
    }
    if (count < head + length) return 0;
    switch (bytes[0] & 15) {
    case 1: heard_text(c, bytes + head, length); break;
    case 9: // a ping, which is answered by the same bytes in a pong
        say(c, out, put_frame_of(10, 0, (const char *)bytes + head, length));
        break;
    default: drop(c);
    }
    return head + length;
}

static void readable(connection *c) {
    static unsigned char buffer[READ_MAX * 2];
    size_t count = c->rest_count, used = 0;
    if (count) memcpy(buffer, c->rest, count);
    ssize_t got = recv(c->fd, buffer + count, READ_MAX, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) {
        drop(c);
        return;
    }
    reads++;
    count += (size_t)got;
    while (used < count && c->stage != CLOSED) {
        size_t more = c->stage == UPGRADING ? heard_upgrade(c, buffer + used, count - used)
                      : c->stage == PUBLISHER && !is_floor
                          ? heard_answer(c, buffer + used, count - used)
                          : heard_frame(c, buffer + used, count - used);
        if (!more) break;
        used += more;
    }
    c->rest_count = count - used;
    free(c->rest);
    c->rest = NULL;
    if (c->rest_count) {
        c->rest = malloc(c->rest_count);
        if (!c->rest) fail("malloc");
        memcpy(c->rest, buffer + used, c->rest_count);
    }
}

// Handles what has come; returns whether anything has.
static int turn(void) {
    struct epoll_event events[512];
    int ready = epoll_wait(poller, events, 512, PATIENCE_MS);
    for (int i = 0; i < ready; i++) {
        connection *c = events[i].data.ptr;
        if (c->stage == CLOSED) continue;
        if (c->stage != CONNECTING) {
            readable(c);
            continue;
        }
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
        epoll_ctl(poller, EPOLL_CTL_MOD, c->fd, &event);
        if (c->number < 0 && !is_floor) c->stage = PUBLISHER;
        else say_upgrade(c);
    }
    return ready > 0;
}

static void dial(connection *c, int number) {
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int on = 1;
    memset(c, 0, sizeof *c);
    c->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (c->fd < 0) fail("socket");
    c->number = number;
    c->stage = CONNECTING;
    uint32_t hash = (uint32_t)number * 2654435761u;
    snprintf(c->id, sizeof c->id, "%08x-5e1f-4b0a-9c3d-%012x", hash, (unsigned)number);
    setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (connect(c->fd, (struct sockaddr *)&address, sizeof address) && errno != EINPROGRESS)
        fail("connect");
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT, .data.ptr = c};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, c->fd, &event)) fail("epoll_ctl");
}

// MARK: Commands

static void open_subscribers(int count, int topic_count) {
    int first = subscriber_count, last = first + count;
    if (last > CONNECTIONS_MAX) last = CONNECTIONS_MAX;
    topics = topic_count;
    live = failed = 0;
    int64_t cpu = server_cpu(), start = now();
    while (live + failed < last - first) {
        while (subscriber_count < last && subscriber_count - first - live - failed < AT_ONCE) {
            dial(&subscribers[subscriber_count], subscriber_count);
            subscriber_count++;
        }
        if (!turn()) break;
    }
    printf("{\"opened\":%d,\"failed\":%d,\"cpu\":%lld,\"time\":%lld}\n", live,
           last - first - live, (long long)(server_cpu() - cpu), (long long)(now() - start));
}

// How many data segments the topic's subscribers have got: as many as the server has sent, since
// on loopback each send makes one.
static uint64_t segments(int topic) {
    uint64_t sum = 0;
    for (int i = topic; i < subscriber_count; i += topics) {
        struct tcp_info info;
        socklen_t length = sizeof info;
        memset(&info, 0, sizeof info);
        if (subscribers[i].stage == LIVE)
            getsockopt(subscribers[i].fd, IPPROTO_TCP, TCP_INFO, &info, &length);
        sum += info.tcpi_data_segs_in;
    }
    return sum;
}

static void prepare_round(int topic, int fan, uint64_t count) {
    static uint64_t *bits;
    size_t words = (count + 63) / 64;
    free(bits);
    bits = calloc((size_t)fan * words, sizeof *bits);
    if (!bits) fail("calloc");
    for (int i = 0; i < subscriber_count; i++) subscribers[i].seen = NULL;
    for (int i = 0; i < fan; i++) {
        connection *c = &subscribers[topic + i * topics];
        c->seen = bits + (size_t)i * words;
        c->last = next_number - 1;
    }
    round_first = next_number;
    round_count = count;
    answered = delivered = duplicates = disordered = strays = faults = reads = 0;
}

static void prepare_publishers(int count) {
    for (int i = 0; i < count; i++)
        if (publishers[i].stage == CLOSED) dial(&publishers[i], -1 - i);
    for (int i = 0; i < count; i++)
        while (publishers[i].stage != PUBLISHER)
            if (!turn()) fail("a publisher's connection");
}

static void publish(uint64_t count, int topic, int window) {
    if (count > MESSAGES_MAX) count = MESSAGES_MAX;
    if (window > PUBLISHERS_MAX) window = PUBLISHERS_MAX;
    prepare_publishers(window);
    int fan = topic < subscriber_count ? (subscriber_count - topic + topics - 1) / topics : 0;
    prepare_round(topic, fan, count);
    uint64_t sent = 0, before = segments(topic);
    int64_t cpu = server_cpu(), own = read_clock(CLOCK_PROCESS_CPUTIME_ID), start = now();
    while (answered < count || delivered < count * (uint64_t)fan) {
        for (int i = 0; i < window && sent < count; i++) {
            uint64_t whole = fan ? delivered / (uint64_t)fan : answered;
            if (publishers[i].busy || sent - whole >= (uint64_t)window) continue;
            sent++;
            say_message(&publishers[i], topic);
        }
        if (!turn()) break;
    }
    cpu = server_cpu() - cpu;
    own = read_clock(CLOCK_PROCESS_CPUTIME_ID) - own;
    int64_t time = now() - start;
    printf("{\"messages\":%llu,\"fan\":%d,\"delivered\":%llu,\"lost\":%llu,\"duplicates\":%llu,"
           "\"disordered\":%llu,\"strays\":%llu,\"faults\":%llu,\"segments\":%llu,\"size\":%zu,"
           "\"cpu\":%lld,\"driver_cpu\":%lld,\"time\":%lld}\n",
           (unsigned long long)answered, fan, (unsigned long long)delivered,
           (unsigned long long)(count * (uint64_t)fan - delivered),
           (unsigned long long)duplicates, (unsigned long long)disordered,
           (unsigned long long)strays, (unsigned long long)faults,
           (unsigned long long)(segments(topic) - before), delivered_size, (long long)cpu,
           (long long)own, (long long)time);
}

static void tell_rss(void) {
    char path[64], line[256];
    long kilobytes = -1;
    snprintf(path, sizeof path, "/proc/%ld/smaps_rollup", server_pid);
    FILE *file = fopen(path, "r");
    if (!file) fail(path);
    while (fgets(line, sizeof line, file)) sscanf(line, "Rss: %ld kB", &kilobytes);
    fclose(file);
    printf("{\"rss\":%ld}\n", kilobytes * 1024);
}

static void be_silent(long milliseconds) {
    int64_t cpu = server_cpu(), start = now();
    usleep((useconds_t)milliseconds * 1000);
    printf("{\"cpu\":%lld,\"time\":%lld}\n", (long long)(server_cpu() - cpu),
           (long long)(now() - start));
}

int main(int count, char **words) {
    if (count != 4) {
        fprintf(stderr, "usage: driver hub|floor PORT PID\n");
        return 64;
    }
    is_floor = !strcmp(words[1], "floor");
    port = atoi(words[2]);
    server_pid = atol(words[3]);
    if (clock_getcpuclockid((pid_t)server_pid, &server_clock)) fail("clock_getcpuclockid");
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    // On the server's core, the batch policy keeps this process from preempting it. Where it is
    // not permitted the figures are only noisier.
    struct sched_param parameters = {0};
    sched_setscheduler(0, SCHED_BATCH, &parameters);
    subscribers = calloc(CONNECTIONS_MAX, sizeof *subscribers);
    poller = epoll_create1(EPOLL_CLOEXEC);
    if (!subscribers || poller < 0) fail("start");
    char line[256];
    while (fgets(line, sizeof line, stdin)) {
        long a = 0, b = 0, c = 0;
        char verb[16] = "";
        sscanf(line, "%15s %ld %ld %ld", verb, &a, &b, &c);
        if (!strcmp(verb, "open")) open_subscribers((int)a, (int)b);
        else if (!strcmp(verb, "publish")) publish((uint64_t)a, (int)b, (int)c);
        else if (!strcmp(verb, "size")) printf("{\"size\":%zu}\n", delivered_size = (size_t)a);
        else if (!strcmp(verb, "rss")) tell_rss();
        else if (!strcmp(verb, "idle")) be_silent(a);
        else printf("{\"error\":\"unknown command\"}\n");
        fflush(stdout);
    }
    return 0;
}
