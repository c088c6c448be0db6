package org.onesided.verbs.shm;

import static org.onesided.verbs.SendRequestDescriptor.*;

import org.agrona.UnsafeApi;
import org.onesided.verbs.Access;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.ElementDescriptor;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.Opcode;

/**
 * READs, WRITEs and atomics of one queue pair on its peer's memory. Local buffers were checked before.
 */
final class RemoteAccess implements AutoCloseable
{
    private final Connection connection;
    private final PeerMemory memory;
    private final NativeArray oldValue = new NativeArray(Long.BYTES);

    RemoteAccess(final Connection connection)
    {
        this.connection = connection;
        memory = connection.memory();
    }

    /**
     * @return a completion status.
     */
    int read(final long request, final long totalLength)
    {
        final PairSide peer = connection.pair().peer();
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
        if (!memory.find(
            UnsafeApi.getInt(request + REMOTE_KEY_OFFSET),
            UnsafeApi.getLong(request + REMOTE_ADDRESS_OFFSET),
            totalLength,
            Access.REMOTE_READ,
            peer.domain()))
        {
            return refused();
        }
        final long elements = UnsafeApi.getLong(request + ELEMENTS_OFFSET);
        final int count = UnsafeApi.getInt(request + ELEMENT_COUNT_OFFSET);
        long offset = 0;
        for (int i = 0; i < count; i++)
        {
            final long element = elements + (long)i * ElementDescriptor.LENGTH;
            final long length = UnsafeApi.getInt(element + ElementDescriptor.LENGTH_OFFSET) & 0xFFFF_FFFFL;
            if (!memory.read(offset, UnsafeApi.getLong(element + ElementDescriptor.ADDRESS_OFFSET), length))
            {
                return refused();
            }
            offset += length;
        }
        UnsafeApi.loadFence();
        return outcome();
    }

    /**
     * @return a completion status.
     */
    int write(final long request, final long totalLength)
    {
        final PairSide peer = connection.pair().peer();
        if ((peer.access() & Access.REMOTE_WRITE) == 0)
        {
            return refused();
        }
        if (totalLength == 0)
        {
            return CompletionStatus.SUCCESS;
        }
        if (!memory.find(
            UnsafeApi.getInt(request + REMOTE_KEY_OFFSET),
            UnsafeApi.getLong(request + REMOTE_ADDRESS_OFFSET),
            totalLength,
            Access.REMOTE_WRITE,
            peer.domain()))
        {
            return refused();
        }
        final long elements = UnsafeApi.getLong(request + ELEMENTS_OFFSET);
        final int count = UnsafeApi.getInt(request + ELEMENT_COUNT_OFFSET);
        long offset = 0;
        for (int i = 0; i < count; i++)
        {
            final long element = elements + (long)i * ElementDescriptor.LENGTH;
            final long length = UnsafeApi.getInt(element + ElementDescriptor.LENGTH_OFFSET) & 0xFFFF_FFFFL;
            if (!memory.write(offset, UnsafeApi.getLong(element + ElementDescriptor.ADDRESS_OFFSET), length))
            {
                return refused();
            }
            offset += length;
        }
        UnsafeApi.fullFence();
        return outcome();
    }

    /**
     * @return a completion status.
     */
    int atomic(final long request, final int opcode)
    {
        final PairSide peer = connection.pair().peer();
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
