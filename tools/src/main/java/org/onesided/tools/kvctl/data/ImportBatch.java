package org.onesided.tools.kvctl.data;

import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.LongArrayList;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreBatchException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.types.Expiry;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.WriteOutcome;

/**
 * Pairs that an import has read and not yet put. It puts them with their requests in flight together.
 */
final class ImportBatch
{
    private static final int MAX_PAIRS = 4_000;
    private static final long MAX_LENGTH = 1 << 20;

    private final List<byte[]> keys = new ArrayList<>();
    private final List<byte[]> values = new ArrayList<>();
    private final List<PutOptions> options = new ArrayList<>();
    private final LongArrayList lines = new LongArrayList();
    private boolean hasOptions;
    private long length;
    private long applied;
    private long bytesApplied;
    private long expired;
    private long unknown;

    /**
     * Reports why not all pairs were put, and the first line that was not.
     */
    static final class PutException extends Exception
    {
        private static final long serialVersionUID = 1L;

        private final long line;

        PutException(final StoreException cause, final long line)
        {
            super(cause.getMessage(), cause);
            this.line = line;
        }

        /** The failure of that pair, or of another pair of the batch. */
        StoreException reason()
        {
            return (StoreException)getCause();
        }

        long line()
        {
            return line;
        }
    }

    /** Adds a pair; {@code expiry}: when its key expires, null if that is not known. */
    void add(final byte[] key, final byte[] value, final Expiry expiry, final long line)
    {
        keys.add(key);
        values.add(value);
        options.add(expiry == null ? PutOptions.NONE : PutOptions.NONE.expiry(expiry));
        hasOptions |= expiry != null;
        lines.addLong(line);
        length += key.length + value.length;
    }

    boolean isEmpty()
    {
        return keys.isEmpty();
    }

    boolean isFull()
    {
        return keys.size() >= MAX_PAIRS || length >= MAX_LENGTH;
    }

    /** Line of the latest pair. */
    long lastLine()
    {
        return lines.getLong(lines.size() - 1);
    }

    /** Puts all pairs. The batch is empty afterwards in any case. */
    void put(final StoreClient client) throws PutException
    {
        applied = 0;
        bytesApplied = 0;
        expired = 0;
        unknown = 0;
        try
        {
            if (hasOptions)
            {
                count(client.putAll(keys, values, options));
            }
            else
            {
                client.putAll(keys, values);
                applied = keys.size();
                bytesApplied = length;
            }
        }
        catch (final StoreBatchException e)
        {
            throw new PutException(e.getCause() instanceof StoreException first ? first : e, count(e));
        }
        catch (final StoreException e)
        {
            unknown = e.writeFate() == WriteFate.UNKNOWN ? keys.size() : 0;
            throw new PutException(e, lines.getLong(0));
        }
        finally
        {
            keys.clear();
            values.clear();
            options.clear();
            hasOptions = false;
            lines.clear();
            length = 0;
        }
    }

    /** Number of pairs that the last {@link #put} has put. */
    long applied()
    {
        return applied;
    }

    /** Pairs among those of the last {@link #put} whose time was over, so that their keys are absent. */
    long expired()
    {
        return expired;
    }

    /** Pairs among those of the last {@link #put} of which nobody knows whether they were put. */
    long unknown()
    {
        return unknown;
    }

    /** Bytes of the keys and values that were put. */
    long bytesApplied()
    {
        return bytesApplied;
    }

    private void count(final List<WriteOutcome> outcomes)
    {
        for (int i = 0; i < outcomes.size(); i++)
        {
            if (outcomes.get(i).version() == null)
            {
                expired++;
            }
            else
            {
                applied++;
                bytesApplied += keys.get(i).length + values.get(i).length;
            }
        }
    }

    /** Counts the pairs that were put, and finds the line of the first that was not. */
    private long count(final StoreBatchException e)
    {
        long first = -1;
        unknown = e.count(WriteFate.UNKNOWN);
        for (int i = 0; i < e.size(); i++)
        {
            if (e.fate(i) == WriteFate.APPLIED)
            {
                applied++;
                bytesApplied += keys.get(i).length + values.get(i).length;
            }
            else if (first < 0)
            {
                first = lines.getLong(i);
            }
        }
        return first < 0 ? lines.getLong(0) : first;
    }
}
