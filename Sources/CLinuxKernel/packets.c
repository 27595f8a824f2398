// Packets between processes: sockets of AF_UNIX whose messages keep their bounds, with whose they are and what descriptors
// come with them. Here and not in the header, for the sake of <sys/socket.h>, whose types Swift has from Glibc.
#define _GNU_SOURCE
#include "CLinuxKernel.h"

#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

static int answer(int result) { return result < 0 ? -errno : result; }

/// Every message that comes says who sent it, and the largest that we send fits.
static void prepare(int socket) {
    int yes = 1;
    (void)setsockopt(socket, SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes);
    int room = 1 << 20;  // as much as the machine allows
    (void)setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
}

int ms_packet_prepare(int socket) {
    int type = 0, family = 0;
    socklen_t size = sizeof type;
    if (getsockopt(socket, SOL_SOCKET, SO_TYPE, &type, &size) < 0) return -errno;
    size = sizeof family;
    if (getsockopt(socket, SOL_SOCKET, SO_DOMAIN, &family, &size) < 0) return -errno;
    if (family != AF_UNIX || type != SOCK_SEQPACKET) return -EPROTOTYPE;
    prepare(socket);
    return 0;
}

int ms_packet_pair(int ends[2]) {
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) < 0) return -errno;
    prepare(ends[0]);
    prepare(ends[1]);
    return 0;
}

/// The address's length, or minus an error number. An abstract name begins with a zero byte.
static int address_of(struct sockaddr_un *address, const char *name, size_t count, int is_abstract) {
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    if (count == 0 || count + 1 > sizeof address->sun_path) return -ENAMETOOLONG;
    memcpy(address->sun_path + (is_abstract ? 1 : 0), name, count);
    return (int)(offsetof(struct sockaddr_un, sun_path) + count + 1);
}

static int new_socket(void) {
    return answer(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

int ms_packet_listen(const char *name, size_t count, int is_abstract, unsigned mode) {
    struct sockaddr_un address;
    int length = address_of(&address, name, count, is_abstract);
    if (length < 0) return length;
    int made = new_socket();
    if (made < 0) return made;
    prepare(made);
    // The file has this mode from its first moment on: bind takes it from the socket, less the umask.
    int result = is_abstract ? 0 : fchmod(made, mode);
    if (result == 0) result = bind(made, (struct sockaddr *)&address, (socklen_t)length);
    if (result == 0) result = listen(made, 64);
    if (result == 0) return made;
    int error = errno;
    close(made);
    return -error;
}

int ms_packet_connect(const char *name, size_t count, int is_abstract) {
    struct sockaddr_un address;
    int length = address_of(&address, name, count, is_abstract);
    if (length < 0) return length;
    int made = new_socket();
    if (made < 0) return made;
    prepare(made);
    if (connect(made, (struct sockaddr *)&address, (socklen_t)length) == 0) return made;
    int error = errno;
    close(made);
    return -error;
}

int ms_packet_accept(int listener) {
    int made = answer(accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (made >= 0) prepare(made);
    return made;
}

int ms_packet_peer(int socket, struct ms_sender *sender) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0) return -errno;
    *sender = (struct ms_sender){.process = peer.pid, .user = peer.uid, .group = peer.gid};
    return 0;
}

long ms_packet_send(int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count) {
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(sizeof(int) * MS_PACKET_DESCRIPTORS)];
    } control;
    struct iovec piece = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
    if (descriptor_count > MS_PACKET_DESCRIPTORS) return -ETOOMANYREFS;
    if (descriptor_count > 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * descriptor_count);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int) * descriptor_count);
        memcpy(CMSG_DATA(header), descriptors, sizeof(int) * descriptor_count);
    }
    ssize_t sent;
    do sent = sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent < 0 ? -errno : sent;
}

long ms_packet_receive(int socket, void *bytes, size_t capacity, struct ms_packet *packet) {
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(sizeof(struct ucred)) + CMSG_SPACE(sizeof(int) * MS_PACKET_DESCRIPTORS)];
    } control;
    struct iovec piece = {.iov_base = bytes, .iov_len = capacity};
    struct msghdr message = {
        .msg_iov = &piece, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t count;
    // The length as it was sent, also where it did not fit.
    do count = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC | MSG_TRUNC);
    while (count < 0 && errno == EINTR);
    if (count < 0) return -errno;
    packet->descriptor_count = 0;
    packet->has_sender = 0;
    packet->is_truncated = (message.msg_flags & MSG_TRUNC) != 0;
    packet->lost_descriptors = (message.msg_flags & MSG_CTRUNC) != 0;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET) continue;
        if (header->cmsg_type == SCM_CREDENTIALS && header->cmsg_len >= CMSG_LEN(sizeof(struct ucred))) {
            struct ucred sender;
            memcpy(&sender, CMSG_DATA(header), sizeof sender);
            packet->sender = (struct ms_sender){.process = sender.pid, .user = sender.uid, .group = sender.gid};
            packet->has_sender = 1;
        } else if (header->cmsg_type == SCM_RIGHTS) {
            size_t here = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
            for (size_t i = 0; i < here; i++) {
                int number;
                memcpy(&number, CMSG_DATA(header) + i * sizeof number, sizeof number);
                if (packet->descriptor_count < MS_PACKET_DESCRIPTORS)
                    packet->descriptors[packet->descriptor_count++] = number;
                else
                    close(number);
            }
        }
    }
    return count;
}

int ms_datagram_send(const char *name, size_t count, int is_abstract, const char *bytes, size_t byte_count) {
    struct sockaddr_un address;
    int length = address_of(&address, name, count, is_abstract);
    if (length < 0) return length;
    int made = answer(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    if (made < 0) return made;
    ssize_t sent;
    do {
        sent = sendto(made, bytes, byte_count, MSG_DONTWAIT | MSG_NOSIGNAL, (struct sockaddr *)&address, (socklen_t)length);
    } while (sent < 0 && errno == EINTR);
    int result = sent < 0 ? -errno : 0;
    close(made);
    return result;
}
