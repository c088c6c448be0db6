package org.onesided.server.raft;

import org.apache.ratis.protocol.Message;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * An entry on its way through Ratis. The same bytes are handed over in the end.
 */
final class Proposal implements Message
{
    private final byte[] bytes;
    private final ByteString content;
    private final long term;
    private volatile boolean isAppended;

    /**
     * @param bytes of the entry.
     * @param term  in which the shard drafted it, and in which alone it may be appended.
     */
    Proposal(final byte[] bytes, final long term)
    {
        this.bytes = bytes;
        this.term = term;
        content = UnsafeByteOperations.unsafeWrap(bytes);
    }

    byte[] bytes()
    {
        return bytes;
    }

    long term()
    {
        return term;
    }

    /** Ratis is about to append it: from here on it may be in the log, whatever Ratis answers. */
    void appending()
    {
        isAppended = true;
    }

    /** Whether it may be in the log. */
    boolean isAppended()
    {
        return isAppended;
    }

    @Override
    public ByteString getContent()
    {
        return content;
    }
}
