package org.onesided.client.request;

import org.onesided.client.bootstrap.AttachFailedException;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.client.exceptions.StoreConflictException;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreDisconnectedException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.StoreFullException;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.exceptions.StoreReadOnlyException;
import org.onesided.client.exceptions.StoreStorageException;
import org.onesided.client.exceptions.StoreValueException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.protocol.rpc.AppendLimits;
import org.onesided.protocol.rpc.codec.Status;

/**
 * The failure of a write in a slot, and whether the write may have taken effect: it may if the server may have received
 * it, unless the server answered otherwise.
 */
final class WriteFailure
{
    private WriteFailure()
    {
    }

    /** Fate of a write that ends without an answer. */
    static WriteFate fate(final RequestSlots slots, final int slot)
    {
        return slots.wasSent(slot) ? WriteFate.UNKNOWN : WriteFate.NOT_APPLIED;
    }

    /** Failure for a status other than success. */
    static StoreException refused(
        final RequestSlots slots, final int slot, final String server, final Status status)
    {
        return refused(slots, slot, status, context(slots, slot, server, WriteFate.NOT_APPLIED));
    }

    /** As {@link #refused}, for the put of a batch whose key's length is at an address. */
    static StoreException refusedOfBatch(
        final RequestSlots slots, final int slot, final long keyHeader, final String server, final Status status)
    {
        return refused(slots, slot, status, new FailureContext(
            Operation.PUT, RequestCodec.joinedKeyText(keyHeader), server, WriteFate.NOT_APPLIED));
    }

    private static StoreException refused(
        final RequestSlots slots, final int slot, final Status status, final FailureContext context)
    {
        return switch (status)
        {
            case STORE_FULL -> new StoreFullException(
                "store is full: delete keys, start the server with more memory, or let it evict keys (--evict); if " +
                    "it does, let puts wait longer for that (--room-wait)", context);
            case INDEX_FULL -> new StoreFullException(
                "store's index is full, delete keys or start the server with more memory", context);
            case GROWTH_REFUSED -> new StoreFullException(
                "store is full, as the server's system refuses more memory: delete keys or raise the limit that the " +
                    "server's log names", context);
            case CHAIN_FULL -> new StoreFullException(
                "store's index is full, too many keys fell into one bucket: start the server with more memory",
                context);
            case STORAGE_FAILED -> new StoreStorageException(
                "server cannot write to its disk, its log says which and why: once there is room, writes go on by " +
                    "themselves; after a failure of the disk, restart the server", context);
            case NOT_A_NUMBER -> new StoreValueException(
                "value is not the decimal text of a 64-bit number, put one or delete the key", context);
            case OUT_OF_BOUNDS -> new StoreValueException(
                "sum does not fit into 64 bits, put another number or add less", context);
            case VALUE_TOO_LONG -> new StoreValueException(
                "value would be too long for an append, begin another key: longest=" + AppendLimits.MAX_VALUE_LENGTH,
                context);
            case READ_ONLY -> new StoreReadOnlyException(
                "client may only look up at this server, as its token or certificate says: show one that may write",
                context);
            case CONFLICT -> new StoreConflictException("condition of the write does not hold", context);
            // An earlier copy of the request may have taken effect, for all that this version knows.
            case NULL_VAL, NOT_LEADING -> new StoreLimitException(
                "server answers the write in a way that this version of the client does not know: use a newer one",
                new FailureContext(context.operation(), context.key(), context.server(), fate(slots, slot)));
            default -> new StoreLimitException("server refuses the write: status=" + status, context);
        };
    }

    /** Failure of a write whose session has ended. */
    static StoreException lost(final RequestSlots slots, final int slot, final String server)
    {
        return new StoreDisconnectedException(slots.wasSent(slot) ?
            "session was lost before the answer came, and the server does not know it any more" :
            "session was lost before it was sent, and the server does not know it any more",
            context(slots, slot, server, fate(slots, slot)));
    }

    /**
     * The write's deadline passed.
     *
     * @param reason why nothing more is tried, or null if only the time passed.
     */
    static StoreException late(final RequestSlots slots, final int slot, final String server, final String reason)
    {
        final WriteFate fate = fate(slots, slot);
        final String message = reason != null ? reason : fate == WriteFate.UNKNOWN ?
            "deadline passed before the answer came" : "deadline passed before it could be sent";
        return new StoreDeadlineException(message, context(slots, slot, server, fate));
    }

    /** Failure of a write whose client or session was closed. */
    static StoreException closed(final RequestSlots slots, final int slot, final String server)
    {
        return new StoreClosedException(
            "client was closed meanwhile", context(slots, slot, server, fate(slots, slot)));
    }

    /** The failure of a reconnect, as the failure of the write in a slot. */
    static StoreException of(final StoreException cause, final RequestSlots slots, final int slot)
    {
        final FailureContext context = context(slots, slot, cause.server(), fate(slots, slot));
        final Throwable reason = cause.getCause();
        if (cause instanceof StoreClosedException)
        {
            return new StoreClosedException(cause.reason(), context, reason);
        }
        return cause instanceof StoreDisconnectedException || !(reason instanceof AttachFailedException) ?
            new StoreDisconnectedException(cause.reason(), context, reason) :
            ((AttachFailedException)reason).toStoreException(context);
    }

    private static FailureContext context(
        final RequestSlots slots, final int slot, final String server, final WriteFate fate)
    {
        final long message = slots.messages().address(slot);
        return new FailureContext(
            RequestCodec.operation(message),
            RequestCodec.keyText(message),
            server,
            fate);
    }
}
