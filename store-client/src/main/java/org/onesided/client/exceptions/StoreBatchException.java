package org.onesided.client.exceptions;

/**
 * A batch of writes failed in part. Its cause is the first failure; nothing was sent after that, and what was under way
 * has ended. {@link #key} and {@link #writeFate} are those of the first failure, {@link #fate} tells of each write.
 */
public final class StoreBatchException extends StoreException
{
    private static final long serialVersionUID = 1L;

    /** The fate of each write. */
    private final WriteFate[] fates;

    /**
     * @param message what happened, and the way out.
     * @param context of the first failure.
     * @param cause   the first failure.
     * @param fates   for each write, what became of it.
     */
    public StoreBatchException(
        final String message, final FailureContext context, final StoreException cause, final WriteFate[] fates)
    {
        super(message, context, cause);
        this.fates = fates;
    }

    /**
     * @return how many writes the batch has.
     */
    public int size()
    {
        return fates.length;
    }

    /**
     * @param index of the write in the batch, from 0.
     * @return {@link WriteFate#APPLIED}, {@link WriteFate#NOT_APPLIED} or {@link WriteFate#UNKNOWN}.
     * @throws IndexOutOfBoundsException if there is no such write.
     */
    public WriteFate fate(final int index)
    {
        return fates[index];
    }

    /**
     * @param fate to count.
     * @return how many writes it became of.
     */
    public int count(final WriteFate fate)
    {
        int count = 0;
        for (final WriteFate each : fates)
        {
            count += each == fate ? 1 : 0;
        }
        return count;
    }
}
