package org.onesided.server.session;

import java.util.List;
import org.agrona.MutableDirectBuffer;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.OneLine;
import org.onesided.protocol.bootstrap.codec.GoodbyeEncoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;
import org.onesided.protocol.bootstrap.codec.OfferEncoder;
import org.onesided.protocol.bootstrap.codec.RefusalCode;
import org.onesided.protocol.bootstrap.codec.RefusedEncoder;

/**
 * The last message of a connection, which gives the client the reason for its end.
 */
interface LastMessage
{
    /**
     * Writes the message.
     *
     * @param to where it goes.
     * @return its length.
     */
    int encode(MutableDirectBuffer to);

    /** A refusal of the handshake. */
    static LastMessage refused(final RefusalCode code, final String reason)
    {
        return (to) ->
        {
            final RefusedEncoder refused = new RefusedEncoder();
            refused.wrapAndApplyHeader(to, 0, new MessageHeaderEncoder()).code(code).reason(line(reason));
            return refused.limit();
        };
    }

    /** The names of the devices. */
    static LastMessage offer(final List<String> devices)
    {
        return (to) ->
        {
            final OfferEncoder offer = new OfferEncoder().wrapAndApplyHeader(to, 0, new MessageHeaderEncoder())
                .self(0).tableId(0).hashSeed(0).leaseMs(0);
            final OfferEncoder.DevicesEncoder group = offer.devicesCount(devices.size());
            devices.forEach((device) -> group.next().name(device));
            offer.membersCount(0);
            offer.leadersCount(0);
            return offer.limit();
        };
    }

    /** The end of the session's connection. */
    static LastMessage goodbye(final String reason)
    {
        return (to) ->
        {
            final GoodbyeEncoder goodbye = new GoodbyeEncoder();
            goodbye.wrapAndApplyHeader(to, 0, new MessageHeaderEncoder()).reason(line(reason));
            return goodbye.limit();
        };
    }

    /** A reason as one line of bounded length. */
    static String line(final String reason)
    {
        final int maxLength = Bootstrap.MAX_REASON_LENGTH / 4;
        final String text = OneLine.of(reason);
        return text.length() <= maxLength ? text : text.substring(0, maxLength);
    }
}
