package org.onesided.tools.load.workload;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Fractions of the kinds of operations, which need not add up to 1. Each is at least 0, and at least one is more.
 *
 * @param read            fraction of lookups.
 * @param update          fraction of puts of existing keys.
 * @param insert          fraction of puts of new keys.
 * @param readModifyWrite fraction of lookups followed by a put.
 */
public record Mix(double read, double update, double insert, double readModifyWrite)
{
    /**
     * @param read            fraction of lookups.
     * @param update          fraction of puts of existing keys.
     * @param insert          fraction of puts of new keys.
     * @param readModifyWrite fraction of lookups followed by a put.
     */
    public Mix
    {
        // Written so that NaN is refused, too.
        if (!(read >= 0 && update >= 0 && insert >= 0 && readModifyWrite >= 0) ||
            !(read + update + insert + readModifyWrite > 0 &&
                read + update + insert + readModifyWrite < Double.POSITIVE_INFINITY))
        {
            throw new IllegalArgumentException("proportions must be 0 or more, and one of them more than 0: read=" +
                read + " update=" + update + " insert=" + insert + " readmodifywrite=" + readModifyWrite);
        }
    }

    /**
     * @return names of the operations that occur, each with its fraction of 1.
     */
    public Map<String, Double> parts()
    {
        final Map<String, Double> parts = new LinkedHashMap<>();
        for (final OperationType type : OperationType.values())
        {
            if (part(type) > 0)
            {
                parts.put(type.label(), part(type) / sum());
            }
        }
        return parts;
    }

    /**
     * Draws the next operation.
     *
     * @param random of the calling thread.
     * @return its kind.
     */
    public OperationType draw(final SplittableRandom random)
    {
        final double at = random.nextDouble() * sum();
        if (at < read)
        {
            return OperationType.READ;
        }
        if (at < read + update)
        {
            return OperationType.UPDATE;
        }
        // What rounding leaves at the end belongs to the last kind that occurs.
        if (at < read + update + insert || readModifyWrite == 0)
        {
            return insert > 0 ? OperationType.INSERT : update > 0 ? OperationType.UPDATE : OperationType.READ;
        }
        return OperationType.READ_MODIFY_WRITE;
    }

    private double part(final OperationType type)
    {
        return switch (type)
        {
            case READ -> read;
            case UPDATE -> update;
            case INSERT -> insert;
            case READ_MODIFY_WRITE -> readModifyWrite;
        };
    }

    private double sum()
    {
        return read + update + insert + readModifyWrite;
    }
}
