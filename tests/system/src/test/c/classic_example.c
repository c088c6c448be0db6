/*
 * A peer for the tests of "kvctl rdma example": the protocol of the manual's example for reliable connections, in plain
 * libibverbs, both roles, and the two ways in which old versions differ.
 *
 *   classic_example [-d DEVICE] [-i PORT] [-g GID_INDEX] [-p TCP_PORT] [-l LENGTH] [-z] [-o] [HOST]
 *
 *   -l   length of the texts, zero byte included (default 21)
 *   -z   tell a GID of zeros
 *   -o   the old record without GID
 *
 * Exits with 0 if all went well; otherwise says what did not.
 */
#include <arpa/inet.h>
#include <endian.h>
#include <infiniband/verbs.h>
#include <netdb.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define RECORD_LENGTH 34
#define OLD_RECORD_LENGTH 18
#define MAX_LENGTH 256
#define POLL_SECONDS 20
#define LONGEST_RUN_SECONDS 100

struct peer
{
    uint64_t address;
    uint32_t rkey;
    uint32_t qp_number;
    uint16_t lid;
    union ibv_gid gid;
};

static struct ibv_context *context;
static struct ibv_pd *pd;
static struct ibv_cq *cq;
static struct ibv_mr *mr;
static struct ibv_qp *qp;
static char buffer[MAX_LENGTH];
static int length = 21;

static void check(int is_good, const char *what)
{
    if (!is_good)
    {
        perror(what);
        exit(1);
    }
}

static void write_all(int fd, const void *data, size_t count)
{
    const char *next = data;
    while (count > 0)
    {
        ssize_t done = write(fd, next, count);
        check(done > 0, "write to the peer");
        next += done;
        count -= done;
    }
}

static void read_all(int fd, void *data, size_t count)
{
    char *next = data;
    while (count > 0)
    {
        ssize_t done = read(fd, next, count);
        check(done > 0, "read from the peer");
        next += done;
        count -= done;
    }
}

static int meet(const char *host, const char *port)
{
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM, .ai_flags = host ? 0 : AI_PASSIVE};
    struct addrinfo *address;
    int one = 1;
    check(getaddrinfo(host, port, &hints, &address) == 0, "getaddrinfo");
    int fd = socket(address->ai_family, address->ai_socktype, address->ai_protocol);
    check(fd >= 0, "socket");
    if (host)
    {
        check(connect(fd, address->ai_addr, address->ai_addrlen) == 0, "connect");
    }
    else
    {
        check(setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) == 0, "setsockopt");
        check(bind(fd, address->ai_addr, address->ai_addrlen) == 0, "bind");
        check(listen(fd, 1) == 0, "listen");
        int accepted = accept(fd, NULL, NULL);
        check(accepted >= 0, "accept");
        close(fd);
        fd = accepted;
    }
    freeaddrinfo(address);
    return fd;
}

static void meet_at(int fd, char place)
{
    char theirs;
    write_all(fd, &place, 1);
    read_all(fd, &theirs, 1);
    if (theirs != place)
    {
        fprintf(stderr, "expected %c, got %c\n", place, theirs);
        exit(1);
    }
}

static void open_device(const char *name)
{
    int count = 0;
    struct ibv_device **devices = ibv_get_device_list(&count);
    check(devices != NULL, "ibv_get_device_list");
    for (int i = 0; i < count && context == NULL; i++)
    {
        if (name == NULL || strcmp(name, ibv_get_device_name(devices[i])) == 0)
        {
            context = ibv_open_device(devices[i]);
        }
    }
    ibv_free_device_list(devices);
    check(context != NULL, "open the device");
}

static void make_queue_pair(int port)
{
    int rights = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE;
    check((pd = ibv_alloc_pd(context)) != NULL, "ibv_alloc_pd");
    check((cq = ibv_create_cq(context, 2, NULL, NULL, 0)) != NULL, "ibv_create_cq");
    check((mr = ibv_reg_mr(pd, buffer, length, rights)) != NULL, "ibv_reg_mr");
    struct ibv_qp_init_attr wanted = {
        .send_cq = cq,
        .recv_cq = cq,
        .qp_type = IBV_QPT_RC,
        .sq_sig_all = 1,
        .cap = {.max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1},
    };
    check((qp = ibv_create_qp(pd, &wanted)) != NULL, "ibv_create_qp");
    struct ibv_qp_attr init = {
        .qp_state = IBV_QPS_INIT, .port_num = port, .pkey_index = 0, .qp_access_flags = rights};
    check(
        ibv_modify_qp(qp, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS) == 0, "INIT");
}

static void connect_queue_pair(const struct peer *peer, int port, int gid_index)
{
    struct ibv_qp_attr rtr = {
        .qp_state = IBV_QPS_RTR,
        .path_mtu = IBV_MTU_256,
        .dest_qp_num = peer->qp_number,
        .rq_psn = 0,
        .max_dest_rd_atomic = 1,
        .min_rnr_timer = 0x12,
        .ah_attr = {.dlid = peer->lid, .sl = 0, .port_num = port},
    };
    if (gid_index >= 0)
    {
        rtr.ah_attr.is_global = 1;
        rtr.ah_attr.grh.dgid = peer->gid;
        rtr.ah_attr.grh.sgid_index = gid_index;
        rtr.ah_attr.grh.hop_limit = 1;
    }
    check(ibv_modify_qp(qp, &rtr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
        IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER) == 0, "RTR");
    struct ibv_qp_attr rts = {
        .qp_state = IBV_QPS_RTS, .timeout = 0x12, .retry_cnt = 6, .rnr_retry = 0, .sq_psn = 0, .max_rd_atomic = 1};
    check(ibv_modify_qp(qp, &rts, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
        IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC) == 0, "RTS");
}

