package org.onesided.server.session;

import java.util.List;

/**
 * The members of a cluster that clients are told. Thread-safe.
 */
public final class ServedMembers
{
    /**
     * A member.
     *
     * @param number  from 1.
     * @param address host and port where clients connect.
     */
    public record Member(long number, String address)
    {
    }

    private volatile List<Member> members;

    /**
     * @param members for the beginning.
     */
    public ServedMembers(final List<Member> members)
    {
        this.members = List.copyOf(members);
    }

    /**
     * @param changed are the members from here on.
     */
    public void change(final List<Member> changed)
    {
        members = List.copyOf(changed);
    }

    List<Member> all()
    {
        return members;
    }
}
