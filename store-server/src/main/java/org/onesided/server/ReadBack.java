package org.onesided.server;

import java.util.concurrent.atomic.AtomicLong;
import org.onesided.server.data.ReadBackListener;

/**
 * How far a start has read the table back. The shards' threads add to it; the rest belongs to the thread that starts
 * the server.
 */
final class ReadBack
{
    private final ReadBackListener listener;
    private final AtomicLong bytes = new AtomicLong();
    private long length;

    ReadBack(final ReadBackListener listener)
    {
        this.listener = listener;
    }

    /** More is to be read, or less if negative. */
    void expect(final long more)
    {
        length += more;
    }

    /** So much was read. Safe to call from any thread. */
    void add(final long more)
    {
        bytes.addAndGet(more);
    }

    long bytes()
    {
        return bytes.get();
    }

    void addAndTell(final long more)
    {
        add(more);
        tell();
    }

    void tell()
    {
        if (length > 0)
        {
            listener.onReadBack(Math.min(bytes(), length), length);
        }
    }

    /** All is read back. */
    void end()
    {
        if (length > 0)
        {
            listener.onReadBack(length, length);
        }
    }
}
