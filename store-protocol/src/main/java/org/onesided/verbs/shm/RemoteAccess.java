package org.onesided.verbs.shm;

import static org.onesided.verbs.SendRequestDescriptor.*;

import org.agrona.BitUtil;
import org.agrona.UnsafeApi;
import org.onesided.verbs.Access;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.ElementDescriptor;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.soft.MemoryCopy;

/**
 * READs, WRITEs and atomics of one queue pair on its peer's memory. The caller has checked the local buffers.
 */
final class RemoteAccess implements AutoCloseable
{
    private static final int AHEAD = 64;
    /** Bytes to prefetch of a long READ; the CPU fetches the rest by itself, because it detects the copy. */
    private static final int FETCHED_AHEAD = 256;

    private final Connection connection;
    private final PairSide peer;
    private final PeerMemory memory;
    private final long[] ahead = new long[AHEAD];
    private final long[] aheadLast = new long[AHEAD];
    /** Written so that the loads ahead are not optimised away. */
    private long fetched;
    private final NativeArray oldValue = new NativeArray(Long.BYTES);

    RemoteAccess(final Connection connection)
    {
        this.connection = connection;
        peer = connection.pair().peer();
        memory = connection.memory();
    }

    /**
     * Looks at what a chain of READs will copy, so that their cache misses overlap: each copy alone is too long for the
     * CPU to see the next one's loads. So is a search in the peer's table of regions, hence all of them come first.
     */
    void fetchAhead(final long workRequest)
    {
        final int domain = peer.domain();
        int count = 0;
        for (long request = workRequest; request != 0; request = UnsafeApi.getLong(request + NEXT_OFFSET))
        {
            if (UnsafeApi.getInt(request + OPCODE_OFFSET) == Opcode.RDMA_READ &&
                UnsafeApi.getInt(request + ELEMENT_COUNT_OFFSET) == 1)
            {
                final long element = UnsafeApi.getLong(request + ELEMENTS_OFFSET);
                final int length = UnsafeApi.getInt(element + ElementDescriptor.LENGTH_OFFSET);
                final long address = length <= 0 ? 0 : memory.localAddress(
                    UnsafeApi.getInt(request + REMOTE_KEY_OFFSET),
                    UnsafeApi.getLong(request + REMOTE_ADDRESS_OFFSET),
                    length,
                    domain);
                if (address != 0)
                {
                    ahead[count] = address & -BitUtil.CACHE_LINE_LENGTH;
                    aheadLast[count++] = address + Math.min(length, FETCHED_AHEAD) - 1;
                }
                if (count == ahead.length)
                {
                    touch(count);
                    count = 0;
                }
            }
        }
        touch(count);
    }

    private void touch(final int count)
    {
        long bytes = 0;
        for (int i = 0; i < count; i++)
        {
            final long last = aheadLast[i];
            for (long line = ahead[i]; line <= last; line += BitUtil.CACHE_LINE_LENGTH)
            {
                bytes += UnsafeApi.getByte(line);
            }
        }
        fetched = bytes;
    }

    /**
     * READs as most do that go well: into one buffer, all checks that need no care at their failure made, those of the
     * peer only afterwards. Changes nothing but the buffer.
     *
     * @return whether the READ is done; if not, {@link #read} does it, or returns the error.
     */
    boolean readPlainly(final long request, final long length)
    {
        if (UnsafeApi.getInt(request + ELEMENT_COUNT_OFFSET) != 1 || length == 0 ||
            (peer.access() & Access.REMOTE_READ) == 0 || peer.readDepth() == 0)
        {
            return false;
        }
        UnsafeApi.loadFence();
        final long target =
            UnsafeApi.getLong(UnsafeApi.getLong(request + ELEMENTS_OFFSET) + ElementDescriptor.ADDRESS_OFFSET);
        final boolean isRead = find(request, length, Access.REMOTE_READ) && memory.read(0, target, length);
        UnsafeApi.loadFence();
        return isRead && connection.isReady() && !connection.isPeerGone() && !memory.isMarkedDead() &&
            memory.isStillThere();
    }

    /**
     * @return a completion status.
     */
    int read(final long request, final long totalLength)
    {
        if ((peer.access() & Access.REMOTE_READ) == 0)
        {
            return refused();
        }
        if (peer.readDepth() == 0)
        {
            return impossible();
        }
        if (totalLength == 0)
        {
            return CompletionStatus.SUCCESS;
        }
        UnsafeApi.loadFence();
        if (!find(request, totalLength, Access.REMOTE_READ) || !copy(request, true))
        {
            return refused();
        }
        UnsafeApi.loadFence();
        return outcome();
    }

