package org.onesided.protocol.bootstrap;

/**
 * Layout of what precedes each message on the connection, little endian.
 *
 * <pre>
 *   0         4         8
 *  +---------+---------+----------------------
 *  | length  | magic   | SBE header, message ...
 *  +---------+---------+----------------------
 * </pre>
 *
 * <p>A server sends a header with the length 0, and nothing behind it, before anybody asks: so its peer sees at once
 * that it speaks this protocol.
 */
final class FrameDescriptor
{
    /** Length in bytes of what follows the frame header, unsigned. */
    static final int LENGTH_OFFSET = 0;
    /** Identifies this protocol. */
    static final int MAGIC_OFFSET = LENGTH_OFFSET + Integer.BYTES;
    /** Length of the frame header. */
    static final int HEADER_LENGTH = MAGIC_OFFSET + Integer.BYTES;

    /** Value of {@link #MAGIC_OFFSET}: "1SKV" in ASCII. */
    static final int MAGIC = 0x564B_5331;

    /** First byte of the answer of a server that speaks TLS only. */
    static final byte TLS_ALERT = 21;
    /** First byte of a TLS connection. */
    static final byte TLS_HANDSHAKE = 22;
    /** Second byte of a TLS connection. */
    static final byte TLS_MAJOR_VERSION = 3;

    private FrameDescriptor()
    {
    }
}
