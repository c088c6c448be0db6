package org.onesided.fuzz;

import java.util.ArrayDeque;
import java.util.Deque;
import org.agrona.UnsafeApi;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.CompletionDescriptor;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.ElementDescriptor;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairAttributes;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.ReceiveRequestDescriptor;
import org.onesided.verbs.SendFlags;
import org.onesided.verbs.SendRequestDescriptor;

/**
 * A queue pair, its completion queue and channel, whose peer is the test. It sees to it that no request is posted
 * whose own memory is not that side's, and carries out READs of the memory that the peer lends, and no other. Not
 * thread-safe.
 */
public final class Wire implements QueuePair, CompletionQueue, CompletionChannel
{
    private record Receive(long id, long address, int length)
    {
    }

    private record Completion(long id, int status, int length)
    {
    }

    private final MemoryRange table;
    private final MemoryRange buffers;
    private final MemoryRange lent;
    private final int lentKey;
    private final Deque<Receive> receives = new ArrayDeque<>();
    private final Deque<Completion> completions = new ArrayDeque<>();
    private final Deque<byte[]> messages = new ArrayDeque<>();
    private int number;
    private QueuePairState state = QueuePairState.RTS;

    /**
     * Makes a queue pair in RTS.
     *
     * @param table   that READs may write to.
     * @param buffers that this side may send from and receive in.
     * @param lent    by the peer.
     * @param lentKey of that.
     */
    public Wire(final MemoryRange table, final MemoryRange buffers, final MemoryRange lent, final int lentKey)
    {
        this.table = table;
        this.buffers = buffers;
        this.lent = lent;
        this.lentKey = lentKey;
    }

    /**
     * Makes it another queue pair, and nothing is left of the one before.
     */
    public void renew()
    {
        number++;
        state = QueuePairState.RTS;
        receives.clear();
        completions.clear();
        messages.clear();
    }

    /**
     * Sends a message to this side.
     *
     * @param message any bytes.
     * @return whether there was a receive for it.
     */
    public boolean send(final byte[] message)
    {
        final Receive receive = state == QueuePairState.RTS ? receives.poll() : null;
        if (receive == null)
        {
            return false;
        }
        if (message.length > receive.length())
        {
            completions.add(new Completion(receive.id(), CompletionStatus.LOC_LEN_ERR, 0));
            fail();
            return true;
        }
        for (int i = 0; i < message.length; i++)
        {
            UnsafeApi.putByte(receive.address() + i, message[i]);
        }
        completions.add(new Completion(receive.id(), CompletionStatus.SUCCESS, message.length));
        return true;
    }

    /**
     * Takes what this side has sent.
     *
     * @return the next message, or null.
     */
    public byte[] sent()
    {
        return messages.poll();
    }

    @Override
    public int postSend(final long workRequest, final long badWorkRequest)
    {
        for (long next = workRequest; next != 0; next = UnsafeApi.getLong(next + SendRequestDescriptor.NEXT_OFFSET))
        {
            carryOut(next);
        }
        return 0;
    }

    private void carryOut(final long request)
    {
        final long element = UnsafeApi.getLong(request + SendRequestDescriptor.ELEMENTS_OFFSET);
        final long address = UnsafeApi.getLong(element + ElementDescriptor.ADDRESS_OFFSET);
        final int length = UnsafeApi.getInt(element + ElementDescriptor.LENGTH_OFFSET);
        final long id = UnsafeApi.getLong(request + SendRequestDescriptor.ID_OFFSET);
        final boolean isSignaled =
            (UnsafeApi.getInt(request + SendRequestDescriptor.FLAGS_OFFSET) & SendFlags.SIGNALED) != 0;
        final int opcode = UnsafeApi.getInt(request + SendRequestDescriptor.OPCODE_OFFSET);
        if (state != QueuePairState.RTS)
        {
            completions.add(new Completion(id, CompletionStatus.WR_FLUSH_ERR, 0));
        }
        else if (opcode == Opcode.RDMA_READ)
        {
            require(table, address, length, "READ");
            final long from = UnsafeApi.getLong(request + SendRequestDescriptor.REMOTE_ADDRESS_OFFSET);
            final int key = UnsafeApi.getInt(request + SendRequestDescriptor.REMOTE_KEY_OFFSET);
            if (key == lentKey && isInside(lent, from, length))
            {
                UnsafeApi.copyMemory(from, address, length);
                completions.add(new Completion(id, CompletionStatus.SUCCESS, length));
            }
            else
            {
                completions.add(new Completion(id, CompletionStatus.REM_ACCESS_ERR, 0));
                fail();
            }
        }
        else
        {
            if ((UnsafeApi.getInt(request + SendRequestDescriptor.FLAGS_OFFSET) & SendFlags.INLINE) == 0)
            {
                require(buffers, address, length, "SEND");
            }
            final byte[] message = new byte[length];
            for (int i = 0; i < length; i++)
            {
                message[i] = UnsafeApi.getByte(address + i);
            }
            messages.add(message);
            if (isSignaled)
            {
                completions.add(new Completion(id, CompletionStatus.SUCCESS, 0));
            }
        }
    }