static void exchange(int fd, int port, int gid_index, int is_zero_told, int is_old, struct peer *peer)
{
    unsigned char record[RECORD_LENGTH] = {0};
    int record_length = is_old ? OLD_RECORD_LENGTH : RECORD_LENGTH;
    struct ibv_port_attr attributes;
    union ibv_gid gid;
    memset(&gid, 0, sizeof gid);
    check(ibv_query_port(context, port, &attributes) == 0, "ibv_query_port");
    if (gid_index >= 0 && !is_zero_told)
    {
        check(ibv_query_gid(context, port, gid_index, &gid) == 0, "ibv_query_gid");
    }
    uint64_t address = htobe64((uintptr_t)buffer);
    uint32_t rkey = htonl(mr->rkey);
    uint32_t qp_number = htonl(qp->qp_num);
    uint16_t lid = htons(attributes.lid);
    memcpy(record, &address, 8);
    memcpy(record + 8, &rkey, 4);
    memcpy(record + 12, &qp_number, 4);
    memcpy(record + 16, &lid, 2);
    memcpy(record + 18, &gid, 16);
    write_all(fd, record, record_length);
    read_all(fd, record, record_length);
    memcpy(&address, record, 8);
    memcpy(&rkey, record + 8, 4);
    memcpy(&qp_number, record + 12, 4);
    memcpy(&lid, record + 16, 2);
    memcpy(&peer->gid, record + 18, 16);
    peer->address = be64toh(address);
    peer->rkey = ntohl(rkey);
    peer->qp_number = ntohl(qp_number);
    peer->lid = ntohs(lid);
}

static void post_receive(void)
{
    struct ibv_sge element = {.addr = (uintptr_t)buffer, .length = length, .lkey = mr->lkey};
    struct ibv_recv_wr request = {.sg_list = &element, .num_sge = 1};
    struct ibv_recv_wr *bad;
    check(ibv_post_recv(qp, &request, &bad) == 0, "ibv_post_recv");
}

static void post_send(enum ibv_wr_opcode opcode, const struct peer *peer)
{
    struct ibv_sge element = {.addr = (uintptr_t)buffer, .length = length, .lkey = mr->lkey};
    struct ibv_send_wr request = {.opcode = opcode, .sg_list = &element, .num_sge = 1};
    struct ibv_send_wr *bad;
    request.wr.rdma.remote_addr = peer->address;
    request.wr.rdma.rkey = peer->rkey;
    check(ibv_post_send(qp, &request, &bad) == 0, "ibv_post_send");
}

static void await(const char *what)
{
    struct ibv_wc completion;
    time_t end = time(NULL) + POLL_SECONDS;
    int count;
    do
    {
        count = ibv_poll_cq(cq, 1, &completion);
    }
    while (count == 0 && time(NULL) < end);
    check(count == 1, what);
    if (completion.status != IBV_WC_SUCCESS)
    {
        fprintf(stderr, "%s: %s\n", what, ibv_wc_status_str(completion.status));
        exit(1);
    }
}

static void put(const char *text)
{
    memset(buffer, 0, sizeof buffer);
    strncpy(buffer, text, length - 1);
}

static void be_server(int fd, const struct peer *peer)
{
    post_send(IBV_WR_SEND, peer);
    await("SEND");
    put("text of the C server");
    meet_at(fd, 'R');
    meet_at(fd, 'W');
    printf("found: '%.*s'\n", length, buffer);
}

static void be_client(int fd, const struct peer *peer)
{
    await("receive");
    printf("received: '%.*s'\n", length, buffer);
    meet_at(fd, 'R');
    post_send(IBV_WR_RDMA_READ, peer);
    await("READ");
    printf("read: '%.*s'\n", length, buffer);
    put("text of the C client");
    post_send(IBV_WR_RDMA_WRITE, peer);
    await("WRITE");
    meet_at(fd, 'W');
}

int main(int argc, char **argv)
{
    const char *device = NULL;
    const char *tcp_port = "19875";
    int port = 1;
    int gid_index = -1;
    int is_zero_told = 0;
    int is_old = 0;
    int option;
    while ((option = getopt(argc, argv, "d:i:g:p:l:zo")) != -1)
    {
        switch (option)
        {
            case 'd': device = optarg; break;
            case 'i': port = atoi(optarg); break;
            case 'g': gid_index = atoi(optarg); break;
            case 'p': tcp_port = optarg; break;
            case 'l': length = atoi(optarg); break;
            case 'z': is_zero_told = 1; break;
            case 'o': is_old = 1; break;
            default: return 2;
        }
    }
    const char *host = optind < argc ? argv[optind] : NULL;
    if (length < 2 || length > MAX_LENGTH)
    {
        return 2;
    }
    alarm(LONGEST_RUN_SECONDS);

    struct peer peer;
    open_device(device);
    make_queue_pair(port);
    if (host)
    {
        post_receive();
    }
    else
    {
        put("message of the C one");
    }
    int fd = meet(host, tcp_port);
    exchange(fd, port, gid_index, is_zero_told, is_old, &peer);
    connect_queue_pair(&peer, port, gid_index);
    meet_at(fd, 'Q');
    if (host)
    {
        be_client(fd, &peer);
    }
    else
    {
        be_server(fd, &peer);
    }
    close(fd);
    check(ibv_destroy_qp(qp) == 0, "ibv_destroy_qp");
    check(ibv_dereg_mr(mr) == 0, "ibv_dereg_mr");
    check(ibv_destroy_cq(cq) == 0, "ibv_destroy_cq");
    check(ibv_dealloc_pd(pd) == 0, "ibv_dealloc_pd");
    check(ibv_close_device(context) == 0, "ibv_close_device");
    return 0;
}
