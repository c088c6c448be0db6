package org.onesided.server.shard.apply;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.server.log.ItemKind;

/**
 * Long values of which a log that is read back has pieces, until the WRITE comes that names the key. The values that a
 * shard itself proposes are not here, but in their place in the heap. Belongs to the shard's thread.
 */
final class StagedValues implements AutoCloseable
{
    private record Name(long session, long requestId)
    {
    }

    private static final class Staged
    {
        private final UnsafeBuffer buffer;
        private int filled;

        Staged(final int length)
        {
            buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(length));
        }

        void free()
        {
            BufferUtil.free(buffer.byteBuffer());
        }
    }

    private final Map<Name, Staged> values = new HashMap<>();

    /**
     * Takes a piece.
     *
     * @param session of the request.
     * @param entry   holds the item.
     * @param body    where the item's body begins.
     * @param length  of the body.
     */
    void add(final long session, final DirectBuffer entry, final int body, final int length)
    {
        final int pieceLength = length - ItemKind.PART_HEADER_LENGTH;
        if (pieceLength <= 0)
        {
            throw new CannotApplyException("piece of a value is too short: session=" + session + " length=" + length);
        }
        final long requestId = entry.getLong(body, LITTLE_ENDIAN);
        final long offset = entry.getLong(body + Long.BYTES, LITTLE_ENDIAN);
        final long whole = entry.getLong(body + 2 * Long.BYTES, LITTLE_ENDIAN);
        final Name name = new Name(session, requestId);
        if (offset == 0 && whole > 0 && whole <= RecordDescriptor.MAX_VALUE_LENGTH)
        {
            drop(name);
            values.put(name, new Staged((int)whole));
        }
        final Staged staged = values.get(name);
        if (staged == null || staged.filled != offset || whole != staged.buffer.capacity() ||
            pieceLength > whole - offset)
        {
            throw new CannotApplyException("pieces of a value do not fit together: session=" + session +
                " request=" + requestId + " offset=" + offset + " length=" + pieceLength + " whole=" + whole);
        }
        staged.buffer.putBytes((int)offset, entry, body + ItemKind.PART_HEADER_LENGTH, pieceLength);
        staged.filled += pieceLength;
    }

    /**
     * Tells where a value is.
     *
     * @param session   of the request.
     * @param requestId of the request.
     * @param length    that it must have.
     * @return its raw address.
     */
    long address(final long session, final long requestId, final long length)
    {
        final Staged staged = values.get(new Name(session, requestId));
        if (length == 0)
        {
            return 0;
        }
        if (staged == null || staged.filled != length || staged.buffer.capacity() != length)
        {
            throw new CannotApplyException("value of a write is not whole: session=" + session + " request=" +
                requestId + " length=" + length);
        }
        return staged.buffer.addressOffset();
    }

    /** Frees a value, if it is there. */
    void drop(final long session, final long requestId)
    {
        drop(new Name(session, requestId));
    }

    private void drop(final Name name)
    {
        final Staged staged = values.remove(name);
        if (staged != null)
        {
            staged.free();
        }
    }

    boolean isEmpty()
    {
        return values.isEmpty();
    }

    /** Frees all. */
    @Override
    public void close()
    {
        values.values().forEach(Staged::free);
        values.clear();
    }
}
