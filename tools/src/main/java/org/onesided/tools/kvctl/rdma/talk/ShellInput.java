package org.onesided.tools.kvctl.rdma.talk;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.onesided.waiting.Interruptible;

/**
 * Lines of an input that may block, read by a thread of its own so that completions can be printed meanwhile.
 */
final class ShellInput implements AutoCloseable
{
    /** Stands for a line that is too long. */
    static final String TOO_LONG = "\0";
    static final int MAX_LINE_LENGTH = 4096;

    private static final int MAX_LINES_AHEAD = 64;
    private static final long LONGEST_STOP_MS = 100;

    private final InputStream in;
    /** An empty line stands for the end. */
    private final BlockingQueue<Optional<String>> lines = new ArrayBlockingQueue<>(MAX_LINES_AHEAD);
    private final Thread reader = new Thread(this::read, "kvctl-shell-input");
    private boolean ended;

    ShellInput(final InputStream in)
    {
        this.in = in;
        // A read from a terminal cannot be interrupted, so the thread must not keep the process alive.
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Waits for a line.
     *
     * @return the line; null if none came in time or there are no more.
     */
    String next(final long timeoutNs) throws InterruptedException
    {
        if (ended)
        {
            return null;
        }
        final Optional<String> line = lines.poll(timeoutNs, TimeUnit.NANOSECONDS);
        if (line == null)
        {
            return null;
        }
        ended = line.isEmpty();
        return line.orElse(null);
    }

    /** Whether the last line was taken. */
    boolean hasEnded()
    {
        return ended;
    }

    private void read()
    {
        try
        {
            final ByteArrayOutputStream line = new ByteArrayOutputStream();
            for (int next = in.read(); next >= 0; next = in.read())
            {
                if (next == '\n')
                {
                    take(line);
                }
                else if (line.size() <= MAX_LINE_LENGTH)
                {
                    line.write(next);
                }
            }
            if (line.size() > 0)
            {
                take(line);
            }
            lines.put(Optional.empty());
        }
        catch (final IOException e)
        {
            endQuietly();
        }
        catch (final InterruptedException e)
        {
            // Closed: nothing takes lines any more.
            return;
        }
    }

    private void take(final ByteArrayOutputStream line) throws InterruptedException
    {
        lines.put(Optional.of(line.size() > MAX_LINE_LENGTH ? TOO_LONG : line.toString(UTF_8)));
        line.reset();
    }

    /** An unreadable input has ended. */
    private void endQuietly()
    {
        Interruptible.run(() -> lines.put(Optional.empty()));
    }

    /** Stops reading as soon as the blocked read returns. */
    @Override
    public void close()
    {
        reader.interrupt();
        Interruptible.join(reader, LONGEST_STOP_MS);
    }
}
