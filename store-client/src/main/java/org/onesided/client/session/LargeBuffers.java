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
 * together; a session that needs more waits for others to return theirs. Thread-safe.
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
    synchronized RegisteredBuffer take(final long length, final Deadline deadline)
    {
        final long rounded = (length + GRAIN - 1) / GRAIN * GRAIN;
        while (true)
        {
            final RegisteredBuffer fitting = takeKept(length, rounded * MAX_OVERSIZE);
            if (fitting != null)
            {
                return fitting;
            }
            if (allocated + rounded > limit)
            {
                freeKept();
            }
            if (allocated == 0 || allocated + rounded <= limit)
            {
                return allocate(rounded);
            }
            deadline.await(this);
        }
    }

    /** Keeps an unused buffer for the next request. */
    synchronized void giveBack(final RegisteredBuffer buffer)
    {
        if (keptLength + buffer.length() > keepLimit)
        {
            free(buffer);
        }
        else
        {
            kept.add(buffer);
            keptLength += buffer.length();
        }
        notifyAll();
    }

    /** Frees a buffer that the server may still READ. Its key becomes invalid, and its memory is not reused. */
    synchronized void discard(final RegisteredBuffer buffer)
    {
        free(buffer);
        notifyAll();
    }

    @Override
    public synchronized void close()
    {
        freeKept();
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

    private RegisteredBuffer allocate(final long length)
    {
        DeviceMemory memory;
        try
        {
            memory = context.allocate(length, hugePages);
        }
        catch (final VerbsException e)
        {
            if (kept.isEmpty())
            {
                throw e;
            }
            freeKept();
            memory = context.allocate(length, hugePages);
        }
        try
        {
            final MemoryRegion region = domain.register(memory.range(), Access.LOCAL_WRITE | Access.REMOTE_READ);
            final RegisteredBuffer buffer =
                new RegisteredBuffer(memory.range(), region.localKey(), region.remoteKey());
            extents.put(buffer, new Extent(memory, region));
            allocated += buffer.length();
            return buffer;
        }
        catch (final VerbsException e)
        {
            Resources.closeQuietly(memory);
            throw e;
        }
    }

    private void freeKept()
    {
        kept.forEach(this::free);
        kept.clear();
        keptLength = 0;
    }

    private void free(final RegisteredBuffer buffer)
    {
        allocated -= buffer.length();
        Resources.closeQuietly(extents.remove(buffer));
    }
}
