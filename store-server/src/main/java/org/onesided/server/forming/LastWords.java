package org.onesided.server.forming;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.MessageChannel;
import org.onesided.protocol.bootstrap.OneLine;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;
import org.onesided.protocol.bootstrap.codec.RefusalCode;
import org.onesided.protocol.bootstrap.codec.RefusedEncoder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a desk ends the connection of a client.
 */
final class LastWords
{
    /** Time to send a message, and for the client to read the last one. */
    static final long LINGER_NS = TimeUnit.SECONDS.toNanos(1);

    private static final Logger LOGGER = LoggerFactory.getLogger(LastWords.class);
    private static final int MAX_REASON = Bootstrap.MAX_REASON_LENGTH / 4;

    private LastWords()
    {
    }

    /** Says why it came to nothing, as far as the client still listens. */
    static void refuse(final MessageChannel channel, final RefusalCode code, final String reason)
    {
        try
        {
            final String line = OneLine.of(reason);
            final RefusedEncoder refused = new RefusedEncoder();
            refused.wrapAndApplyHeader(channel.outgoing(), 0, new MessageHeaderEncoder())
                .code(code).reason(line.substring(0, Math.min(line.length(), MAX_REASON)));
            channel.send(refused.limit(), System.nanoTime() + LINGER_NS);
            awaitEnd(channel);
        }
        catch (final IOException e)
        {
            LOGGER.debug("client does not read why it was refused", e);
        }
    }

    /** An immediate close could discard what the client has not read. */
    static void awaitEnd(final MessageChannel channel)
    {
        try
        {
            channel.shutdownOutput();
            channel.receive(System.nanoTime() + LINGER_NS);
        }
        catch (final IOException e)
        {
            LOGGER.debug("client has left, or takes its time", e);
        }
    }
}
