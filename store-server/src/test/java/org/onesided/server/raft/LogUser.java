package org.onesided.server.raft;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.server.log.EntryDescriptor;
import org.onesided.server.log.LogListener;
import org.onesided.server.log.ShardLog;

/**
 * A shard as its log sees it: proposes entries that are numbered, and checks that they are handed over in order, each
 * once.
 */
final class LogUser implements LogListener
{
    private static final int NUMBER_OFFSET = EntryDescriptor.HEADER_LENGTH;
    private static final long DEADLINE_NS = TimeUnit.MINUTES.toNanos(2);

    private final ShardLog log;
    private final UnsafeBuffer entry = new UnsafeBuffer(new byte[ShardLog.MAX_ENTRY_LENGTH]);
    private final List<String> failures = new ArrayList<>();
    private long proposed;
    private long lastNumber = -1;
    private long firstNumber = -1;
    private long index = -1;
    private long term;
    private long entries;
    private int timesReady;

    LogUser(final ShardLog log)
    {
        this.log = log;
    }

    @Override
    public void onEntry(
        final long newIndex,
        final long newTerm,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        assertTrue(newIndex > index, "index " + newIndex + " after " + index);
        assertTrue(newTerm >= term, "term " + newTerm + " after " + term);
        index = newIndex;
        term = newTerm;
        final long number = buffer.getLong(offset + NUMBER_OFFSET);
        if (lastNumber >= 0)
        {
            assertTrue(number > lastNumber, number + " after " + lastNumber);
        }
        else
        {
            firstNumber = number;
        }
        for (int i = NUMBER_OFFSET + Long.BYTES; i < length; i++)
        {
            if (buffer.getByte(offset + i) != (byte)(number + i))
            {
                fail("wrong content: number=" + number + ", at=" + i);
            }
        }
        lastNumber = number;
        entries++;
    }

    @Override
    public void onReady()
    {
        timesReady++;
    }

    @Override
    public void onFailed(final String reason)
    {
        failures.add(reason);
    }

    /** Proposes the next entry; returns whether the log took it. */
    boolean tryPropose(final int length)
    {
        EntryDescriptor.writeHeader(entry, 0, 0, 1, index);
        entry.putLong(NUMBER_OFFSET, proposed);
        for (int i = NUMBER_OFFSET + Long.BYTES; i < length; i++)
        {
            entry.putByte(i, (byte)(proposed + i));
        }
        final boolean isTaken = log.tryPropose(entry, 0, length);
        proposed += isTaken ? 1 : 0;
        return isTaken;
    }

    /** Proposes and waits until all is handed over. */
    void propose(final int count, final int length)
    {
        final long last = proposed + count;
        while (proposed < last)
        {
            await("proposed " + proposed, () -> tryPropose(length));
        }
        awaitNumber(last - 1);
    }

    void awaitNumber(final long number)
    {
        await("entry " + number + " after " + lastNumber, () -> lastNumber >= number);
    }

    void awaitReady()
    {
        final int before = timesReady;
        await("ready", () -> timesReady > before);
    }

    void await(final String what, final BooleanSupplier condition)
    {
        final long deadlineNs = System.nanoTime() + DEADLINE_NS;
        while (!condition.getAsBoolean())
        {
            if (poll() == 0)
            {
                LockSupport.parkNanos(1000);
            }
            if (System.nanoTime() - deadlineNs > 0)
            {
                fail("waited too long: " + what + ", failures=" + failures);
            }
        }
    }

    int poll()
    {
        return log.poll(this, 64);
    }

    /** Numbers go on behind those of an earlier start. */
    void continueBehind(final long number)
    {
        proposed = number + 1;
    }

    long proposed()
    {
        return proposed;
    }

    long firstNumber()
    {
        return firstNumber;
    }

    long lastNumber()
    {
        return lastNumber;
    }

    long index()
    {
        return index;
    }

    long term()
    {
        return term;
    }

    long entries()
    {
        return entries;
    }

    int timesReady()
    {
        return timesReady;
    }

    List<String> failures()
    {
        return failures;
    }
}
