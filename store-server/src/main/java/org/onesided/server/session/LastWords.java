package org.onesided.server.session;

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
public final class LastWords
{
    /** Time to send a message, and for the client to read the last one. */
    public static final long LINGER_NS = TimeUnit.SECONDS.toNanos(1);

    private static final Logger LOGGER = LoggerFactory.getLogger(LastWords.class);
    private static final int MAX_REASON = Bootstrap.MAX_REASON_LENGTH / 4;

    private LastWords()
    {
    }

    /**
     * Says why it came to nothing, as far as the client still listens.
     *
     * @param channel of the client.
     * @param code    for its program.
     * @param reason  for a person; it becomes one line.
     */
    public static void refuse(final MessageChannel channel, final RefusalCode code, final String reason)
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

    /**
     * Waits until the client leaves, for a second at most: an immediate close could discard what it has not read.
     *
     * @param channel of the client, to which nothing more is sent.
     */
    public static void awaitEnd(final MessageChannel channel)
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
