package org.onesided.tools.kvctl.cluster;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.onesided.client.BlankServer;
import org.onesided.client.ClusterMember;
import org.onesided.client.StoreClientBuilder;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.types.ClusterFoundation;
import org.onesided.client.types.ClusterState;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.tools.kvctl.command.Failures;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;

/**
 * Makes a blank server a member that keeps no partition yet. If that was done before, it leaves it as it is.
 */
final class Admission
{
    /** More logs take more time for each write. */
    private static final int MAX_KEEPERS = 7;
    private static final long START_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final StoreClientBuilder builder;
    private final ClusterView view;
    private final int leaving;
    private final Consumer<String> tell;
    private long next;
    private boolean isPeerTls;
    private ClusterFoundation foundation;

    /**
     * @param builder of clients, with all settings but the server.
     * @param view    of the cluster.
     * @param leaving how many members leave.
     * @param tell    hears of what goes on, in lines.
     */
    Admission(
        final StoreClientBuilder builder, final ClusterView view, final int leaving, final Consumer<String> tell)
    {
        this.leaving = leaving;
        this.builder = builder;
        this.view = view;
        this.tell = tell;
    }

    /** Checks whether the server can be admitted, and changes nothing. */
    ClusterFoundation.Member look(final String server)
    {
        final ClusterFoundation.Member known = known(server);
        if (known != null)
        {
            return known;
        }
        try (BlankServer blank = builder.server(server).connectBlank())
        {
            return check(blank);
        }
        catch (final IllegalArgumentException e)
        {
            throw new CommandException(ExitCode.USAGE, e.getMessage(), e);
        }
    }

    /** Admits the server, and waits until it has started. */
    ClusterFoundation.Member admit(final String server)
    {
        final ClusterFoundation.Member known = known(server);
        if (known != null)
        {
            tell.accept("the server is a member already: member=" + known.number() + " address=" + known.address());
            // It gets no number now, so a few that answer are enough.
            learn();
            announce(known);
            return known;
        }
        final ClusterFoundation.Member added;
        try (BlankServer blank = builder.server(server).connectBlank())
        {
            added = check(blank);
            announce(added);
            final List<ClusterFoundation.Member> all = new ArrayList<>(foundation.members());
            all.removeIf((other) -> isAtTheSame(added, other));
            all.add(added);
            blank.join(added.number(), new ClusterFoundation(
                foundation.table(), foundation.partitions(), foundation.replicas(), foundation.leaseMs(), all));
        }
        catch (final IllegalArgumentException e)
        {
            throw new CommandException(ExitCode.USAGE, e.getMessage(), e);
        }
        awaitStart(added);
        tell.accept("the server is a member: member=" + added.number() + " address=" + added.address());
        return added;
    }

    /** The member that the server is already; null if it is not. */
    private ClusterFoundation.Member known(final String server)
    {
        try (ClusterMember member = builder.server(server).connectMember())
        {
            if (member.foundation().table().id() != view.tableId())
            {
                throw new CommandException(ExitCode.FAILED, "nothing was changed, the server is a member of another " +
                    "cluster: server=" + server + " table=" + HexFormat.of().toHexDigits(member.foundation().table()
                    .id()));
            }
            return member.foundation().members().stream().filter((each) -> each.number() == member.number())
                .findFirst().orElseThrow(() -> new CommandException(ExitCode.FAILED, "nothing was changed, the " +
                    "server was removed from the cluster, delete its data directory and start it again: " +
                    "server=" + server));
        }
        catch (final IllegalArgumentException e)
        {
            throw new CommandException(ExitCode.USAGE, e.getMessage(), e);
        }
        catch (final StoreException e)
        {
            // Whether it is blank, connecting to it as such tells.
            return null;
        }
    }

    private ClusterFoundation.Member check(final BlankServer blank)
    {
        final ClusterFoundation.Member nameless =
            new ClusterFoundation.Member(0, blank.address(), blank.peerAddress());
        checkMostAnswer(nameless, learn());
        if (blank.isPeerTls() != isPeerTls)
        {
            throw new CommandException(ExitCode.USAGE, "nothing was changed, since members talk to each other within " +
                "TLS or all without: start the server " + (isPeerTls ? "with" : "without") + " --tls-peer-ca: server=" +
                blank.address());
        }
        final int most = foundation.replicas() == 0 ? MAX_KEEPERS : Bootstrap.MAX_MEMBERS;
        if (view.members().size() - leaving >= most)
        {
            throw new CommandException(ExitCode.USAGE, "nothing was changed, a cluster has at most " + most +
                " members: members=" + view.members().size());
        }
        return new ClusterFoundation.Member(next, blank.address(), blank.peerAddress());
    }

