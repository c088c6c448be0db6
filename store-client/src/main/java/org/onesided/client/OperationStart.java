package org.onesided.client;

import java.nio.ByteBuffer;
import net.openhft.chronicle.bytes.Bytes;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;

/**
 * Begins a session's operations on a key, which may come in any kind of buffer. If it throws, nothing was begun.
 */
final class OperationStart
{
    private final SessionLink link;

    OperationStart(final SessionLink link)
    {
        this.link = link;
    }

    void on(final String operation, final byte[] key)
    {
        link.begin(operation, link.checkedKeyLength(operation, key.length));
        link.key(key, BufferUtil.ARRAY_BASE_OFFSET, key.length);
    }

    void on(final String operation, final ByteBuffer key)
    {
        link.begin(operation, link.checkedKeyLength(operation, key.remaining()));
        link.keySpace().putBytes(0, key, key.position(), key.remaining());
    }

    void on(final String operation, final DirectBuffer key, final int offset, final int length)
    {
        link.checkedKeyLength(operation, length);
        key.boundsCheck(offset, length);
        link.begin(operation, length);
        link.key(key.byteArray(), key.addressOffset() + offset, length);
    }

    void on(final String operation, final Bytes<?> key)
    {
        final int length = (int)Math.min(Integer.MAX_VALUE, key.readRemaining());
        link.begin(operation, link.checkedKeyLength(operation, length));
        try
        {
            BytesAdapter.copyOut(key, link.keySpace().addressOffset(), length);
        }
        catch (final RuntimeException e)
        {
            // Its memory was released.
            link.endOperation();
            throw e;
        }
    }

    /** A text's bytes, for an operation that has not begun. */
    byte[] text(final String text, final String what, final WriteFate fate)
    {
        return Utf8.encoded(text, what, FailureContext.ofServer(link.server().address()).fate(fate));
    }
}