    /**
     * @return a completion status.
     */
    int write(final long request, final long totalLength)
    {
        if ((peer.access() & Access.REMOTE_WRITE) == 0)
        {
            return refused();
        }
        if (totalLength == 0)
        {
            return CompletionStatus.SUCCESS;
        }
        if (!find(request, totalLength, Access.REMOTE_WRITE) || !copy(request, false))
        {
            return refused();
        }
        UnsafeApi.fullFence();
        return outcome();
    }

    private boolean find(final long request, final long length, final int access)
    {
        return memory.find(
            UnsafeApi.getInt(request + REMOTE_KEY_OFFSET),
            UnsafeApi.getLong(request + REMOTE_ADDRESS_OFFSET),
            length,
            access,
            peer.domain());
    }

    /** Copies between the remote range that was found and the request's elements; whether the peer stayed there. */
    private boolean copy(final long request, final boolean isRead)
    {
        final long elements = UnsafeApi.getLong(request + ELEMENTS_OFFSET);
        final int count = UnsafeApi.getInt(request + ELEMENT_COUNT_OFFSET);
        long offset = 0;
        for (int i = 0; i < count; i++)
        {
            final long element = elements + (long)i * ElementDescriptor.LENGTH;
            final long address = UnsafeApi.getLong(element + ElementDescriptor.ADDRESS_OFFSET);
            final long length = UnsafeApi.getInt(element + ElementDescriptor.LENGTH_OFFSET) & 0xFFFF_FFFFL;
            if (!(isRead ? memory.read(offset, address, length) : memory.write(offset, address, length)))
            {
                return false;
            }
            offset += length;
        }
        return true;
    }

    /**
     * @return a completion status.
     */
    int atomic(final long request, final int opcode)
    {
        final long address = UnsafeApi.getLong(request + REMOTE_ADDRESS_OFFSET);
        if ((peer.access() & Access.REMOTE_ATOMIC) == 0)
        {
            return refused();
        }
        if ((address & Long.BYTES - 1) != 0 || peer.readDepth() == 0)
        {
            return impossible();
        }
        final int key = UnsafeApi.getInt(request + ATOMIC_REMOTE_KEY_OFFSET);
        if (!memory.find(key, address, Long.BYTES, Access.REMOTE_ATOMIC, peer.domain()))
        {
            return refused();
        }
        final long operand = UnsafeApi.getLong(request + COMPARE_ADD_OFFSET);
        final long old = opcode == Opcode.ATOMIC_FETCH_AND_ADD ? memory.fetchAndAdd(operand) :
            memory.compareAndSwap(operand, UnsafeApi.getLong(request + SWAP_OFFSET));
        UnsafeApi.putLong(oldValue.range().address(), old);
        scatterOldValue(request);
        return outcome();
    }

    @Override
    public void close()
    {
        oldValue.close();
    }

    private void scatterOldValue(final long request)
    {
        final long elements = UnsafeApi.getLong(request + ELEMENTS_OFFSET);
        final int count = UnsafeApi.getInt(request + ELEMENT_COUNT_OFFSET);
        long source = oldValue.range().address();
        for (int i = 0; i < count; i++)
        {
            final long element = elements + (long)i * ElementDescriptor.LENGTH;
            final int length = UnsafeApi.getInt(element + ElementDescriptor.LENGTH_OFFSET);
            MemoryCopy.read(source, UnsafeApi.getLong(element + ElementDescriptor.ADDRESS_OFFSET), length);
            source += length;
        }
    }

    /**
     * Looks whether all that was relied on still holds.
     */
    private int outcome()
    {
        if (connection.isPeerGone() || memory.isMarkedDead() || !connection.isReady())
        {
            return CompletionStatus.RETRY_EXC_ERR;
        }
        return memory.isStillThere() ? CompletionStatus.SUCCESS : refused();
    }

    private int impossible()
    {
        connection.fault(PairSideDescriptor.FAULT_REQUEST);
        return CompletionStatus.REM_INV_REQ_ERR;
    }

    private int refused()
    {
        if (connection.isPeerGone() || memory.isMarkedDead())
        {
            return CompletionStatus.RETRY_EXC_ERR;
        }
        connection.fault(PairSideDescriptor.FAULT_ACCESS);
        return CompletionStatus.REM_ACCESS_ERR;
    }
}
