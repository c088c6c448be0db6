package org.onesided.verbs.ibv;

/**
 * The control verbs of {@code libibverbs.so.1}, with the names and meanings of their manual pages. Addresses and
 * {@code size_t} are {@code long}, as on all 64-bit Linux; C's {@code uint8_t} is {@code int}, so that the upper bits
 * of its register are zero. Functions that return an address return 0 on failure and set {@code errno}; those that
 * return {@code int} return 0, or else an errno, unless noted.
 */
public interface IbvCalls
{
    /**
     * See ibv_get_device_list(3).
     *
     * @param count address of an int that gets the number of devices.
     * @return address of an array of {@code ibv_device *}, or 0.
     */
    long ibv_get_device_list(long count);

    /**
     * See ibv_get_device_list(3).
     *
     * @param list from {@link #ibv_get_device_list}.
     */
    void ibv_free_device_list(long list);

    /**
     * See ibv_get_device_name(3).
     *
     * @param device {@code ibv_device *}.
     * @return its name, or null.
     */
    String ibv_get_device_name(long device);

    /**
     * See ibv_open_device(3).
     *
     * @param device {@code ibv_device *}.
     * @return {@code ibv_context *}, or 0.
     */
    long ibv_open_device(long device);

    /**
     * See ibv_open_device(3).
     *
     * @param context {@code ibv_context *}.
     * @return 0, or -1 with errno set.
     */
    int ibv_close_device(long context);

    /**
     * See ibv_query_device(3).
     *
     * @param context    {@code ibv_context *}.
     * @param attributes address of an {@code ibv_device_attr}.
     * @return 0 or an errno.
     */
    int ibv_query_device(long context, long attributes);

    /**
     * See ibv_query_port(3).
     *
     * @param context    {@code ibv_context *}.
     * @param port       number, from 1.
     * @param attributes address of an {@code ibv_port_attr}.
     * @return 0 or an errno.
     */
    int ibv_query_port(long context, int port, long attributes);

    /**
     * See ibv_query_gid(3).
     *
     * @param context {@code ibv_context *}.
     * @param port    number, from 1.
     * @param index   into the GID table.
     * @param gid     address of 16 bytes.
     * @return 0, or -1.
     */
    int ibv_query_gid(long context, int port, int index, long gid);

    /**
     * See ibv_query_gid_table(3), which is inline in C and calls this. Libraries before 2021 do not have it.
     *
     * @param context     {@code ibv_context *}.
     * @param entries     address of an array of {@code ibv_gid_entry}.
     * @param maxEntries  that fit there.
     * @param flags       0.
     * @param entryLength length of an {@code ibv_gid_entry}.
     * @return how many entries there are, of all ports, or a negative errno.
     * @throws UnsatisfiedLinkError if the library does not have it.
     */
    long _ibv_query_gid_table(long context, long entries, long maxEntries, int flags, long entryLength);

    /**
     * See ibv_alloc_pd(3).
     *
     * @param context {@code ibv_context *}.
     * @return {@code ibv_pd *}, or 0.
     */
    long ibv_alloc_pd(long context);

    /**
     * See ibv_alloc_pd(3).
     *
     * @param domain {@code ibv_pd *}.
     * @return 0 or an errno.
     */
    int ibv_dealloc_pd(long domain);

    /**
     * See ibv_reg_mr(3): what C's {@code ibv_reg_mr} becomes where flags are optional, such as
     * {@link org.onesided.verbs.Access#RELAXED_ORDERING}; it leaves those away that the kernel does not know. The
     * newest of the functions that are needed: {@link IbvLibrary} looks for it.
     *
     * @param domain  {@code ibv_pd *}.
     * @param address of the memory.
     * @param length  in bytes.
     * @param iova    address by which peers are to know the memory: the same, or 0 for a zero-based region.
     * @param access  {@code ibv_access_flags}.
     * @return {@code ibv_mr *}, or 0.
     */
    long ibv_reg_mr_iova2(long domain, long address, long length, long iova, int access);

