package org.onesided.client.read;

import java.util.ConcurrentModificationException;
import java.util.List;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.session.Reconnector;
import org.onesided.client.session.RunningOperation;
import org.onesided.client.session.SessionCore;
import org.onesided.client.types.ValueConsumer;
import org.onesided.protocol.table.RecordDescriptor;

/**
 * The lookups of one call that passes all values to one consumer, and fails as a whole. Not thread-safe.
 */
public final class BatchGets implements GroupedLookups.Lookups
{
    private final RunningOperation operation;
    private final Reconnector reconnector;
    private final GroupedLookups runner;
    private List<byte[]> keys;
    /** Number of checked keys; the list may have grown since. */
    private int count;
    private ValueConsumer consumer;

    /**
     * @param core of the session.
     * @param gets carry out what a group does not settle.
     */
    public BatchGets(final SessionCore core, final SessionGets gets)
    {
        operation = core.operation();
        reconnector = core.reconnector();
        runner = new GroupedLookups(core, gets);
    }

    /**
     * Begins lookups, in an operation that has begun; {@link #finish} may follow, and {@link #end} must.
     *
     * @param all keys of lengths that were checked; a list that is quick to index.
     * @param to  gets the values, in the order of the keys.
     */
    public void begin(final List<byte[]> all, final ValueConsumer to)
    {
        keys = all;
        count = all.size();
        consumer = to;
        runner.begin(this);
    }

    /**
     * Gives each key's value to the consumer.
     */
    public void finish()
    {
        runner.finish(this);
    }

    /**
     * Ends the lookups, which may have failed.
     */
    public void end()
    {
        keys = null;
        consumer = null;
        runner.end();
    }

    @Override
    public int count()
    {
        return count;
    }

    @Override
    public void addTo(final KeyGroup group, final int index)
    {
        final byte[] key = key(index);
        group.add(key, BufferUtil.ARRAY_BASE_OFFSET, key.length);
    }

    @Override
    public void beginGroup(final int first)
    {
        reconnector.checkDeadline(GroupedLookups.LATE, WriteFate.NONE);
    }

    @Override
    public void awaitGroup(final int first)
    {
        // All have one deadline.
    }

    @Override
    public void beginAlone(final int index)
    {
        final byte[] key = key(index);
        operation.key(key, BufferUtil.ARRAY_BASE_OFFSET, key.length);
        operation.nextKey(key.length);
    }

    @Override
    public void beginAlone(final int index, final long keyAddress, final int keyLength)
    {
        operation.key(null, keyAddress, keyLength);
        operation.nextKey(keyLength);
    }

    @Override
    public void onValue(final int index, final DirectBuffer value, final long tableId, final long version)
    {
        consumer.accept(index, value);
    }

    @Override
    public void onGroupFailure(final StoreException failure)
    {
        throw failure;
    }

    @Override
    public void onFailure(final int index, final StoreException failure)
    {
        throw failure;
    }

    /** A key, whose length was checked but may have changed since. */
    private byte[] key(final int index)
    {
        final byte[] key = keys.get(index);
        if (key.length < RecordDescriptor.MIN_KEY_LENGTH || key.length > RecordDescriptor.MAX_KEY_LENGTH)
        {
            throw new ConcurrentModificationException("keys change while they are looked up: length=" + key.length);
        }
        return key;
    }
}
