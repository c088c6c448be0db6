package org.onesided.tools.kvctl.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.agrona.CloseHelper;
import org.onesided.client.BlankServer;
import org.onesided.client.ClusterMember;
import org.onesided.client.StoreClientBuilder;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.types.ClusterFoundation;
import org.onesided.client.types.ClusterState;
import org.onesided.tools.kvctl.command.Failures;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.settings.TimeSpan;

/**
 * Makes servers a cluster: first all are told what they are to become, then one after the other that it is so. Whoever
 * finds some of them members, and the others prepared for the same table, only says the latter again, and needs nothing
 * that only members know. For one thread.
 */
final class Founding implements AutoCloseable
{
    private static final String AGAIN =
        "to begin anew, stop the members, remove their --data directories, start them and repeat the command";

    private final StoreClientBuilder builder;
    private final List<String> servers;
    private final Consumer<String> teller;
    private final List<BlankServer> blank = new ArrayList<>();
    /** By the addresses that were given. */
    private final Map<String, ClusterState> members = new HashMap<>();

    /**
     * @param builder with everything but the server.
     * @param servers that are to be members.
     * @param teller  takes what is wrong with each of them.
     */
    Founding(final StoreClientBuilder builder, final List<String> servers, final Consumer<String> teller)
    {
        this.builder = builder;
        this.servers = servers;
        this.teller = teller;
    }

    /** Asks all servers. Tells of each that cannot be formed, not only of the first one. */
    void ask()
    {
        ExitCode code = null;
        for (final String server : servers)
        {
            try
            {
                blank.add(builder.server(server).connectBlank());
            }
            catch (final IllegalArgumentException e)
            {
                throw new CommandException(ExitCode.USAGE, e.getMessage(), e);
            }
            catch (final StoreException e)
            {
                final ClusterState state = state(server);
                if (state != null)
                {
                    members.put(server, state);
                    continue;
                }
                teller.accept(e.getMessage());
                code = code == null ? Failures.exitCode(e) : code;
            }
        }
        if (code != null)
        {
            throw new CommandException(code, "nothing was changed, since not all servers can be members: blank=" +
                blank.size() + " servers=" + servers.size());
        }
    }

    /** Null if the server is no member of a cluster, or cannot be asked. */
    private ClusterState state(final String server)
    {
        try
        {
            return builder.server(server).clusterState();
        }
        catch (final StoreException e)
        {
            // What it said before tells more.
            return null;
        }
    }

    /** Whether some servers are members already. */
    boolean isBegun()
    {
        return !members.isEmpty();
    }

    /**
     * Makes a cluster of servers that are all blank.
     *
     * @param replicas how many members keep each partition.
     * @return names the table.
     */
    String begin(final int partitions, final int replicas, final Duration lease)
    {
        checkDistinct();
        checkAgreed();
        final ClusterFoundation foundation =
            inZones(partitions, replicas == blank.size() ? 0 : replicas, lease.toMillis());
        for (int i = 0; i < blank.size(); i++)
        {
            try
            {
                blank.get(i).prepare(i + 1, foundation);
            }
            catch (final StoreException e)
            {
                throw new CommandException(
                    Failures.exitCode(e), "nothing was changed, since a server refused: " + e.getMessage(), e);
            }
        }
        found(foundation.table().id());
        return HexFormat.of().toHexDigits(foundation.table().id());
    }

    /** Members get their numbers in the order of the command. In which order they found the cluster, zones decide. */
    private ClusterFoundation inZones(final int partitions, final int replicas, final long leaseMs)
    {
        final ClusterFoundation drawn = ClusterFoundation.draw(partitions, replicas, leaseMs,
            blank.stream().map(BlankServer::address).toList(), blank.stream().map(BlankServer::peerAddress).toList());
        final Map<Long, String> names = new HashMap<>();
        for (int i = 0; i < blank.size(); i++)
        {
            if (blank.get(i).zone() != null)
            {
                names.put(i + 1L, blank.get(i).zone());
            }
        }
        final List<ClusterFoundation.Member> members =
            FoundingOrder.of(blank.size(), partitions, replicas, new Zones(names)).stream()
            .map((number) -> drawn.members().get((int)(number - 1))).toList();
        return new ClusterFoundation(drawn.table(), partitions, replicas, leaseMs, members);
    }

