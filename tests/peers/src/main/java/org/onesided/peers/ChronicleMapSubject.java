package org.onesided.peers;

import net.openhft.chronicle.map.ChronicleMap;

/**
 * Chronicle Map in this process' memory, off the Java heap.
 */
final class ChronicleMapSubject implements Subject
{
    private final byte[] key = new byte[Records.KEY_LENGTH];
    private ChronicleMap<byte[], byte[]> map;
    private byte[] value;
    private byte[] using;

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
        value = Records.template(valueLength);
        using = new byte[valueLength];
        map = ChronicleMap.of(byte[].class, byte[].class)
            .name("benchmark")
            .entries(count)
            .constantKeySizeBySample(key)
            .constantValueSizeBySample(value)
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
        Records.key(number, key);
        final byte[] found = map.getUsing(key, using);
        return Records.firstWord(found);
    }

    @Override
    public void put(final long number)
    {
        Records.key(number, key);
        Records.value(number, value);
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
}
