package org.onesided.client.session;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.onesided.verbs.ThreadFence;

/**
 * What a session confirms to the server over one attachment: that no READ of its goes to retired memory any more. Only
 * then does the server give it back, as a READ of memory that is gone ends the queue pair.
 *
 * <p>The session's thread looks at what is retired before it chooses what to READ, at the begin of each lookup or of
 * each step of a longer operation. It takes over what is new, and confirms that when no READ is under way that was
 * posted before. At the end of the operation the session is at rest. Then no thread looks, and the life line confirms:
 *
 * <pre>
 *   session's thread              life line's thread
 *
 *   isReading = true              newest = retired memory
 *   light fence                   heavy fence
 *   look at newest                look at isReading
 * </pre>
 *
 * <p>Either the life line sees that the session reads, and leaves the confirmation to it. Or the session's next look
 * comes after the heavy fence and sees what is retired, before it chooses what to READ.
 */
public final class Confirmation
{
    private static final VarHandle READING;
    private static final VarHandle NEWEST;
    private static final VarHandle CONFIRMED;

    static
    {
        try
        {
            final MethodHandles.Lookup lookup = MethodHandles.lookup();
            READING = lookup.findVarHandle(Confirmation.class, "isReading", boolean.class);
            NEWEST = lookup.findVarHandle(Confirmation.class, "newest", RetiredMemory.class);
            CONFIRMED = lookup.findVarHandle(Confirmation.class, "confirmed", long.class);
        }
        catch (final ReflectiveOperationException e)
        {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Table table;
    private final CompletionLoop loop;
    /** Forgets the segments that the session knows. */
    private final Runnable forget;
    /** Whether the session is amid an operation that READs. */
    private boolean isReading;
    /** What the server announced last. */
    private RetiredMemory newest;
    /** Epoch that the session's thread has confirmed. */
    private long confirmed;
    /** What the session's thread has confirmed, and what it knows: newer if older READs are under way. */
    private RetiredMemory settled;
    private RetiredMemory known;
    /** Lanes with READs that may be older than what is known, one bit each. */
    private int olderLanes;
    /** For the life line's thread: an epoch that may be confirmed for a session at rest, and one that was. */
    private long candidate;
    private long confirmedAtRest;

    /**
     * @param table  that is read; it knows already what is retired up to the epoch.
     * @param loop   of the session's completions.
     * @param forget lets the session learn anew which segments there are, when it READs next.
     * @param epoch  of what was retired before the session READ the superblock.
     */
    Confirmation(final Table table, final CompletionLoop loop, final Runnable forget, final long epoch)
    {
        this.table = table;
        this.loop = loop;
        this.forget = forget;
        newest = new RetiredMemory(epoch, epoch);
        settled = newest;
        known = newest;
        confirmed = epoch;
        confirmedAtRest = epoch;
    }

    /**
     * Looks at what is retired, for READs that are chosen from here on. For the session's thread.
     */
    public void look()
    {
        READING.setOpaque(this, true);
        ThreadFence.light();
        final RetiredMemory now = (RetiredMemory)NEWEST.getAcquire(this);
        if (now != settled)
        {
            take(now);
        }
    }

    private void take(final RetiredMemory now)
    {
        if (now != known)
        {
            now.applyTo(table);
            if (now.removesSegmentsSince(known))
            {
                forget.run();
            }
            known = now;
            olderLanes = loop.readingLanes();
        }
        else
        {
            olderLanes &= loop.readingLanes();
        }
        if (olderLanes == 0)
        {
            settled = now;
            CONFIRMED.setRelease(this, now.epoch());
        }
    }

    /** The operation is over, and no READ is under way. For the session's thread. */
    void rest()
    {
        READING.setRelease(this, false);
    }

    /** The server has announced what it retires; false if there is no such. */
    boolean announce(final RetiredMemory retired)
    {
        final boolean isSound = retired.epoch() > announced() && retired.fits(table);
        if (isSound)
        {
            NEWEST.setVolatile(this, retired);
        }
        return isSound;
    }

    /** Epoch of what the server announced last. */
    long announced()
    {
        return ((RetiredMemory)NEWEST.getAcquire(this)).epoch();
    }

    /**
     * Prepares to confirm for a session at rest. For the life line's thread.
     *
     * @return whether {@link ThreadFence#heavy} is to be passed before {@link #confirmed} is called.
     */
    boolean prepare()
    {
        candidate = (boolean)READING.getAcquire(this) ? confirmedAtRest : announced();
        return candidate > confirmedAtRest;
    }

    /** The epoch that is confirmed, after {@link #prepare}. For the life line's thread. */
    long confirmed()
    {
        if (!(boolean)READING.getAcquire(this))
        {
            confirmedAtRest = candidate;
        }
        return Math.max(confirmedAtRest, (long)CONFIRMED.getAcquire(this));
    }
}