    /**
     * Goes on where another command was cut short.
     *
     * @param partitions that are wanted; null for any number.
     * @param replicas   that are wanted; null for any number.
     * @param lease      that is wanted; null for any.
     * @return names the table.
     */
    String resume(final Integer partitions, final Integer replicas, final Duration lease)
    {
        final ClusterState state = members.values().iterator().next();
        final Set<String> theirs = new HashSet<>(state.members().stream().map(ClusterState.Member::address).toList());
        final Set<String> named = new HashSet<>(blank.stream().map(BlankServer::address).toList());
        members.values().forEach((each) -> named.add(own(each)));
        if (members.values().stream().anyMatch((each) -> each.tableId() != state.tableId()) || !theirs.equals(named) ||
            named.size() != servers.size())
        {
            members.forEach((server, each) -> teller.accept("this server is not blank, it is a member of a cluster " +
                "already: table=" + HexFormat.of().toHexDigits(each.tableId()) + " member=" + each.self() +
                " members=" + String.join(",", each.members().stream().map(ClusterState.Member::address).toList()) +
                " server=" + server));
            throw new CommandException(ExitCode.CANNOT_CONNECT, "nothing was changed, since not all servers can be " +
                "members: blank=" + blank.size() + " servers=" + servers.size());
        }
        check("partitions", partitions, state.partitions().size());
        if (replicas != null)
        {
            check("replicas", replicas, replicas(state));
        }
        check("lease", lease == null ? null : TimeSpan.text(lease), TimeSpan.text(Duration.ofMillis(state.leaseMs())));
        for (final BlankServer each : blank)
        {
            if (each.prepared() != state.tableId())
            {
                throw new CommandException(ExitCode.FAILED, "nothing was changed, since a server has forgotten what " +
                    "it was to become, as it was started again; " + AGAIN + ": members=" +
                    String.join(",", members.keySet()) + " server=" + each.address());
            }
        }
        found(state.tableId());
        return HexFormat.of().toHexDigits(state.tableId());
    }

    /** How many members keep each partition of the cluster that was begun. */
    private int replicas(final ClusterState state)
    {
        try (ClusterMember member = builder.server(own(state)).connectMember())
        {
            final int replicas = member.foundation().replicas();
            return replicas == 0 ? state.members().size() : replicas;
        }
        catch (final StoreException e)
        {
            throw new CommandException(
                Failures.exitCode(e), "nothing was changed, since a member does not answer: " + e.getMessage(), e);
        }
    }

    private static String own(final ClusterState state)
    {
        return state.members().stream().filter((member) -> member.number() == state.self()).findFirst().orElseThrow()
            .address();
    }

    private static void check(final String name, final Object wanted, final Object present)
    {
        if (wanted != null && !wanted.equals(present))
        {
            throw new CommandException(ExitCode.USAGE, "nothing was changed, since some servers are members already, " +
                "of a cluster with another setting, which stays: " + name + "=" + present + " wanted=" + wanted);
        }
    }

    private void found(final long tableId)
    {
        for (int i = 0; i < blank.size(); i++)
        {
            try
            {
                blank.get(i).found(tableId);
            }
            catch (final StoreException e)
            {
                throw new CommandException(ExitCode.FAILED, e.getMessage() + "; the cluster is not whole, repeat the " +
                    "command with the same servers, or, " + AGAIN + ": members=" + (members.size() + i) +
                    " servers=" + servers.size(), e);
            }
        }
    }

    private void checkDistinct()
    {
        final Map<String, String> seen = new HashMap<>();
        for (final BlankServer server : blank)
        {
            // A server may have several addresses for clients, but one for the others.
            final String other = seen.put(server.peerAddress(), server.address());
            if (other != null)
            {
                throw new CommandException(ExitCode.USAGE, "nothing was changed, since two of the servers are the " +
                    "same, or have the same --peer-listen: servers=" + other + "," + server.address() +
                    " peer-listen=" + server.peerAddress());
            }
        }
    }

    private void checkAgreed()
    {
        final List<BlankServer> within = blank.stream().filter(BlankServer::isPeerTls).toList();
        if (!within.isEmpty() && within.size() < blank.size())
        {
            throw new CommandException(ExitCode.USAGE, "nothing was changed, since members talk to each other within " +
                "TLS or all without: start all servers with --tls-peer-ca, or none: with=" + addresses(within) +
                " without=" + addresses(blank.stream().filter((server) -> !server.isPeerTls()).toList()));
        }
    }

    private static String addresses(final List<BlankServer> servers)
    {
        return String.join(",", servers.stream().map(BlankServer::address).toList());
    }

    @Override
    public void close()
    {
        CloseHelper.quietCloseAll(blank);
    }
}
