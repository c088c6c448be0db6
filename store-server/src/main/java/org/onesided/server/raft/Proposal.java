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

    Proposal(final byte[] bytes)
    {
        this.bytes = bytes;
        content = UnsafeByteOperations.unsafeWrap(bytes);
    }

    byte[] bytes()
    {
        return bytes;
    }

    @Override
    public ByteString getContent()
    {
        return content;
    }
}
