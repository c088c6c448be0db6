package org.onesided.server.raft.peers;

import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/**
 * What the port for members has to know of this member's groups. Called by threads of the transport.
 */
public interface OpenGroups
{
    /**
     * @return whether all groups are open: others reach none of them before.
     */
    boolean areOpen();

    /**
     * @param group id, as messages have it.
     * @return index of the last entry that is on the disk of this member as its {@code --sync} wants it; negative if
     *         there is none, or no such group.
     */
    long writtenIndex(ByteString group);
}
