package org.onesided.client.request;

import java.time.Duration;
import java.time.Instant;
import org.agrona.DirectBuffer;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.session.Attachment;
import org.onesided.client.session.Reconnector;
import org.onesided.client.session.RunningOperation;
import org.onesided.client.session.SessionCore;
import org.onesided.client.types.TimeToLive;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.rpc.codec.TtlAnswerDecoder;

/**
 * Asks the server when a key expires. Not thread-safe.
 */
public final class SessionTtl
{
    private final RunningOperation operation;
    private final Reconnector reconnector;
    private final RequestEngine engine;

    /**
     * @param core   of the session.
     * @param engine of the session.
     */
    public SessionTtl(final SessionCore core, final RequestEngine engine)
    {
        this.engine = engine;
        operation = core.operation();
        reconnector = core.reconnector();
    }

    /**
     * Asks about the key that the operation began with.
     *
     * @return until when it lives, or null if it is absent.
     */
    public TimeToLive ask()
    {
        return reconnector.read(this::askUnderLease, "deadline passed before the answer came");
    }

    private TimeToLive askUnderLease(final Attachment attachment)
    {
        while (true)
        {
            final long lease = attachment.lease().begin();
            final TimeToLive answer = ask(attachment);
            if (attachment.lease().isStillHeld(lease))
            {
                return answer;
            }
            attachment.loop().checkDeadline();
        }
    }

    private TimeToLive ask(final Attachment attachment)
    {
        final Rpc rpc = engine.requests().rpc();
        final DirectBuffer key = operation.keySpace();
        final int keyLength = operation.keyLength();
        rpc.ttl(attachment.table().shardOf(key.addressOffset(), keyLength), key, keyLength);
        final TtlAnswerDecoder answer = rpc.awaitTtl();
        final Status status = RequestCodec.status(answer.statusRaw());
        if (status != Status.OK && status != Status.NOT_FOUND)
        {
            throw new StoreLimitException(
                "server refuses to tell when the key expires: status=" + status, operation.failure(WriteFate.NONE));
        }
        reconnector.succeeded();
        return status == Status.NOT_FOUND ? null : answer.expiry() <= 0 ? TimeToLive.FOREVER :
            new TimeToLive(Duration.ofMillis(answer.left()), Instant.ofEpochMilli(answer.expiry()));
    }
}
