package org.onesided.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.collections.IntArrayList;
import org.jspecify.annotations.Nullable;
import org.onesided.client.callback.AsyncOperation;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.types.MutableVersion;
import org.onesided.client.types.TimeToLive;
import org.onesided.client.types.VersionedValue;
import org.onesided.client.types.WriteOutcome;

/**
 * Operations that a session has begun and not ended, each under a correlation; what the session tells of one becomes
 * its result. For the session's thread.
 */
final class BegunOperations implements AsyncListener
{
    private final EndedOperations ends;
    /** By correlation; null where that is free. */
    private final List<AsyncOperation> begun = new ArrayList<>();
    private final IntArrayList free = new IntArrayList();

    /**
     * @param ends takes them when they have ended.
     */
    BegunOperations(final EndedOperations ends)
    {
        this.ends = ends;
    }

    /** The correlation of the operation that begins next. */
    int next()
    {
        if (free.isEmpty())
        {
            free.addInt(begun.size());
            begun.add(null);
        }
        return free.getInt(free.size() - 1);
    }

    /** An operation has begun under the {@link #next} correlation. */
    void add(final int correlation, final AsyncOperation operation)
    {
        free.removeAt(free.size() - 1);
        begun.set(correlation, operation);
    }

    void forEach(final Consumer<AsyncOperation> action)
    {
        begun.stream().filter(Objects::nonNull).forEach(action);
    }

    /** Ends all whose time is up, though the session has not told their ends. */
    void expire()
    {
        for (final AsyncOperation operation : begun)
        {
            if (operation != null && operation.isLate())
            {
                ends.expire(operation);
            }
        }
    }

    /** Fails what the session, which is gone, has not told the end of, as far as there is such. */
    void failAll()
    {
        free.clear();
        while (!begun.isEmpty())
        {
            final AsyncOperation operation = begun.remove(begun.size() - 1);
            if (operation != null)
            {
                ends.end(operation, null, ends.failed(operation, "it ended without a word"));
            }
        }
    }

    @Override
    public void onValue(final long correlation, final @Nullable DirectBuffer found)
    {
        onValue(correlation, found, null);
    }

    @Override
    public void onValue(final long correlation, final DirectBuffer found, final MutableVersion version)
    {
        final AsyncOperation lookup = begun.get((int)correlation);
        Object result = null;
        StoreException failure = null;
        try
        {
            if (lookup.name().equals(Operation.CONTAINS))
            {
                result = found != null;
            }
            else if (found != null)
            {
                final byte[] copy = new byte[found.capacity()];
                found.getBytes(0, copy);
                result = lookup.options() == null ? copy : new VersionedValue<>(copy, version.toVersion());
            }
        }
        catch (final OutOfMemoryError e)
        {
            failure = new StoreLimitException("value does not fit into the heap: length=" + found.capacity(),
                ends.about(lookup, WriteFate.NONE), e);
        }
        // Removed last, so that after an error above it is ended with the operations in flight.
        ends.end(ended(correlation), result, failure);
    }

    @Override
    public void onPut(final long correlation)
    {
        ends.end(ended(correlation), null, null);
    }

    @Override
    public void onPut(final long correlation, final MutableVersion version)
    {
        final AsyncOperation put = ended(correlation);
        ends.end(put, put.options() == null ? null : new WriteOutcome(true, version.toVersion()), null);
    }

    @Override
    public void onConflict(final long correlation, final MutableVersion version)
    {
        ends.end(ended(correlation), new WriteOutcome(false, version.toVersion()), null);
    }

    @Override
    public void onDelete(final long correlation, final boolean wasPresent)
    {
        final AsyncOperation delete = ended(correlation);
        ends.end(delete, delete.options() == null ? wasPresent : (Object)new WriteOutcome(true, null), null);
    }

    @Override
    public void onIncrement(final long correlation, final long number, final MutableVersion version)
    {
        ends.end(ended(correlation), new VersionedValue<>(number, version.toVersion()), null);
    }

    @Override
    public void onAppend(final long correlation, final int length, final MutableVersion version)
    {
        ends.end(ended(correlation), new VersionedValue<>(length, version.toVersion()), null);
    }

    @Override
    public void onTouch(final long correlation, final boolean wasPresent)
    {
        ends.end(ended(correlation), wasPresent, null);
    }

    @Override
    public void onTtl(final long correlation, final @Nullable TimeToLive ttl)
    {
        ends.end(ended(correlation), ttl, null);
    }

    @Override
    public void onFailure(final long correlation, final StoreException failure)
    {
        ends.end(ended(correlation), null, failure);
    }

    private AsyncOperation ended(final long correlation)
    {
        free.addInt((int)correlation);
        return begun.set((int)correlation, null);
    }
}
