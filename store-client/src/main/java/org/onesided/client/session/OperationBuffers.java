package org.onesided.client.session;

import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.verbs.VerbsException;

/**
 * Buffers for the long values of a session's operations, which all sessions of the client share. For the session's
 * thread.
 */
public final class OperationBuffers
{
    private final RunningOperation operation;
    private final Reconnector reconnector;
    private final LargeBuffers buffers;
    private RegisteredBuffer kept;

    OperationBuffers(final RunningOperation operation, final Reconnector reconnector, final LargeBuffers buffers)
    {
        this.operation = operation;
        this.reconnector = reconnector;
        this.buffers = buffers;
    }

    /**
     * Room for a long value until {@link #end}.
     *
     * @param length at least, in bytes.
     * @return the buffer, the same one if it is long enough.
     * @throws DeadlinePassedException if others keep theirs.
     */
    public RegisteredBuffer longRecord(final long length)
    {
        if (kept != null && kept.length() < length)
        {
            final RegisteredBuffer tooSmall = kept;
            kept = null;
            // The operation's own READs have completed. READs of a batch may be in flight, but use other memory.
            buffers.giveBack(tooSmall);
        }
        if (kept == null)
        {
            kept = take(length);
        }
        return kept;
    }

    /**
     * A buffer for a long value; the caller gives it back or discards it.
     *
     * @param length at least, in bytes.
     * @return the buffer.
     * @throws DeadlinePassedException if others keep theirs.
     * @throws StoreLimitException if the device has no more memory.
     */
    public RegisteredBuffer take(final long length)
    {
        try
        {
            return buffers.take(length, operation.deadline());
        }
        catch (final VerbsException e)
        {
            throw new StoreLimitException(
                "no memory for a value of this length, give the device more or store shorter values: " +
                    e.getMessage(),
                operation.failure(Operation.unsentFate(operation.name())),
                e);
        }
    }

    /**
     * Gives a buffer back that was READ into. An operation that fails with READs under way ends its attachment: they
     * would write to what is another's from here on.
     *
     * @param buffer that was taken.
     */
    public void giveBack(final RegisteredBuffer buffer)
    {
        reconnector.endReads(0);
        buffers.giveBack(buffer);
    }

    /**
     * Gives a buffer back that the server pulled a value from, and pulls from no more.
     *
     * @param buffer that was taken.
     */
    public void giveBackPulled(final RegisteredBuffer buffer)
    {
        buffers.giveBack(buffer);
    }

    /**
     * Frees a buffer that the server may still be reading.
     *
     * @param buffer that was taken.
     */
    public void discard(final RegisteredBuffer buffer)
    {
        buffers.discard(buffer);
    }

    /** Returns the buffer for a long value. */
    public void end()
    {
        if (kept != null)
        {
            final RegisteredBuffer used = kept;
            kept = null;
            giveBack(used);
        }
    }
}
