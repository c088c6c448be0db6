package org.onesided.client;

import java.nio.ByteBuffer;
import net.openhft.chronicle.bytes.Bytes;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.onesided.client.session.RunningOperation;
import org.onesided.client.session.SessionCore;

/**
 * Begins a session's operation on a key in any kind of buffer. If it throws, nothing has begun.
 */
final class OperationStart
{
    private final SessionCore core;
    private final RunningOperation operation;

    OperationStart(final SessionCore core)
    {
        this.core = core;
        operation = core.operation();
    }

    void on(final String name, final byte[] key)
    {
        operation.begin(name, operation.checkedKeyLength(name, key.length));
        operation.key(key, BufferUtil.ARRAY_BASE_OFFSET, key.length);
    }

    void on(final String name, final ByteBuffer key)
    {
        operation.begin(name, operation.checkedKeyLength(name, key.remaining()));
        operation.keySpace().putBytes(0, key, key.position(), key.remaining());
    }

    void on(final String name, final DirectBuffer key, final int offset, final int length)
    {
        operation.checkedKeyLength(name, length);
        key.boundsCheck(offset, length);
        operation.begin(name, length);
        operation.key(key.byteArray(), key.addressOffset() + offset, length);
    }

    void on(final String name, final Bytes<?> key)
    {
        final int length = (int)Math.min(Integer.MAX_VALUE, key.readRemaining());
        operation.begin(name, operation.checkedKeyLength(name, length));
        try
        {
            BytesAdapter.copyOut(key, operation.keySpace().addressOffset(), length);
        }
        catch (final RuntimeException e)
        {
            // The memory of the bytes was released.
            core.endOperation();
            throw e;
        }
    }

    /** A text's bytes, for an operation that has not begun. */
    byte[] text(final String name, final String text, final String what)
    {
        return Utf8.encoded(text, what, name, operation.server());
    }
}
