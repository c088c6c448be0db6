package org.onesided.verbs.shm;

import static org.onesided.verbs.shm.SharedQueueDescriptor.*;

import org.agrona.UnsafeApi;
import org.onesided.verbs.posix.Posix;

/**
 * A peer's shared receive queue, from which a sender claims one receive for each message.
 */
final class PeerSharedQueue implements AutoCloseable
{
    private final SharedMapping mapping;
    private final int capacity;
    private final int claimant;

    private PeerSharedQueue(final SharedMapping mapping, final int capacity, final int claimant)
    {
        this.mapping = mapping;
        this.capacity = capacity;
        this.claimant = claimant;
    }

    /**
     * @param claimant number of the peer's queue pair, for which receives are claimed.
     * @return the queue, or null if it is gone.
     */
    static PeerSharedQueue open(final PeerContext peer, final int number, final int capacity, final int claimant)
    {
        final String name = FileNames.sharedQueue(number);
        final int fd = Posix.openAt(peer.directory(), name, Posix.O_RDWR);
        if (fd < 0 || Integer.bitCount(capacity) != 1 || capacity < 0)
        {
            Posix.close(fd);
            return null;
        }
        try
        {
            return new PeerSharedQueue(
                SharedMapping.of(fd, name, SharedQueueDescriptor.length(capacity), true), capacity, claimant);
        }
        finally
        {
            Posix.close(fd);
        }
    }

    /**
     * @return slot of the receive, or -1 if the queue is empty.
     */
    int claim()
    {
        final long headAddress = mapping.address() + HEAD_OFFSET;
        while (true)
        {
            final long head = UnsafeApi.getLongVolatile(null, headAddress);
            final long place = mapping.address() + WORDS_OFFSET + (head & capacity - 1) * Long.BYTES;
            final long word = UnsafeApi.getLongVolatile(null, place);
            if (isAt(word, head) && state(word) == POSTED)
            {
                final long claimed = word(head, slot(word), claimant, CLAIMED);
                if (UnsafeApi.compareAndSetLong(null, place, word, claimed))
                {
                    UnsafeApi.compareAndSetLong(null, headAddress, head, head + 1);
                    return slot(word);
                }
            }
            else if (isAt(word, head) && state(word) == CLAIMED)
            {
                UnsafeApi.compareAndSetLong(null, headAddress, head, head + 1);
            }
            else if (UnsafeApi.getLongVolatile(null, headAddress) == head)
            {
                return -1;
            }
        }
    }

    /**
     * @param slot that was claimed.
     * @return bytes its receive can take.
     */
    int length(final int slot)
    {
        return UnsafeApi.getInt(
            mapping.address() + lengthsOffset(capacity) + (long)(slot & capacity - 1) * Integer.BYTES);
    }

    @Override
    public void close()
    {
        mapping.close();
    }
}
