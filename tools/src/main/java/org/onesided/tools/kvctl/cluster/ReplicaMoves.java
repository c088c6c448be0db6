package org.onesided.tools.kvctl.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.onesided.client.ClusterMember;
import org.onesided.client.StoreClientBuilder;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.types.ClusterFoundation;
import org.onesided.client.types.ClusterState;
import org.onesided.tools.kvctl.command.Failures;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;

/**
 * Lets other members keep replicas of partitions, one after the other. What a former call has moved stays.
 */
final class ReplicaMoves
{
    /** Longer than a partition is without a leader, and than a leader tries to take in a member that is silent. */
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(120);
    /** Longer than an election, and the wait that follows it, with leases of the usual length. */
    private static final long LONGEST_WITHOUT_LEADER_NS = TimeUnit.SECONDS.toNanos(20);
    private static final Duration LONGEST_START = Duration.ofSeconds(20);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final StoreClientBuilder builder;
    private final Set<String> servers;
    private final Consumer<String> progress;

    /**
     * @param builder  with everything but the server.
     * @param servers  members to ask.
     * @param progress takes lines.
     */
    ReplicaMoves(final StoreClientBuilder builder, final Set<String> servers, final Consumer<String> progress)
    {
        this.builder = builder;
        this.servers = servers;
        this.progress = progress;
    }

    /** What members know. */
    ClusterView look()
    {
        return MemberSurvey.look(builder, servers);
    }

    /**
     * How many members keep each partition.
     *
     * @return the number; 0 if all do.
     */
    int replicas(final ClusterView view)
    {
        StoreException failure = null;
        for (final ClusterState.Member each : view.members())
        {
            if (view.isReachable(each.number()))
            {
                try (ClusterMember member = builder.server(each.address()).connectMember())
                {
                    return member.foundation().replicas();
                }
                catch (final StoreException e)
                {
                    failure = e;
                }
            }
        }
        throw failure == null ? new CommandException(ExitCode.CANNOT_CONNECT, "no member answers") :
            new CommandException(Failures.exitCode(failure), failure.getMessage(), failure);
    }

    /**
     * Refuses what cannot be moved.
     *
     * @param view  of the cluster.
     * @param asked partitions that are asked for.
     * @return as {@link #awaitKeepers}.
     */
    List<Set<Long>> keepers(final ClusterView view, final IntPredicate asked)
    {
        final int replicas = replicas(view);
        if (replicas < 2)
        {
            throw new CommandException(ExitCode.USAGE, replicas == 0 ?
                "nothing was changed, since all members keep each partition, call kvctl cluster add, remove or " +
                    "replace: replicas=all" :
                "nothing was changed, a partition with a single replica cannot move: replicas=1");
        }
        return awaitKeepers(asked);
    }

    /**
     * Waits until partitions have leaders, and no change of their members is under way, such as one that a command has
     * left which was cut: until then it is open who will keep them. One that has no leader for too long does not hold
     * up the others.
     *
     * @param asked partitions that are asked for.
     * @return who keeps each partition, in their order, as its log has it committed; none if that is not certain.
     */
    List<Set<Long>> awaitKeepers(final IntPredicate asked)
    {
        final CommittedMembers committed = awaitCommitted(asked);
        final List<Set<Long>> keepers = new ArrayList<>(committed.keepers());
        committed.inMotion().forEach((partition) -> keepers.set(partition, Set.of()));
        return keepers;
    }

    /** As {@link #awaitKeepers}, with what is not certain. */
    CommittedMembers awaitCommitted(final IntPredicate asked)
    {
        final long beganNs = System.nanoTime();
        CommittedMembers committed = CommittedMembers.ask(builder, look());
        while (isWorthWaiting(committed, asked, System.nanoTime() - beganNs) &&
            !Thread.currentThread().isInterrupted())
        {
            LockSupport.parkNanos(PAUSE_NS);
            committed = CommittedMembers.ask(builder, look());
        }
        return committed;
    }

    private static boolean isWorthWaiting(
        final CommittedMembers committed, final IntPredicate asked, final long passedNs)
    {
        return committed.inMotion().stream().anyMatch((partition) -> asked.test(partition) &&
            passedNs < (committed.isLed(partition) ? PATIENCE_NS : LONGEST_WITHOUT_LEADER_NS));
    }

    /** Partitions that {@link #awaitKeepers} knows nothing of. */
    static List<Integer> unknown(final List<Set<Long>> keepers)
    {
        return IntStream.range(0, keepers.size()).filter((i) -> keepers.get(i).isEmpty()).boxed().toList();
    }

    /**
     * Waits until a member answers: it may start again just now, as a snapshot has come, or a partition comes back.
     *
     * @param member its number.
     * @return the cluster, as it stands then, or when that has taken too long.
     */
    ClusterView awaitAnswer(final long member)
    {
        return ClusterWait.await(this::look, (view) -> view.isReachable(member), LONGEST_START);
    }

    /**
     * Moves all, in their order.
     *
     * @param moves to make.
     * @throws CommandException if one does not succeed; those before it stay.
     */
    void run(final List<Move> moves)
    {
        for (int i = 0; i < moves.size(); i++)
        {
            final Move move = moves.get(i);
            final long beganNs = System.nanoTime();
            final ClusterView view = awaitAnswer(move.to());
            // All are told of it, if they were away when it came.
            final ClusterFoundation.Member to = new Admission(builder, view, 0, (line) -> { })
                .admit(view.address(move.to()));
            new MembersChange(builder, servers, to, move.from(), true, move.partition(), progress).run();
            progress.accept("moved " + (i + 1) + " of " + moves.size() + ": " + move.text() +
                " took=" + (System.nanoTime() - beganNs) / 1_000_000 + "ms");
        }
    }
}
