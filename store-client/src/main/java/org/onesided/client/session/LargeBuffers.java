package org.onesided.client.session;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.onesided.verbs.Access;
import org.onesided.verbs.Context;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.MemoryRegion;
import org.onesided.verbs.ProtectionDomain;
import org.onesided.verbs.VerbsException;

/**
 * Registered buffers for long values, lent to sessions and kept for reuse. A bound limits lent and kept buffers
 * together; a session that needs more waits for others to return theirs. Thread-safe. Making and freeing memory takes
 * long, so no other session waits for that: both happen outside the lock, with the length reserved.
 */
final class LargeBuffers implements AutoCloseable
{
    private static final long GRAIN = 64 * 1024;
    /** A kept buffer serves requests down to this fraction of its length; for smaller ones a new buffer is made. */
    private static final int MAX_OVERSIZE = 8;

    private record Extent(DeviceMemory memory, MemoryRegion region) implements AutoCloseable
    {
        @Override
        public void close()
        {
            region.close();
            memory.close();
        }
    }

    private final Context context;
    private final ProtectionDomain domain;
    private final HugePages hugePages;
    private final long limit;
    private final long keepLimit;
    private final Map<RegisteredBuffer, Extent> extents = new IdentityHashMap<>();
    private final List<RegisteredBuffer> kept = new ArrayList<>();
    private long allocated;
    private long keptLength;

    /**
     * @param hugePages whether they are in huge pages.
     * @param limit     bytes altogether; one buffer alone may pass it.
     * @param keepLimit bytes kept for the next while nobody uses them.
     */
    LargeBuffers(
        final Context context,
        final ProtectionDomain domain,
        final HugePages hugePages,
        final long limit,
        final long keepLimit)
    {
        this.hugePages = hugePages;
        this.context = context;
        this.domain = domain;
        this.limit = limit;
        this.keepLimit = keepLimit;
    }

    /**
     * Lends a buffer.
     *
     * @param length   at least, in bytes.
     * @param deadline until when to wait for others.
     * @return the buffer; given back or discarded by the caller.
     * @throws VerbsException          if the device has no more memory.
     * @throws DeadlinePassedException if others keep theirs.
     */
    RegisteredBuffer take(final long length, final Deadline deadline)
    {
        final long rounded = (length + GRAIN - 1) / GRAIN * GRAIN;
        while (true)
        {
            final List<Extent> freed;
            synchronized (this)
            {
                final RegisteredBuffer fitting = takeKept(length, rounded * MAX_OVERSIZE);
                if (fitting != null)
                {
                    return fitting;
                }
                final boolean isTight = allocated + rounded > limit;
                if (isTight && kept.isEmpty() && allocated > 0)
                {
                    deadline.await(this);
                    continue;
                }
                freed = isTight ? removeKept() : List.of();
                if (freed.isEmpty())
                {
                    allocated += rounded;
                }
            }
            if (freed.isEmpty())
            {
                return make(rounded);
            }
            release(freed);
        }
    }

    /** Keeps an unused buffer for the next request. */
    void giveBack(final RegisteredBuffer buffer)
    {
        synchronized (this)
        {
            if (keptLength + buffer.length() <= keepLimit)
            {
                kept.add(buffer);
                keptLength += buffer.length();
                notifyAll();
                return;
            }
        }
        discard(buffer);
    }

    /** Frees a buffer that the server may still READ. Its key becomes invalid, and its memory is not reused. */
    void discard(final RegisteredBuffer buffer)
    {
        final Extent extent;
        synchronized (this)
        {
            extent = extents.remove(buffer);
        }
        release(List.of(extent));
    }

    @Override
    public void close()
    {
        final List<Extent> freed;
        synchronized (this)
        {
            freed = removeKept();
        }
        release(freed);
    }

    private RegisteredBuffer takeKept(final long length, final long maxLength)
    {
        int best = -1;
        for (int i = 0; i < kept.size(); i++)
        {
            final long each = kept.get(i).length();
            if (each >= length && each <= maxLength && (best < 0 || each < kept.get(best).length()))
            {
                best = i;
            }
        }
        if (best < 0)
        {
            return null;
        }
        final RegisteredBuffer taken = kept.remove(best);
        keptLength -= taken.length();
        return taken;
    }

    /** Makes a buffer whose length is reserved. */
    private RegisteredBuffer make(final long length)
    {
        boolean success = false;
        try
        {
            final Extent extent = register(allocate(length));
            final RegisteredBuffer buffer = new RegisteredBuffer(
                extent.memory.range(), extent.region.localKey(), extent.region.remoteKey());
            synchronized (this)
            {
                extents.put(buffer, extent);
                // The device may round up.
                allocated += buffer.length() - length;
            }
            success = true;
            return buffer;
        }
        finally
        {
            if (!success)
            {
                returnLength(length);
            }
        }
    }

    private DeviceMemory allocate(final long length)
    {
        try
        {
            return context.allocate(length, hugePages);
        }
        catch (final VerbsException e)
        {
            final List<Extent> freed;
            synchronized (this)
            {
                freed = removeKept();
            }
            if (freed.isEmpty())
            {
                throw e;
            }
            release(freed);
            return context.allocate(length, hugePages);
        }
    }

    private Extent register(final DeviceMemory memory)
    {
        try
        {
            return new Extent(
                memory, domain.register(memory.range(), Access.LOCAL_WRITE | Access.REMOTE_READ));
        }
        catch (final VerbsException e)
        {
            Resources.closeQuietly(memory);
            throw e;
        }
    }

    /** The caller, who holds the lock, releases them without it. */
    private List<Extent> removeKept()
    {
        final List<Extent> removed = new ArrayList<>(kept.size());
        kept.forEach(buffer -> removed.add(extents.remove(buffer)));
        kept.clear();
        keptLength = 0;
        return removed;
    }

    /** Memory counts until it is free. */
    private void release(final List<Extent> removed)
    {
        for (final Extent extent : removed)
        {
            final long length = extent.memory.range().length();
            Resources.closeQuietly(extent);
            returnLength(length);
        }
    }

    private synchronized void returnLength(final long length)
    {
        allocated -= length;
        notifyAll();
    }
}
