package org.onesided.peers;

import net.openhft.chronicle.map.ChronicleMap;
import net.openhft.chronicle.values.Array;
import net.openhft.chronicle.values.Values;

/**
 * Chronicle Map in this process' memory, off the Java heap. Keys and values are Chronicle's value interfaces, the
 * fastest of the ways tried (byte arrays and buffers allocate, and take longer): {@code getUsing} points one at the
 * entry, and then its words are copied.
 */
final class ChronicleMapSubject implements Subject
{
    private static final int VALUE_WORDS = 12;
    private static final int VALUE_LENGTH = VALUE_WORDS * Long.BYTES + Integer.BYTES;

    private final Key key = Values.newHeapInstance(Key.class);
    private final Value value = Values.newHeapInstance(Value.class);
    private final Value using = Values.newNativeReference(Value.class);
    private final long[] copy = new long[VALUE_WORDS + 1];
    private ChronicleMap<Key, Value> map;

    private ChronicleMapSubject()
    {
        key.setFirst(Records.firstKeyWord());
    }

    /**
     * Serves as a worker.
     *
     * @param arguments none.
     * @throws Exception if the worker fails.
     */
    public static void main(final String[] arguments) throws Exception
    {
        Worker.serve(ChronicleMapSubject::new);
    }

    @Override
    public void load(final long count, final int valueLength)
    {
        if (valueLength != VALUE_LENGTH)
        {
            throw new IllegalArgumentException("values must have " + VALUE_LENGTH + " bytes: length=" + valueLength);
        }
        final byte[] template = Records.template(valueLength);
        for (int i = 0; i < VALUE_WORDS; i++)
        {
            value.setWordAt(i, Records.word(template, i * Long.BYTES));
        }
        map = ChronicleMap.of(Key.class, Value.class)
            .name("benchmark")
            .entries(count)
            .putReturnsNull(true)
            .create();
        for (long i = 0; i < count; i++)
        {
            put(i);
        }
    }

    @Override
    public long get(final long number)
    {
        key.setLast(Records.lastKeyWord(number));
        final Value found = map.getUsing(key, using);
        if (found == null)
        {
            return Records.ABSENT;
        }
        for (int i = 0; i < VALUE_WORDS; i++)
        {
            copy[i] = found.getWordAt(i);
        }
        copy[VALUE_WORDS] = found.getTail();
        return copy[0];
    }

    @Override
    public void put(final long number)
    {
        key.setLast(Records.lastKeyWord(number));
        value.setWordAt(0, Records.firstValueWord(number));
        map.put(key, value);
    }

    @Override
    public void close()
    {
        if (map != null)
        {
            map.close();
        }
    }

    /** A key of 16 bytes. Public, since Chronicle generates classes that implement it. */
    public interface Key
    {
        /**
         * @param word first 8 bytes.
         */
        void setFirst(long word);

        /**
         * @return first 8 bytes.
         */
        long getFirst();

        /**
         * @param word last 8 bytes.
         */
        void setLast(long word);

        /**
         * @return last 8 bytes.
         */
        long getLast();
    }

    /** A value of 100 bytes. Public, since Chronicle generates classes that implement it. */
    public interface Value
    {
        /**
         * @param index of the word.
         * @param word  8 bytes.
         */
        @Array(length = VALUE_WORDS)
        void setWordAt(int index, long word);

        /**
         * @param index of the word.
         * @return 8 bytes.
         */
        long getWordAt(int index);

        /**
         * @param tail last 4 bytes.
         */
        void setTail(int tail);

        /**
         * @return last 4 bytes.
         */
        int getTail();
    }
}
