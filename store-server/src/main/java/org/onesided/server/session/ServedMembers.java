package org.onesided.server.session;

import java.util.List;

/**
 * The members of a cluster that clients are told. Thread-safe.
 */
public final class ServedMembers
{
    private volatile List<ServedCluster.Member> members;

    /**
     * @param members for the beginning.
     */
    public ServedMembers(final List<ServedCluster.Member> members)
    {
        this.members = List.copyOf(members);
    }

    /**
     * @param changed are the members from here on.
     */
    public void change(final List<ServedCluster.Member> changed)
    {
        members = List.copyOf(changed);
    }

    List<ServedCluster.Member> all()
    {
        return members;
    }
}
