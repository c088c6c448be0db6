package org.onesided.client.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.agrona.UnsafeApi;
import org.onesided.verbs.AttributeMask;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.CompletionDescriptor;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.ElementDescriptor;
import org.onesided.verbs.Errno;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairAttributes;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.ReceiveRequestDescriptor;
import org.onesided.verbs.SendFlags;
import org.onesided.verbs.SendRequestDescriptor;

/**
 * A queue pair and its completion queue whose peer is the test: it sees each SEND, and answers what and when it likes.
 */
public final class FakeWire implements QueuePair, CompletionQueue
{
    private record Receive(long id, long address, int length)
    {
    }

    private record Completion(long id, int status, int length)
    {
    }

    private final Deque<Receive> receives = new ArrayDeque<>();
    private final Deque<Completion> completions = new ArrayDeque<>();
    private final Deque<Completion> heldReads = new ArrayDeque<>();
    /** READs complete at the last of so many polls; 0 for at once. */
    private int pollsToReads;
    /** Of each SEND, its message. */
    public final List<byte[]> sent = new ArrayList<>();
    private Runnable onSend = () -> { };
    private Runnable onRead = () -> { };
    private int reads;
    private int sendErrno;
    private int sendsLeft;
    private int doorbells;
    private int pollErrno;
    private boolean sendsComplete = true;
    private String failureReason;
    private QueuePairState state = QueuePairState.RTS;

    /**
     * @param action what the peer does upon each SEND.
     * @return this.
     */
    public FakeWire onSend(final Runnable action)
    {
        onSend = action;
        return this;
    }

    /**
     * Refuses SENDs.
     *
     * @param errno of each, or 0 for not any more.
     */
    public void refuseSends(final int errno)
    {
        refuseSends(errno, 0);
    }

    /**
     * Refuses SENDs once so many more were taken.
     *
     * @param errno of each.
     * @param after so many.
     */
    public void refuseSends(final int errno, final int after)
    {
        sendErrno = errno;
        sendsLeft = after;
    }

    /**
     * @return how often SENDs were posted.
     */
    public int doorbells()
    {
        return doorbells;
    }

    /** Polling fails from here on. */
    public void breakQueue()
    {
        pollErrno = Errno.EIO;
    }

    /** SENDs do not complete from here on. */
    public void holdSends()
    {
        sendsComplete = false;
    }

    /**
     * @return receives that are not filled.
     */
    public int postedReceives()
    {
        return receives.size();
    }

    /**
     * Fills the oldest receive.
     *
     * @param message of the peer.
     */
    public void answer(final byte[] message)
    {
        final Receive receive = receives.remove();
        for (int i = 0; i < Math.min(message.length, receive.length()); i++)
        {
            UnsafeApi.putByte(receive.address() + i, message[i]);
        }
        completions.add(new Completion(receive.id(), CompletionStatus.SUCCESS, message.length));
    }

    /**
     * @param id of a work request that succeeds.
     */
    public void complete(final long id)
    {
        completions.add(new Completion(id, CompletionStatus.SUCCESS, 0));
    }

    /**
     * @param reason what the queue pair says of why it failed.
     */
    public void failureReason(final String reason)
    {
        failureReason = reason;
    }

    /**
     * @param id     of a work request that fails.
     * @param status of its completion.
     */
    public void fail(final long id, final int status)
    {
        completions.add(new Completion(id, status, 0));
    }

    /**
     * Fails the oldest receive.
     *
     * @param status of its completion.
     */
    public void failReceive(final int status)
    {
        completions.add(new Completion(receives.remove().id(), status, 0));
    }

    @Override
    public int postSend(final long workRequest, final long badWorkRequest)
    {
        doorbells++;
        for (long next = workRequest; next != 0; next = UnsafeApi.getLong(next + SendRequestDescriptor.NEXT_OFFSET))
        {
            if (sendErrno != 0 && sendsLeft-- == 0)
            {
                UnsafeApi.putLong(badWorkRequest, next);
                return sendErrno;
            }
            send(next);
        }
        return 0;
    }

