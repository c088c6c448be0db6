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
 * @param demandsRoute     whether each packet of its queue pairs needs a global route header, and so a GID, even where
 *                         the port has a LID ({@code IBV_QPF_GRH_REQUIRED}).
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
    int laneSpeed,
    boolean demandsRoute)
{
    /** Link layer of a port that is addressed by LID. */
    public static final String INFINIBAND = "InfiniBand";

    /** Link layer of RoCE, where ports are addressed by GID. */
    public static final String ETHERNET = "Ethernet";

    /**
     * A port that does not demand a global route header. The parameters are those of the record.
     *
     * @param state            see there.
     * @param linkLayer        see there.
     * @param maxMtu           see there.
     * @param activeMtu        see there.
     * @param maxMessageLength see there.
     * @param lid              see there.
     * @param gidTableLength   see there.
     * @param lanes            see there.
     * @param laneSpeed        see there.
     */
    public PortAttributes(
        final PortState state,
        final String linkLayer,
        final int maxMtu,
        final int activeMtu,
        final long maxMessageLength,
        final int lid,
        final int gidTableLength,
        final int lanes,
        final int laneSpeed)
    {
        this(state, linkLayer, maxMtu, activeMtu, maxMessageLength, lid, gidTableLength, lanes, laneSpeed, false);
    }

    /**
     * @return whether it can carry traffic.
     */
    public boolean active()
    {
        return state == PortState.ACTIVE;
    }
}