    private static void require(final MemoryRange range, final long address, final long length, final String what)
    {
        if (!isInside(range, address, length))
        {
            throw new AssertionError(what + " of memory that is not for it: length=" + length);
        }
    }

    private static boolean isInside(final MemoryRange range, final long address, final long length)
    {
        return length >= 0 && length <= range.length() && address >= range.address() &&
            address - range.address() <= range.length() - length;
    }

    private void fail()
    {
        state = QueuePairState.ERR;
        receives.forEach((receive) ->
            completions.add(new Completion(receive.id(), CompletionStatus.WR_FLUSH_ERR, 0)));
        receives.clear();
    }

    @Override
    public int postReceive(final long workRequest, final long badWorkRequest)
    {
        for (long next = workRequest; next != 0; next = UnsafeApi.getLong(next + ReceiveRequestDescriptor.NEXT_OFFSET))
        {
            final long element = UnsafeApi.getLong(next + ReceiveRequestDescriptor.ELEMENTS_OFFSET);
            final long address = UnsafeApi.getLong(element + ElementDescriptor.ADDRESS_OFFSET);
            final int length = UnsafeApi.getInt(element + ElementDescriptor.LENGTH_OFFSET);
            require(buffers, address, length, "receive");
            receives.add(new Receive(
                UnsafeApi.getLong(next + ReceiveRequestDescriptor.ID_OFFSET), address, length));
        }
        return 0;
    }

    @Override
    public int poll(final long address, final int count)
    {
        int taken = 0;
        while (taken < count && !completions.isEmpty())
        {
            final Completion completion = completions.remove();
            final long at = address + (long)taken++ * CompletionDescriptor.LENGTH;
            UnsafeApi.putLong(at + CompletionDescriptor.ID_OFFSET, completion.id());
            UnsafeApi.putInt(at + CompletionDescriptor.STATUS_OFFSET, completion.status());
            UnsafeApi.putInt(at + CompletionDescriptor.BYTE_LENGTH_OFFSET, completion.length());
            UnsafeApi.putInt(at + CompletionDescriptor.QUEUE_PAIR_OFFSET, number);
        }
        return taken;
    }

    @Override
    public int number()
    {
        return number;
    }

    @Override
    public void modify(final QueuePairAttributes attributes, final int mask)
    {
        state = attributes.state();
    }

    @Override
    public QueuePairState state()
    {
        return state;
    }

    @Override
    public int capacity()
    {
        return Integer.MAX_VALUE;
    }

    @Override
    public int requestNotify(final boolean solicitedOnly)
    {
        return 0;
    }

    @Override
    public void acknowledgeEvents(final int count)
    {
        // There are none.
    }

    @Override
    public CompletionQueue awaitEvent(final long timeoutNs)
    {
        return null;
    }

    @Override
    public void wakeUp()
    {
        // Nobody sleeps.
    }

    @Override
    public boolean wake(final CompletionChannel other)
    {
        return true;
    }

    @Override
    public QueuePairInitAttributes initAttributes()
    {
        return new QueuePairInitAttributes(this, this, null, 2, 2, 1, 1, 0, false, true);
    }

    @Override
    public byte[] deviceBytes()
    {
        throw new AssertionError("not asked for");
    }

    @Override
    public QueuePairAttributes query()
    {
        throw new AssertionError("not asked for");
    }

    @Override
    public void close()
    {
        // Nothing comes any more.
        receives.clear();
        completions.clear();
    }
}