    /** What a new member must know, and the next number, as far as members know that answer; how many answer. */
    private int learn()
    {
        StoreException failure = null;
        int answers = 0;
        for (final ClusterState.Member each : view.members())
        {
            if (view.isReachable(each.number()))
            {
                try (ClusterMember member = builder.server(each.address()).connectMember())
                {
                    if (member.next() > next)
                    {
                        foundation = member.foundation();
                    }
                    next = Math.max(next, member.next());
                    isPeerTls = member.isPeerTls();
                    answers++;
                }
                catch (final StoreException e)
                {
                    failure = e;
                }
            }
        }
        if (foundation == null)
        {
            throw failure == null ? new CommandException(ExitCode.CANNOT_CONNECT, "no member answers") :
                new CommandException(Failures.exitCode(failure), failure.getMessage(), failure);
        }
        return answers;
    }

    /**
     * So that no number is given twice. Others that had the address of the new one are gone, so their answers are not
     * needed.
     */
    private void checkMostAnswer(final ClusterFoundation.Member added, final int answers)
    {
        final long present = view.members().stream().filter((each) -> !isGone(added, each)).count();
        if (2 * answers <= present)
        {
            throw new CommandException(ExitCode.CANNOT_CONNECT, "nothing was changed, more than half of the members " +
                "must answer, so that no number is given twice: answer=" + answers + " members=" + present);
        }
    }

    /**
     * All members that can be reached take the connections of the new one from here on, and of others that came while
     * they were away.
     */
    private void announce(final ClusterFoundation.Member added)
    {
        for (final ClusterState.Member each : view.members())
        {
            if (!view.isReachable(each.number()))
            {
                tell.accept("member does not answer, and hears of the new one from the others: member=" +
                    each.number() + " address=" + each.address());
            }
            else if (each.number() != added.number())
            {
                announce(added, each);
            }
        }
    }

    private void announce(final ClusterFoundation.Member added, final ClusterState.Member to)
    {
        try (ClusterMember member = builder.server(to.address()).connectMember())
        {
            forgetOthersAt(added, member);
            final Set<Long> known = member.foundation().members().stream().map(ClusterFoundation.Member::number)
                .collect(Collectors.toSet());
            // In the order of their numbers, as it takes higher ones only.
            for (final ClusterFoundation.Member other : foundation.members())
            {
                if (other.number() != added.number() && other.number() >= member.next() &&
                    !known.contains(other.number()) && !isAtTheSame(added, other))
                {
                    member.announce(other);
                }
            }
            member.announce(added);
        }
        catch (final StoreException e)
        {
            throw new CommandException(Failures.exitCode(e), "nothing more was changed, as a member does not take " +
                "the server: member=" + to.number() + ": " + e.getMessage(), e);
        }
    }

    /** A command that was cut has announced the blank server by another number. If that keeps nothing, it is gone. */
    private static void forgetOthersAt(final ClusterFoundation.Member added, final ClusterMember member)
    {
        for (final ClusterFoundation.Member other : member.foundation().members())
        {
            if (isAtTheSame(added, other))
            {
                member.forget(other);
            }
        }
    }

    /** Whether another member has one of the addresses. */
    private static boolean isAtTheSame(final ClusterFoundation.Member added, final ClusterFoundation.Member other)
    {
        return other.number() != added.number() &&
            (other.address().equals(added.address()) || other.peerAddress().equals(added.peerAddress()));
    }

    /** Whether a member cannot come back, as another server has its address. */
    private static boolean isGone(final ClusterFoundation.Member added, final ClusterState.Member other)
    {
        return other.number() != added.number() && other.address().equals(added.address());
    }

    private void awaitStart(final ClusterFoundation.Member added)
    {
        final long endNs = System.nanoTime() + START_NS;
        StoreException failure = null;
        while (System.nanoTime() - endNs < 0 && !Thread.currentThread().isInterrupted())
        {
            try
            {
                final ClusterState state = builder.server(added.address()).clusterState();
                if (state != null && state.self() == added.number())
                {
                    return;
                }
            }
            catch (final StoreException e)
            {
                failure = e;
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
        throw new CommandException(ExitCode.CANNOT_CONNECT, "the new member does not start, look into its log, and " +
            "repeat the command: " + (failure == null ? "address=" + added.address() : failure.getMessage()));
    }
}
