package org.onesided.verbs;

/**
 * A used place of a port's GID table (ibv_query_gid_table(3)).
 *
 * @param index         of the place.
 * @param gid           the address there.
 * @param type          what it is used for.
 * @param interfaceName network interface it belongs to; empty where there is none.
 * @param interfaceUp   whether that interface is up; true where there is none.
 */
public record GidEntry(int index, Gid gid, GidType type, String interfaceName, boolean interfaceUp)
{
}
