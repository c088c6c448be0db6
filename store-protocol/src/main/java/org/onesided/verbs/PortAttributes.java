package org.onesided.verbs;

/**
 * State and limits of a port (ibv_query_port(3)).
 *
 * @param state            whether it can carry traffic.
 * @param linkLayer        what carries it: {@link #INFINIBAND}, {@link #ETHERNET}, or a software device's kind.
 * @param maxMtu           largest path MTU in bytes.
 * @param activeMtu        path MTU in use in bytes.
 * @param maxMessageLength length of the longest message in bytes.
 * @param lid              local identifier, 0 where there is none.
 * @param gidTableLength   entries of its GID table.
 * @param lanes            width of the link, 0 where it is not known.
 * @param laneSpeed        speed of a lane in Mb/s, 0 where it is not known.
 */
public record PortAttributes(
    PortState state,
    String linkLayer,
    int maxMtu,
    int activeMtu,
    long maxMessageLength,
    int lid,
    int gidTableLength,
    int lanes,
    int laneSpeed)
{
    /** Link layer of a port that is addressed by LID. */
    public static final String INFINIBAND = "InfiniBand";

    /** Link layer of RoCE, where ports are addressed by GID. */
    public static final String ETHERNET = "Ethernet";

    /**
     * @return whether it can carry traffic.
     */
    public boolean active()
    {
        return state == PortState.ACTIVE;
    }
}
