package org.onesided.tools.kvctl.rdma.talk;

import java.util.Arrays;
import org.onesided.verbs.AddressVector;

/**
 * Exchanges the bytes that software devices need from a peer: a length byte and the bytes, after the usual message.
 * RDMA devices have none and exchange nothing, as C programs expect.
 */
final class DeviceBytesExchange
{
    private static final String WHAT = "its device's bytes";

    private DeviceBytesExchange()
    {
    }

    /** The message, followed by this side's device bytes. */
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

    /** The device bytes of the peer, which has some if this side has. */
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