    /**
     * See ibv_reg_mr(3).
     *
     * @param region {@code ibv_mr *}.
     * @return 0 or an errno.
     */
    int ibv_dereg_mr(long region);

    /**
     * See ibv_create_comp_channel(3).
     *
     * @param context {@code ibv_context *}.
     * @return {@code ibv_comp_channel *}, or 0.
     */
    long ibv_create_comp_channel(long context);

    /**
     * See ibv_create_comp_channel(3).
     *
     * @param channel {@code ibv_comp_channel *}.
     * @return 0 or an errno.
     */
    int ibv_destroy_comp_channel(long channel);

    /**
     * See ibv_create_cq(3).
     *
     * @param context {@code ibv_context *}.
     * @param cqe     capacity.
     * @param cookie  {@code cq_context}: what {@link #ibv_get_cq_event} gives back.
     * @param channel {@code ibv_comp_channel *}, or 0.
     * @param vector  completion vector.
     * @return {@code ibv_cq *}, or 0.
     */
    long ibv_create_cq(long context, int cqe, long cookie, long channel, int vector);

    /**
     * See ibv_create_cq(3).
     *
     * @param queue {@code ibv_cq *}.
     * @return 0 or an errno.
     */
    int ibv_destroy_cq(long queue);

    /**
     * See ibv_get_cq_event(3).
     *
     * @param channel {@code ibv_comp_channel *}.
     * @param queue   address of 8 bytes that get the {@code ibv_cq *}.
     * @param cookie  address of 8 bytes that get the queue's {@code cq_context}.
     * @return 0, or -1 with errno set.
     */
    int ibv_get_cq_event(long channel, long queue, long cookie);

    /**
     * See ibv_get_cq_event(3).
     *
     * @param queue {@code ibv_cq *}.
     * @param count of events.
     */
    void ibv_ack_cq_events(long queue, int count);

    /**
     * See ibv_create_srq(3).
     *
     * @param domain     {@code ibv_pd *}.
     * @param attributes address of an {@code ibv_srq_init_attr}, which gets what was granted.
     * @return {@code ibv_srq *}, or 0.
     */
    long ibv_create_srq(long domain, long attributes);

    /**
     * See ibv_create_srq(3).
     *
     * @param queue {@code ibv_srq *}.
     * @return 0 or an errno.
     */
    int ibv_destroy_srq(long queue);

    /**
     * See ibv_create_qp(3).
     *
     * @param domain     {@code ibv_pd *}.
     * @param attributes address of an {@code ibv_qp_init_attr}, which gets what was granted.
     * @return {@code ibv_qp *}, or 0.
     */
    long ibv_create_qp(long domain, long attributes);

    /**
     * See ibv_create_qp(3).
     *
     * @param queuePair {@code ibv_qp *}.
     * @return 0 or an errno.
     */
    int ibv_destroy_qp(long queuePair);

    /**
     * See ibv_modify_qp(3).
     *
     * @param queuePair  {@code ibv_qp *}.
     * @param attributes address of an {@code ibv_qp_attr}.
     * @param mask       {@code ibv_qp_attr_mask}.
     * @return 0 or an errno.
     */
    int ibv_modify_qp(long queuePair, long attributes, int mask);

    /**
     * See ibv_query_qp(3).
     *
     * @param queuePair      {@code ibv_qp *}.
     * @param attributes     address of an {@code ibv_qp_attr}.
     * @param mask           {@code ibv_qp_attr_mask}.
     * @param initAttributes address of an {@code ibv_qp_init_attr}.
     * @return 0 or an errno.
     */
    int ibv_query_qp(long queuePair, long attributes, int mask, long initAttributes);

    /**
     * See ibv_get_async_event(3).
     *
     * @param context {@code ibv_context *}.
     * @param event   address of an {@code ibv_async_event}.
     * @return 0, or -1 with errno set.
     */
    int ibv_get_async_event(long context, long event);

    /**
     * See ibv_get_async_event(3).
     *
     * @param event address of an {@code ibv_async_event}.
     */
    void ibv_ack_async_event(long event);
}