    private void send(final long workRequest)
    {
        final long element = UnsafeApi.getLong(workRequest + SendRequestDescriptor.ELEMENTS_OFFSET);
        if (UnsafeApi.getInt(workRequest + SendRequestDescriptor.OPCODE_OFFSET) == Opcode.RDMA_READ)
        {
            read(workRequest, element);
            return;
        }
        final byte[] message = new byte[UnsafeApi.getInt(element + ElementDescriptor.LENGTH_OFFSET)];
        for (int i = 0; i < message.length; i++)
        {
            message[i] = UnsafeApi.getByte(UnsafeApi.getLong(element) + i);
        }
        sent.add(message);
        final int flags = UnsafeApi.getInt(workRequest + SendRequestDescriptor.FLAGS_OFFSET);
        if (sendsComplete && (flags & SendFlags.SIGNALED) != 0)
        {
            completions.add(new Completion(
                UnsafeApi.getLong(workRequest + SendRequestDescriptor.ID_OFFSET), CompletionStatus.SUCCESS, 0));
        }
        onSend.run();
    }

    private void read(final long workRequest, final long element)
    {
        UnsafeApi.copyMemory(
            UnsafeApi.getLong(workRequest + SendRequestDescriptor.REMOTE_ADDRESS_OFFSET),
            UnsafeApi.getLong(element + ElementDescriptor.ADDRESS_OFFSET),
            UnsafeApi.getInt(element + ElementDescriptor.LENGTH_OFFSET));
        reads++;
        if ((UnsafeApi.getInt(workRequest + SendRequestDescriptor.FLAGS_OFFSET) & SendFlags.SIGNALED) != 0)
        {
            (pollsToReads > 0 ? heldReads : completions).add(new Completion(
                UnsafeApi.getLong(workRequest + SendRequestDescriptor.ID_OFFSET), CompletionStatus.SUCCESS, 0));
        }
        onRead.run();
    }

    /**
     * @return how many READs were posted; they are executed in the memory of this process.
     */
    public int reads()
    {
        return reads;
    }

    /**
     * @param action what happens once a READ has fetched.
     */
    public void onRead(final Runnable action)
    {
        onRead = action;
    }

    /**
     * READs that are posted from here on complete late, those that are held already, too.
     *
     * @param polls so many polls from now.
     */
    public void holdReads(final int polls)
    {
        pollsToReads = polls;
    }

    @Override
    public int postReceive(final long workRequest, final long badWorkRequest)
    {
        final long element = UnsafeApi.getLong(workRequest + ReceiveRequestDescriptor.ELEMENTS_OFFSET);
        receives.add(new Receive(
            UnsafeApi.getLong(workRequest + ReceiveRequestDescriptor.ID_OFFSET),
            UnsafeApi.getLong(element + ElementDescriptor.ADDRESS_OFFSET),
            UnsafeApi.getInt(element + ElementDescriptor.LENGTH_OFFSET)));
        return 0;
    }

    @Override
    public int poll(final long address, final int count)
    {
        if (pollErrno != 0)
        {
            return -pollErrno;
        }
        if (pollsToReads > 0 && --pollsToReads == 0)
        {
            completions.addAll(heldReads);
            heldReads.clear();
        }
        int taken = 0;
        while (taken < count && !completions.isEmpty())
        {
            final Completion completion = completions.remove();
            final long at = address + (long)taken++ * CompletionDescriptor.LENGTH;
            UnsafeApi.putLong(at + CompletionDescriptor.ID_OFFSET, completion.id());
            UnsafeApi.putInt(at + CompletionDescriptor.STATUS_OFFSET, completion.status());
            UnsafeApi.putInt(at + CompletionDescriptor.BYTE_LENGTH_OFFSET, completion.length());
            UnsafeApi.putInt(at + CompletionDescriptor.QUEUE_PAIR_OFFSET, number());
        }
        return taken;
    }

    @Override
    public int requestNotify(final boolean solicitedOnly)
    {
        return 0;
    }

    @Override
    public int capacity()
    {
        return Integer.MAX_VALUE;
    }

    @Override
    public void acknowledgeEvents(final int count)
    {
        // There are none.
    }

    @Override
    public int number()
    {
        return 1;
    }

    @Override
    public QueuePairInitAttributes initAttributes()
    {
        throw new AssertionError("not asked for");
    }

    @Override
    public String failureReason()
    {
        return failureReason;
    }

    @Override
    public byte[] deviceBytes()
    {
        return new byte[0];
    }

    @Override
    public void modify(final QueuePairAttributes attributes, final int mask)
    {
        assertEquals(AttributeMask.STATE, mask);
        state = attributes.state();
    }

    @Override
    public QueuePairAttributes query()
    {
        throw new AssertionError("not asked for");
    }

    @Override
    public QueuePairState state()
    {
        return state;
    }

    @Override
    public void close()
    {
        // Nothing to free.
    }

    /** A channel on which nothing ever happens. */
    static CompletionChannel silentChannel()
    {
        return new CompletionChannel()
        {
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
            public void close()
            {
                // Nothing to free.
            }
        };
    }
}
