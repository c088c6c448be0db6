package org.onesided.server.session;

import java.util.List;
import org.onesided.server.eviction.Eviction;
import org.onesided.server.shard.agent.Shard;
import org.onesided.verbs.DeviceNames;

/**
 * What sessions are connected to.
 *
 * @param devices      that are offered, at least one, no two of a kind.
 * @param shards       in their order.
 * @param tableId      names the table.
 * @param serverLife   names this life of the server.
 * @param hugePages    whether the table is in huge pages.
 * @param memory       most memory of the table in bytes.
 * @param eviction     which records leave when that is full.
 * @param defaultTtlMs for how long a key stays whose put says nothing about it, in milliseconds; 0 for ever.
 * @param secrets      of sessions that outlive the server's process; null if none do.
 * @param recovered    sessions of a former process.
 * @param backups      makes backups; null if the table is in memory only.
 * @param region       names the memory that holds the table: another one in each process.
 * @param cluster      that the server is a member of; null if it is alone.
 * @param operating    serves operators of that cluster; null if the server is alone.
 * @param forming      makes a server without a table a member of a cluster; null if there is a table.
 */
public record ServedTable(
    List<ServedDevice> devices,
    List<Shard> shards,
    long tableId,
    long serverLife,
    boolean hugePages,
    long memory,
    Eviction eviction,
    long defaultTtlMs,
    SessionSecrets secrets,
    RecoveredSessions recovered,
    ClientDesk backups,
    long region,
    ServedCluster cluster,
    ClientDesk operating,
    ClientDesk forming)
{
    /**
     * What sessions are connected to.
     *
     * @param devices      that are offered, at least one, no two of a kind.
     * @param shards       in their order.
     * @param tableId      names the table.
     * @param serverLife   names this life of the server.
     * @param hugePages    whether the table is in huge pages.
     * @param memory       most memory of the table in bytes.
     * @param eviction     which records leave when that is full.
     * @param defaultTtlMs for how long a key stays whose put says nothing about it, in milliseconds; 0 for ever.
     * @param secrets      of sessions that outlive the server's process; null if none do.
     * @param recovered    sessions of a former process.
     * @param backups      makes backups; null if the table is in memory only.
     * @param region       names the memory that holds the table: another one in each process.
     * @param cluster      that the server is a member of; null if it is alone.
     * @param operating    serves operators of that cluster; null if the server is alone.
     */
    public ServedTable(
        final List<ServedDevice> devices,
        final List<Shard> shards,
        final long tableId,
        final long serverLife,
        final boolean hugePages,
        final long memory,
        final Eviction eviction,
        final long defaultTtlMs,
        final SessionSecrets secrets,
        final RecoveredSessions recovered,
        final ClientDesk backups,
        final long region,
        final ServedCluster cluster,
        final ClientDesk operating)
    {
        this(devices, shards, tableId, serverLife, hugePages, memory, eviction, defaultTtlMs, secrets, recovered,
            backups, region, cluster, operating, null);
    }

    /**
     * No table yet: the server is blank.
     *
     * @param forming makes it a member of a cluster.
     * @return what no session can be connected to.
     */
    public static ServedTable blank(final ClientDesk forming)
    {
        return new ServedTable(
            List.of(), List.of(), 0, 0, false, 0, Eviction.NONE, 0, null, new RecoveredSessions(), null, 0, null,
            null, forming);
    }

    /** The device of that kind, even if it has failed; or null. */
    ServedDevice device(final String kind)
    {
        return devices.stream().filter((each) -> each.device().kind().equals(kind)).findFirst().orElse(null);
    }

    /** Names of the usable devices. */
    List<String> offered()
    {
        return devices.stream()
            .filter((each) -> each.device().failure() == null)
            .map((each) -> each.device().name())
            .toList();
    }

    /** The same in one text. */
    String offeredText()
    {
        return DeviceNames.join(offered());
    }
}
