package org.onesided.tools.kvctl.rdma.talk;

import java.util.Arrays;
import org.onesided.verbs.AddressVector;

/**
 * What software devices need to know of a peer beyond what C programs tell: a length byte and the device's bytes,
 * behind the usual message. RDMA devices have none, and nothing is added then.
 */
final class DeviceBytesExchange
{
    private static final String WHAT = "its device's bytes";

    private DeviceBytesExchange()
    {
    }

    /** The message with this side's device bytes behind it. */
    static byte[] append(final byte[] message, final byte[] deviceBytes)
    {
        if (deviceBytes.length == 0)
        {
            return message;
        }
        final byte[] both = Arrays.copyOf(message, message.length + 1 + deviceBytes.length);
        both[message.length] = (byte)deviceBytes.length;
        System.arraycopy(deviceBytes, 0, both, message.length + 1, deviceBytes.length);
        return both;
    }

    /** The peer's device bytes, which it has if this side has some. */
    static byte[] read(final Conversation conversation, final byte[] own)
    {
        if (own.length == 0)
        {
            return own;
        }
        final int length = conversation.read(1, WHAT)[0];
        if (length < 1 || length > AddressVector.MAX_DEVICE_BYTES)
        {
            throw new TalkException(TalkException.Kind.NOT_CONNECTED,
                "the peer has another device, use the same --device on both sides: peer=" + conversation.peer());
        }
        return conversation.read(length, WHAT);
    }
}
