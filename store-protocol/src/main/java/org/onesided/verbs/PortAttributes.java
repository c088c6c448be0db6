package org.onesided.verbs;

/**
 * State and limits of a port (ibv_query_port(3)).
 *
 * @param active           whether it can carry traffic.
 * @param linkLayer        what carries it: {@code InfiniBand}, {@code Ethernet}, or a software device's kind.
 * @param maxMtu           largest path MTU in bytes.
 * @param activeMtu        path MTU in use in bytes.
 * @param maxMessageLength length of the longest message in bytes.
 * @param lid              local identifier, 0 where there is none.
 * @param gidTableLength   entries of its GID table.
 */
public record PortAttributes(
    boolean active,
    String linkLayer,
    int maxMtu,
    int activeMtu,
    long maxMessageLength,
    int lid,
    int gidTableLength)
{
}
