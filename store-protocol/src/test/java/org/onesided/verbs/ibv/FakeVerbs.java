package org.onesided.verbs.ibv;

import java.util.HashMap;
import java.util.Map;
import org.agrona.UnsafeApi;
import org.onesided.verbs.NativeArray;

/**
 * Adds to a {@link FakeLibrary} the verbs that make and destroy things: structures in memory of this process that hold
 * what they were made with. What is made is numbered from 1.
 */
final class FakeVerbs implements AutoCloseable
{
    private static final int LENGTH = 256;
    private static final int PORT_ACTIVE = 4;

    private final Map<Long, NativeArray> structures = new HashMap<>();
    private int number;

    FakeVerbs(final FakeLibrary fake, final int eventFd)
    {
        fake.on("ibv_query_port", (a) ->
        {
            UnsafeApi.putInt((Long)a[2], PORT_ACTIVE);
            UnsafeApi.putShort((Long)a[2] + PortAttributesDescriptor.PKEY_TBL_LEN_OFFSET, (short)1);
            return 0;
        });
        fake.on("ibv_alloc_pd", (a) ->
            put(make(), ProtectionDomainDescriptor.CONTEXT_OFFSET, (Long)a[0]));
        fake.on("ibv_reg_mr_iova2", (a) ->
        {
            final long region = make();
            put(region, MemoryRegionDescriptor.CONTEXT_OFFSET, fake.context());
            put(region, MemoryRegionDescriptor.PD_OFFSET, (Long)a[0]);
            put(region, MemoryRegionDescriptor.ADDR_OFFSET, (Long)a[1]);
            put(region, MemoryRegionDescriptor.LENGTH_OFFSET, (Long)a[2]);
            UnsafeApi.putInt(region + MemoryRegionDescriptor.LKEY_OFFSET, number);
            UnsafeApi.putInt(region + MemoryRegionDescriptor.RKEY_OFFSET, number);
            return region;
        });
        fake.on("ibv_create_comp_channel", (a) ->
        {
            final long channel = put(make(), CompletionChannelDescriptor.CONTEXT_OFFSET, (Long)a[0]);
            UnsafeApi.putInt(channel + CompletionChannelDescriptor.FD_OFFSET, eventFd);
            return channel;
        });
        fake.on("ibv_create_cq", (a) ->
        {
            final long queue = put(make(), CompletionQueueDescriptor.CONTEXT_OFFSET, (Long)a[0]);
            put(queue, CompletionQueueDescriptor.CHANNEL_OFFSET, (Long)a[3]);
            UnsafeApi.putInt(queue + CompletionQueueDescriptor.CQE_OFFSET, (Integer)a[1] + 1);
            return queue;
        });
        fake.on("ibv_create_srq", (a) ->
        {
            final long queue = put(make(), SharedReceiveQueueDescriptor.CONTEXT_OFFSET, fake.context());
            return put(queue, SharedReceiveQueueDescriptor.PD_OFFSET, (Long)a[0]);
        });
        fake.on("ibv_create_qp", (a) -> queuePair(fake, (Long)a[0], (Long)a[1]));
        fake.on("ibv_modify_qp", (a) -> 0);
        fake.on("ibv_query_qp", (a) -> 0);
        for (final String destroyer : new String[] {
            "ibv_dealloc_pd", "ibv_dereg_mr", "ibv_destroy_comp_channel", "ibv_destroy_cq", "ibv_destroy_srq",
            "ibv_destroy_qp"})
        {
            fake.on(destroyer, (a) -> destroy((Long)a[0]));
        }
    }

    /**
     * The next queue pair gets this number.
     */
    void nextNumber(final int value)
    {
        number = value - 1;
    }

    @Override
    public void close()
    {
        structures.values().forEach(NativeArray::close);
    }

    private long queuePair(final FakeLibrary fake, final long domain, final long init)
    {
        final long queuePair = put(make(), QueuePairDescriptor.CONTEXT_OFFSET, fake.context());
        put(queuePair, QueuePairDescriptor.PD_OFFSET, domain);
        put(queuePair, QueuePairDescriptor.SEND_CQ_OFFSET,
            UnsafeApi.getLong(init + QueuePairInitDescriptor.SEND_CQ_OFFSET));
        put(queuePair, QueuePairDescriptor.RECV_CQ_OFFSET,
            UnsafeApi.getLong(init + QueuePairInitDescriptor.RECV_CQ_OFFSET));
        UnsafeApi.putInt(queuePair + QueuePairDescriptor.QP_NUM_OFFSET, number);
        UnsafeApi.putInt(queuePair + QueuePairDescriptor.QP_TYPE_OFFSET,
            UnsafeApi.getInt(init + QueuePairInitDescriptor.QP_TYPE_OFFSET));
        return queuePair;
    }

    private long make()
    {
        number++;
        final NativeArray structure = new NativeArray(LENGTH);
        structures.put(structure.range().address(), structure);
        return structure.range().address();
    }

    private int destroy(final long address)
    {
        // Taken back at once: whoever destroys something twice is found out.
        structures.remove(address).close();
        return 0;
    }

    private static long put(final long structure, final int offset, final long value)
    {
        UnsafeApi.putLong(structure + offset, value);
        return structure;
    }
}
