package org.onesided.client;

import java.nio.ByteBuffer;
import java.util.List;
import net.openhft.chronicle.bytes.Bytes;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * One connection with a server: its queue pairs and buffers. For one thread at a time; only {@link #server()},
 * {@link #clientStatistics()} and {@link #toString()} may be called by others meanwhile. It reconnects by itself.
 */
public final class StoreSession implements StoreOperations, AutoCloseable
{
    StoreSession()
    {
    }

    /**
     * READs the table's buckets in bulk, as far as the mirror has room, so that lookups need only one READ each from
     * the start.
     *
     * @return how many buckets were read.
     */
    public long warmUp()
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public byte[] get(final byte[] key)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public String get(final String key)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean getUsing(final Bytes<?> key, final Bytes<?> value)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public int get(
        final DirectBuffer key, final int keyOffset, final int keyLength, final MutableDirectBuffer value,
        final int valueOffset)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public int get(final ByteBuffer key, final ByteBuffer value)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public void put(final byte[] key, final byte[] value)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public void put(final String key, final String value)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public void put(final ByteBuffer key, final ByteBuffer value)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public void put(
        final DirectBuffer key, final int keyOffset, final int keyLength, final DirectBuffer value,
        final int valueOffset, final int valueLength)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public void put(final Bytes<?> key, final Bytes<?> value)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean delete(final byte[] key)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean delete(final String key)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean delete(final ByteBuffer key)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean delete(final DirectBuffer key, final int keyOffset, final int keyLength)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean delete(final Bytes<?> key)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean contains(final byte[] key)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean contains(final String key)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean contains(final ByteBuffer key)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean contains(final DirectBuffer key, final int keyOffset, final int keyLength)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean contains(final Bytes<?> key)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public void scan(final EntryConsumer consumer)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<ShardStatistics> statistics()
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public ClientStatistics clientStatistics()
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public ServerInfo server()
    {
        throw new UnsupportedOperationException();
    }

    /**
     * Ends the session with the server and frees its buffers. Does nothing if already closed, or for a session lent
     * by a client's pool, which closes it itself.
     */
    @Override
    public void close()
    {
        throw new UnsupportedOperationException();
    }
}
