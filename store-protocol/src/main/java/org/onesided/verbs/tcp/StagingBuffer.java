package org.onesided.verbs.tcp;

import java.nio.ByteBuffer;
import org.agrona.BufferUtil;

/**
 * Memory between a socket and what is sent or received, with a second view of it for checksums.
 *
 * @param bytes   for the socket.
 * @param view    of the same memory, for checksums.
 * @param address of the first byte.
 */
record StagingBuffer(ByteBuffer bytes, ByteBuffer view, long address)
{
    /** Room for several frames of maximum length; limits the memory of a connection per direction. */
    static final int CAPACITY = 256 * 1024;

    static StagingBuffer allocate()
    {
        final ByteBuffer bytes = ByteBuffer.allocateDirect(CAPACITY);
        return new StagingBuffer(bytes, bytes.duplicate(), BufferUtil.address(bytes));
    }
}
