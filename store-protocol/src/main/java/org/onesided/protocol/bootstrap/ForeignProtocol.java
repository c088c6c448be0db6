package org.onesided.protocol.bootstrap;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Protocols of other servers that a client may reach by mistake, known by their first bytes. No frame of this protocol
 * begins with any of these, because the upper two bytes of a frame's length are 0.
 */
final class ForeignProtocol
{
    /** First bytes of the protocol. */
    private record Beginning(String protocol, byte[] bytes)
    {
    }

    private static final List<Beginning> BEGINNINGS = new ArrayList<>();
    private static final int MYSQL_VERSION_OFFSET = 4;
    private static final byte MYSQL_VERSION = 10;

    static
    {
        add("HTTP", "HTTP/", "GET ", "POST ", "HEAD ", "PUT ", "PRI * HTTP/2", "<!DOCTYPE", "<html");
        add("SSH", "SSH-");
        add("Redis", "-ERR", "-NOAUTH", "-DENIED", "-LOADING", "-NOPERM", "-MISCONF", "+PONG", "$-1");
        add("memcached", "ERROR\r\n", "CLIENT_ERROR", "SERVER_ERROR");
        add("SMTP or FTP", "220 ", "220-", "421 ", "500 ", "554 ");
        add("IMAP", "* OK", "* BYE");
        add("POP3", "+OK ");
        add("VNC", "RFB ");
        add("AMQP", "AMQP");
        add("MPA, as devices tcp do on a port of their own", "MPA ");
    }

    private ForeignProtocol()
    {
    }

    private static void add(final String protocol, final String... beginnings)
    {
        for (final String beginning : beginnings)
        {
            BEGINNINGS.add(new Beginning(protocol, beginning.getBytes(US_ASCII)));
        }
    }

    /**
     * Names the protocol.
     *
     * @param bytes that came first, from index 0.
     * @param count of them.
     * @return its name, or null if it is not known, or not yet.
     */
    static String nameOf(final ByteBuffer bytes, final int count)
    {
        for (final Beginning beginning : BEGINNINGS)
        {
            if (count >= beginning.bytes.length && begins(bytes, beginning.bytes))
            {
                return beginning.protocol;
            }
        }
        // A packet of at most 64 KiB, the first of its connection.
        return count >= FrameDescriptor.HEADER_LENGTH && bytes.get(2) == 0 && bytes.get(3) == 0 &&
            bytes.get(MYSQL_VERSION_OFFSET) == MYSQL_VERSION && Character.isDigit(bytes.get(MYSQL_VERSION_OFFSET + 1)) ?
            "MySQL" : null;
    }

    private static boolean begins(final ByteBuffer bytes, final byte[] with)
    {
        for (int i = 0; i < with.length; i++)
        {
            if (bytes.get(i) != with[i])
            {
                return false;
            }
        }
        return true;
    }

    /** Whether a TLS record begins with these bytes. */
    static boolean isTls(final ByteBuffer bytes, final int count)
    {
        return count > 2 &&
            bytes.get(0) >= FrameDescriptor.TLS_ALERT && bytes.get(0) <= FrameDescriptor.TLS_HANDSHAKE &&
            bytes.get(1) == FrameDescriptor.TLS_MAJOR_VERSION && bytes.get(2) != 0;
    }
}
