package org.onesided.peers;

import java.io.IOException;
import java.util.Map;

/**
 * A system that a {@link Worker} measures. Records are numbered from 0; {@link Records} says which key and value a
 * number stands for. A lookup copies the whole value into memory of the subject's own. Used by one thread.
 */
public interface Subject extends AutoCloseable
{
    /**
     * Stores the records.
     *
     * @param count       of records, numbered from 0.
     * @param valueLength of each in bytes.
     * @throws Exception if that fails.
     */
    void load(long count, int valueLength) throws Exception;

    /**
     * Uses records that another worker has loaded.
     *
     * @param count       of records, numbered from 0.
     * @param valueLength of each in bytes.
     * @return what there is to tell about it.
     * @throws Exception if that fails.
     */
    default Map<String, Object> attach(final long count, final int valueLength) throws Exception
    {
        throw new UnsupportedOperationException("records are not shared here: count=" + count);
    }

    /**
     * Looks a record up.
     *
     * @param number of the record.
     * @return first word of the value that was found, {@link Records#ABSENT} if there is none.
     * @throws Exception if that fails.
     */
    long get(long number) throws Exception;

    /**
     * Looks many records up in the way that is fastest here.
     *
     * @param numbers of the records.
     * @return sum of the first words of their values.
     * @throws Exception if that fails.
     */
    default long getAll(final long[] numbers) throws Exception
    {
        long sum = 0;
        for (final long number : numbers)
        {
            sum += get(number);
        }
        return sum;
    }

    /**
     * Gives a record the value it should have.
     *
     * @param number of the record.
     * @throws Exception if that fails.
     */
    default void put(final long number) throws Exception
    {
        throw new UnsupportedOperationException("nothing can be put here: number=" + number);
    }

    /**
     * Does what only this system can.
     *
     * @param name      of the command.
     * @param arguments of the command.
     * @return the answer.
     * @throws Exception if that fails.
     */
    default Map<String, Object> command(final String name, final Arguments arguments) throws Exception
    {
        throw new UnsupportedOperationException("no such command: command=" + name);
    }

    @Override
    void close() throws IOException;
}
