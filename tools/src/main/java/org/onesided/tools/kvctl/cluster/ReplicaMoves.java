package org.onesided.tools.kvctl.cluster;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
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
     * @param view of the cluster.
     * @return who keeps each partition, in their order.
     */
    List<Set<Long>> keepers(final ClusterView view)
    {
        final int replicas = replicas(view);
        if (replicas < 2)
        {
            throw new CommandException(ExitCode.USAGE, replicas == 0 ?
                "nothing was changed, since all members keep each partition, call kvctl cluster add, remove or " +
                    "replace: replicas=all" :
                "nothing was changed, a partition with a single replica cannot move: replicas=1");
        }
        return awaitKeepers();
    }

    /**
     * Waits until each partition has a leader, and no change of its members is under way, such as one that a command
     * has left which was cut: until then it is open who will keep it.
     *
     * @return who keeps each partition, in their order, as its log has it committed.
     */
    List<Set<Long>> awaitKeepers()
    {
        final long beganNs = System.nanoTime();
        ClusterView view = look();
        CommittedMembers committed = CommittedMembers.ask(builder, view);
        while (committed.firstInMotion().isPresent())
        {
            if (System.nanoTime() - beganNs >= PATIENCE_NS || Thread.currentThread().isInterrupted())
            {
                throw new CommandException(ExitCode.NOT_SERVED, "nothing more was changed, since a partition has no " +
                    "leader, or a change of its members is under way, repeat the command to go on: partition=" +
                    committed.firstInMotion().getAsInt());
            }
            LockSupport.parkNanos(PAUSE_NS);
            view = look();
            committed = CommittedMembers.ask(builder, view);
        }
        return committed.keepers();
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
    void run(final List<ReplicaPlan.Move> moves)
    {
        for (int i = 0; i < moves.size(); i++)
        {
            final ReplicaPlan.Move move = moves.get(i);
            final long beganNs = System.nanoTime();
            final ClusterView view = awaitAnswer(move.to());
            // All are told of it, if they were away when it came.
            final ClusterFoundation.Member to = new Admission(builder, view, 0, (line) -> { })
                .admit(view.address(move.to()));
            new MembersChange(builder, servers, to, move.from(), true, move.partition(), progress).run();
            progress.accept("moved " + (i + 1) + " of " + moves.size() + ": partition=" + move.partition() + " from=" +
                move.from() + " to=" + move.to() + " took=" + (System.nanoTime() - beganNs) / 1_000_000 + "ms");
        }
    }
}
