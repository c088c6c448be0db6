package org.onesided.server.shard.execution;

import java.util.function.LongSupplier;
import org.onesided.protocol.rpc.codec.ExpiryKind;
import org.onesided.server.table.Expiry;

/**
 * What requests ask of the time when their key expires, as the table takes it. Belongs to the shard's thread.
 */
final class RequestedExpiry
{
    private final LongSupplier now;

    /**
     * @param now the shard's time in milliseconds.
     */
    RequestedExpiry(final LongSupplier now)
    {
        this.now = now;
    }

    /** That of a write. */
    long of(final Request request)
    {
        return of(request.block().expiryKind(), request.block().expiry());
    }

    /** A time, or one of {@link Expiry}. */
    long of(final int kind, final long expiry)
    {
        return kind == ExpiryKind.AFTER.value() ? now.getAsLong() + expiry :
            kind == ExpiryKind.AT.value() ? expiry :
            kind == ExpiryKind.NEVER.value() ? Expiry.NEVER :
            kind == ExpiryKind.KEEP.value() ? Expiry.KEEP : Expiry.DEFAULT;
    }
}
